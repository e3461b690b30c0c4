/** Causes in the model's own files. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const WEIGHT_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'weights-missing-shard',
    category: 'corrupt_weights',
    title: 'A shard of the weights is missing',
    why: 'The index names files that are not in the folder: a download or a copy was not finished.',
    pattern: /referenced in index but missing:?\s{0,2}(?<files>.{0,200})/s,
    samples: ["ValueError: Weight files referenced in index but missing: ['model-00007-of-00015.safetensors']"],
    remedy: ({ files }) =>
      `Download the missing files again (\`hf download\` fetches what is not whole)${files === undefined || files === '' ? '' : `: ${files}`}.`,
    link: PAGES.download,
    retry: 'no',
  },
  {
    id: 'weights-not-a-safetensors-file',
    category: 'corrupt_weights',
    title: 'A weight file is no safetensors file',
    why: 'A file of some hundred bytes is a Git LFS pointer, or an error page that was saved under that name.',
    pattern: /HeaderTooLarge|HeaderTooSmall|InvalidHeader|header too (?:large|small)|invalid (?:UTF-8 in )?header/i,
    samples: [
      'safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge',
      'safetensors_rust.SafetensorError: Error while deserializing header: InvalidHeaderDeserialization',
      'safetensors_rust.SafetensorError: Error while deserializing header: header too large',
    ],
    remedy: () =>
      'Look at the sizes (`ls -l` in the model folder), run `git lfs pull` there or `hf download ORG/MODEL --local-dir`, and launch again.',
    link: PAGES.safetensors,
    retry: 'no',
  },
  {
    id: 'weights-truncated',
    category: 'corrupt_weights',
    title: 'A weight file is incomplete',
    why: 'The file is shorter than its header says: a download, copy or save was cut off.',
    pattern: /MetadataIncompleteBuffer|incomplete metadata|file not fully covered|SafetensorError/i,
    samples: [
      'safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer',
      'safetensors_rust.SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered',
    ],
    remedy: () =>
      'Compare the model folder with its index (model.safetensors.index.json) and download the short shard again (`hf download` with --force-download for that file).',
    link: PAGES.safetensors,
    retry: 'no',
  },
  {
    id: 'weights-not-initialized',
    category: 'corrupt_weights',
    title: 'The checkpoint lacks weights that the model has',
    why: 'Shards are missing, or the checkpoint is not of the model that config.json describes.',
    pattern: /weights were not initialized from\s{1,2}checkpoint/,
    samples: [
      "ValueError: Following weights were not initialized from checkpoint: {'model.layers.31.mlp.down_proj.weight'}",
    ],
    remedy: () =>
      'Check the folder against model.safetensors.index.json and download what is missing; of a drafter or a quantized model, check that it is the right one.',
    link: PAGES.download,
    retry: 'no',
  },
  {
    id: 'weights-unreadable',
    category: 'corrupt_weights',
    title: 'A weight file is broken',
    why: 'A file of weights can not be read: cut off, or not what its name says.',
    pattern:
      /UnpicklingError|PytorchStreamReader failed|failed finding central directory|invalid load key|Weights only load failed/i,
    samples: [
      "_pickle.UnpicklingError: invalid load key, 'v'.",
      'RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory',
    ],
    remedy: () =>
      'Download the .bin or .pt files again; a file of some hundred bytes is a Git LFS pointer (`git lfs pull`).',
    link: PAGES.download,
    retry: 'no',
  },
  {
    id: 'weights-not-found',
    category: 'model_not_found',
    title: 'The folder holds no weights',
    why: 'The path is a model folder without weight files, or with a kind that is not loaded by itself.',
    pattern:
      /Cannot find any model weights|No such file or directory: '[^'\n]{0,200}\.(?:safetensors|gguf|bin)'|does not appear to have a file named (?:pytorch_model|model\.safetensors)/i,
    samples: ['RuntimeError: Cannot find any model weights with `/models/Qwen3-8B`'],
    remedy: () =>
      'Check the path (`ls` it on the host), download the weights, or name their kind with --load-format (a GGUF file is given itself).',
    link: PAGES.arguments,
    retry: 'no',
  },
  {
    id: 'model-path-wrong',
    category: 'model_not_found',
    title: 'The model is not where the argument says',
    why: 'There is no config.json there: a wrong path, or a folder above or below the model.',
    pattern:
      /Invalid repository ID or local directory|EntryNotFoundError|does not appear to have a file named|Can't load (?:the configuration|tokenizer|the model)|HFValidationError|Repo id must|No such file or directory: '[^'\n]{0,200}(?:config\.json|tokenizer|params\.json)|Incorrect path_or_model_id|Couldn't instantiate the backend tokenizer/i,
    samples: [
      "ValueError: Invalid repository ID or local directory specified: '/models/Qwen3'.\nPlease verify the following requirements:\n1. Provide a valid Hugging Face repository ID.",
      "huggingface_hub.errors.HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/models/Qwen3'. Use `repo_type` argument if needed.",
      "OSError: Can't load the configuration of '/models/x'. If you were trying to load it from 'https://huggingface.co/models', make sure you don't have a local directory with the same name.",
      "OSError: org/m does not appear to have a file named config.json. Checkout 'https://huggingface.co/org/m/tree/main' for available files.",
    ],
    remedy: () =>
      'Check the model path on the host (`ls PATH/config.json`) or the repository id; tokenizer files must be there too, else name --tokenizer.',
    link: PAGES.models,
    retry: 'no',
  },
];
