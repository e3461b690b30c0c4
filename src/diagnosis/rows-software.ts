/** Causes in what is installed or downloaded: packages, compilers, models, drafters. Order is priority; the most telling first. */

import type { DiagnosisRow } from './row.ts';

export const SOFTWARE_ROWS: readonly DiagnosisRow[] = [
  {
    category: 'wrong_flash_attn',
    title: "The flash-attn package doesn't fit",
    pattern:
      /flash_?attn[\s\S]*(?:undefined symbol|cannot open shared object)|(?:undefined symbol|cannot open shared object)[\s\S]*flash_?attn|cannot import name .* from 'flash_attn|Cannot use FA version|FlashAttention only supports|FlashAttention-?\d? (?:is not supported|requires)|flash[-_ ]attn.*(?:not supported|incompatible)/i,
    sample:
      'ImportError: /usr/lib/python3/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2E',
    remedy: () =>
      'Remove the stray package (`pip uninstall flash-attn flash-attn-4`), since vLLM brings its own flash attention, or install the one built for this torch and GPU (4: Blackwell, 3: Hopper, 2: the others), and drop overrides of the version.',
  },
  {
    category: 'missing_module',
    title: 'A partial flash_attn package is in the way',
    pattern: /No module named '?(?<module>flash_attn\.[\w.]+)/,
    sample: "ModuleNotFoundError: No module named 'flash_attn.ops'",
    remedy: ({ module }) =>
      `Run \`pip uninstall flash-attn-4\` (vLLM needs no flash-attn of its own), or install flash-attn 2 beside it: flash_attn is importable but has no ${module}, which is flash-attn 4, that holds only flash_attn.cute.`,
  },
  {
    category: 'missing_module',
    title: 'A Python package is missing',
    pattern:
      /No module named '?(?<module>[\w.]+)|cannot import name '(?<name>\w+)' from '(?<from>[\w.]+)'|(?:PackageNotFoundError|is not installed|Please install (?:it|\S+) (?:with|by|via|using))/,
    sample: "ModuleNotFoundError: No module named 'flashinfer'",
    remedy: ({ module, name, from }) => {
      if (name !== undefined)
        return `Install both from one set (\`pip install -U vllm\` in a fresh environment): the installed ${from} has no ${name}, so its version doesn't fit this vLLM.`;
      return `Install ${module ?? 'the package that the line names'} into the environment that runs the server; check with its own python (\`which vllm\`).`;
    },
  },
  {
    category: 'toolchain',
    title: 'A compiler or its headers are missing',
    pattern:
      /Failed to find C compiler|Python\.h: No such file|nvcc[^\n]*(?:not found|No such file|fatal)|Could not find (?:nvcc|CUDA)|CUDA_HOME|ninja[^\n]*(?:non-zero exit|not found|No such file|stopped)|Error (?:building|compiling) (?:extension|objects)|fatal error: \S+: No such file|ptxas fatal|No such file or directory: '[^']*(?:gcc|g\+\+|nvcc|ninja|cc)'|CalledProcessError: Command '\[?'?[^\n]*(?:gcc|g\+\+|nvcc|ninja|cc)\b/i,
    sample:
      'RuntimeError: Failed to find C compiler. Please specify via CC environment variable or set triton.knobs.build.impl.',
    remedy: () =>
      'Install gcc, ninja, the Python headers (python3-dev) and, for FlashInfer, the CUDA toolkit (nvcc on PATH, CUDA_HOME set): Triton and FlashInfer compile kernels at the start.',
  },
  {
    category: 'binary_mismatch',
    title: 'A library was built for another torch or CUDA',
    pattern:
      /undefined symbol|version `?(?:GLIBC|CXXABI|GLIBCXX)|lib[\w.+-]+\.so[.\d]*: cannot open shared object|compiled (?:with|against) (?:a )?different|was built (?:against|for|with)|operator torchvision::\w+ does not exist|has no attribute '_?(?:C|OpNamespace)|object has no attribute '\w*(?:fwd|varlen)|CUDA version .*(?:mismatch|does not match)|numpy\.dtype size changed/i,
    sample: 'ImportError: libcudart.so.12: cannot open shared object file: No such file or directory',
    remedy: () =>
      'Make a fresh environment and install vLLM alone first, so that it brings the torch that it was built with: wheels of different sets are mixed.',
  },
  {
    category: 'gated_or_auth',
    title: 'The model is gated and the token may not read it',
    pattern: /GatedRepoError|(?:Cannot access|access a) gated repo/i,
    sample: 'huggingface_hub.errors.GatedRepoError: 401 Client Error.',
    remedy: () =>
      "Accept the model's terms on its page, and give HF_TOKEN of that account in the server's environment.",
  },
  {
    category: 'model_not_found',
    title: 'The model is not where the argument says',
    pattern:
      /RepositoryNotFoundError|RevisionNotFoundError|EntryNotFoundError|Repository Not Found|Invalid repository ID or local directory|is not a local folder and is not a valid model identifier|does not appear to have a file named|Can't load (?:the configuration|tokenizer|the model)|HFValidationError|Repo id must be|Cannot find any model weights|No such file or directory: '[^']*(?:config\.json|\.safetensors|\.gguf|tokenizer|params\.json)|Incorrect path_or_model_id/i,
    sample:
      "OSError: /models/Qwen3 is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
    remedy: () =>
      'Check the model path or repository id (a mistyped local path is taken for a repository id); for a private repository give HF_TOKEN; with HF_HUB_OFFLINE=1 it must be in the cache already.',
  },
  {
    category: 'gated_or_auth',
    title: 'The hub refused the token',
    pattern:
      /\b40[13] (?:Client Error|Forbidden|Unauthorized)|Unauthorized|Invalid (?:username or password|user token)|(?:token|authentication) is (?:required|invalid)|is restricted\. You must have access|LocalTokenNotFoundError/i,
    sample:
      'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/org/m/resolve/main/config.json',
    remedy: () =>
      "Give a valid HF_TOKEN with read access in the server's environment, and accept the model's terms on its page.",
  },
  {
    category: 'corrupt_weights',
    title: 'A weight file is broken or incomplete',
    pattern:
      /SafetensorError|MetadataIncompleteBuffer|HeaderTooLarge|HeaderTooSmall|InvalidHeader|not initialized from checkpoint|referenced in index but missing|UnpicklingError|PytorchStreamReader failed|failed finding central directory|invalid load key/i,
    sample: 'safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer',
    remedy: () =>
      'Compare the model folder with its index (model.safetensors.index.json) and download the short or missing shards again; a file of some hundred bytes is a Git LFS pointer.',
  },
  {
    category: 'drafter_mismatch',
    title: "The drafter doesn't fit the target or this version",
    pattern:
      /concatenated aux hidden|require(?:s)? the V2 model runner|requires a window size|(?:draft(?:er)?|speculat\w+|eagle3?|dflash|target_layer_ids|aux_hidden_state)[\s\S]*(?:mismatch|must (?:be|match|have)|does not match|not support|expected|divisible|differ|invalid|require)/i,
    sample: 'ValueError: DFlash expects 25600 concatenated aux hidden features but received 15360.',
    remedy: () =>
      "Compare the drafter's config.json (target_layer_ids, layer_types, sliding_window, block_size, vocabulary) with the target; mixed sliding layers need VLLM_USE_V2_MODEL_RUNNER=1; try a start without --speculative-config to be sure.",
  },
  {
    category: 'drafter_mismatch',
    title: "The drafter's weights don't fit",
    pattern:
      /There is no module or parameter named|size mismatch|shapes? (?:mismatch|cannot be)|must match the size|AssertionError|KeyError/,
    inTraceback: /spec_decode|proposer|drafter|dflash|eagle/i,
    sample: "ValueError: There is no module or parameter named 'midlayer' in LlamaForCausalLMEagle3",
    remedy: () =>
      'Check "model" and "method" in --speculative-config, and the drafter\'s config.json: its checkpoint is not one for this target or this vLLM.',
  },
  {
    category: 'unsupported_model',
    title: "This version doesn't know the model",
    pattern:
      /does not recognize this architecture|are not supported for now|has no vLLM implementation|Unknown quantization method|quantization method .* not supported|There is no module or parameter named|No model architectures are specified|Unrecognized (?:model|configuration class)|not a supported model|model type .* is not supported|does not support (?:this|the) model/i,
    sample: "ValueError: Model architectures ['Qwen9ForCausalLM'] are not supported for now.",
    remedy: () =>
      'Upgrade vLLM (and transformers with it: `pip install -U vllm transformers`); a model with code of its own needs --trust-remote-code.',
  },
  {
    category: 'download_stalled',
    title: 'The download from the hub broke off',
    pattern:
      /couldn't connect to|ReadTimeout|ConnectTimeout|Max retries exceeded|Read timed out|IncompleteRead|ChunkedEncodingError|LocalEntryNotFoundError|\b429\b|[Rr]ate.?limit|Consistency check failed|OfflineModeIsEnabled|NameResolutionError|hf_transfer/,
    sample:
      "OSError: We couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in the cached files.",
    remedy: () =>
      'Download once beforehand (`hf download ORG/MODEL`, with HF_TOKEN: anonymous downloads are rate-limited), then give the local path and HF_HUB_OFFLINE=1.',
  },
  {
    category: 'engine_dead',
    title: 'A CUDA kernel or the engine failed',
    pattern:
      /illegal memory access|device-side assert|misaligned address|unspecified launch failure|CUDA error|CUBLAS_STATUS|RPC call to \w+ timed out|Segmentation fault|Segfault|SIGSEGV|CUDNN_STATUS/i,
    sample: 'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
    remedy: () =>
      'Launch again. If it comes back, set CUDA_LAUNCH_BLOCKING=1 in the environment: then the frame shown is the right one (kernels run asynchronously). Another --attention-backend, --enforce-eager or another version avoids most; if it is always the same GPU, test that GPU (`dmesg -T | grep Xid`).',
  },
];
