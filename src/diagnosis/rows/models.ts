/** Causes in what this version knows of the model. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const MODEL_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'model-type-unknown',
    category: 'unsupported_model',
    title: "The installed transformers doesn't know the model type",
    why: 'The model is newer than the transformers package.',
    pattern:
      /model type [`'"]?(?<type>[\w.-]{1,60})[`'"]? but Transformers does not recognize this architecture|does not recognize this architecture|Unrecognized (?:model|configuration class)|has no attribute 'model_type'/,
    samples: [
      'ValueError: The checkpoint you are trying to load has model type `gpt_oss` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint, or because your version of Transformers is out of date.',
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig\n  Value error, The checkpoint you are trying to load has model type `qwen3_5` but Transformers does not recognize this architecture.',
      'ValueError: Unrecognized model in /models/x. Should have a `model_type` key in its config.json',
    ],
    remedy: ({ type }) =>
      `Run \`pip install -U vllm transformers\`; a model with code of its own needs --trust-remote-code.${type === undefined ? '' : ` The installed transformers has no \`${type}\`.`}`,
    link: PAGES.models,
    retry: 'no',
  },
  {
    id: 'gguf-architecture',
    category: 'unsupported_model',
    title: "The GGUF loader doesn't know this architecture",
    why: 'GGUF files are read by way of transformers, which knows fewer architectures than vLLM itself.',
    pattern:
      /GGUF model with architecture (?<architecture>[\w.-]{1,60}) is not supported|Unknown gguf model_type: ?(?<type>[\w.-]{1,60})/,
    samples: [
      'ValueError: GGUF model with architecture qwen35moe is not supported yet.',
      'RuntimeError: Unknown gguf model_type: qwen3_5',
    ],
    remedy: ({ architecture, type }) =>
      `Serve the model's safetensors (with --quantization, where memory is short) instead of its GGUF, or upgrade transformers (\`pip install -U transformers\`): ${architecture ?? type ?? 'it'} is not among those that it reads.`,
    link: PAGES.models,
    retry: 'no',
  },
  {
    id: 'architecture-unsupported',
    category: 'unsupported_model',
    title: "This vLLM doesn't know the model's architecture",
    why: 'The model is newer than this vLLM, or of a kind that vLLM does not serve.',
    pattern:
      /Model architectures (?<names>\[[^\]\n]{0,200}\]) (?:are not supported for now|failed to be inspected)|has no vLLM implementation|No model architectures are specified|not a supported model|model type .{0,60} is not supported/,
    samples: [
      "ValueError: Model architectures ['Qwen9ForCausalLM'] are not supported for now. Supported architectures: dict_keys(['AquilaModel'])",
      "ValueError: Model architectures ['Qwen3_5ForConditionalGeneration'] failed to be inspected. Please check the logs for more details.",
      'ValueError: DFlash2Model has no vLLM implementation and the Transformers implementation is not compatible with vLLM.',
    ],
    remedy: ({ names }) =>
      `Upgrade vLLM (\`pip install -U vllm\`), or look for the model among those it supports${names === undefined ? '' : `; it doesn't know ${names}`}.`,
    link: PAGES.models,
    retry: 'no',
  },
  {
    id: 'model-task-unsupported',
    category: 'unsupported_model',
    title: "The model can't do what was asked of it",
    why: 'A model that embeds does not generate, and the other way round.',
    pattern:
      /(?:This|The) model does not support (?:the )?.{0,40}(?:task|runner|generat|pooling|embedding)|does not support (?:this|the) model|The model .{0,80} (?:does not|doesn't) support/i,
    samples: [
      "ValueError: This model does not support the 'generate' task. Supported tasks: ['embed']",
      'ValueError: This model does not support any model runners!',
    ],
    remedy: () => 'Give the --runner or --task that the model has, or another model.',
    link: PAGES.models,
    retry: 'no',
  },
  {
    id: 'quantization-unknown',
    category: 'unsupported_model',
    title: "This version doesn't know the quantization",
    why: "The checkpoint's quantization is newer than this vLLM, or needs a package of its own.",
    pattern:
      /Unknown quantization method|Invalid quantization method|quantization method .{0,60}not supported|Unsupported quantization/i,
    samples: [
      "ValueError: Unknown quantization method: mxfp6. Must be one of ['awq', 'gptq', 'fp8'].",
      'ValueError: Invalid quantization method: nvfp4x',
    ],
    remedy: () =>
      'Upgrade vLLM (`pip install -U vllm`), or use a checkpoint with another quantization; --quantization is usually best left out.',
    link: PAGES.quantization,
    retry: 'no',
  },
  {
    id: 'quantization-mismatch',
    category: 'bad_argument',
    title: "--quantization is not the checkpoint's",
    why: "The checkpoint's config.json says another quantization, or another data type, than the argument.",
    pattern:
      /Quantization method specified in the model config \((?<has>[\w-]{1,40})\) does not match the quantization method specified in the `quantization` argument \((?<asked>[\w-]{1,40})\)|(?<dtype>torch\.\w{1,20}) is not supported for quantization method (?<method>[\w-]{1,40})/,
    samples: [
      'ValueError: Quantization method specified in the model config (awq) does not match the quantization method specified in the `quantization` argument (gptq).',
      'ValueError: torch.bfloat16 is not supported for quantization method awq. Supported dtypes: [torch.float16]',
    ],
    remedy: ({ has, asked, dtype, method }) =>
      has === undefined
        ? `Add --dtype half: ${method} does not take ${dtype}.`
        : `Leave --quantization out, or set it to ${has}; it is ${asked}.`,
    link: PAGES.quantization,
    retry: 'no',
  },
  {
    id: 'parameters-do-not-fit',
    category: 'unsupported_model',
    title: "The checkpoint's weights don't fit the model's class",
    why: 'The checkpoint has weights for which this version of the model has no place: another version, quantization or layout.',
    pattern: /There is no module or parameter named (?<name>'[^'\n]{1,120}')/,
    samples: [
      "ValueError: There is no module or parameter named 'model.layers.0.self_attn.qkv_proj.weight_scale' in Qwen3ForCausalLM",
      "ValueError: There is no module or parameter named 'lm_head.weight_scale' in LlamaForCausalLM. The available parameters belonging to lm_head (ParallelLMHead) are: {'lm_head.weight'}",
    ],
    remedy: ({ name = '' }) =>
      `Upgrade vLLM (\`pip install -U vllm transformers\`), or use a checkpoint (and --quantization) that this version loads: it has no place for ${name}.`,
    link: PAGES.models,
    retry: 'no',
  },
];
