/** Causes in what a GPU's architecture can do. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const ARCHITECTURE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'bfloat16-unsupported',
    category: 'unsupported_gpu',
    title: 'This GPU has no bfloat16',
    why: 'bfloat16 needs compute capability 8.0 (Ampere) or newer.',
    pattern:
      /Bfloat16 is only supported on GPUs.{0,80}?Your (?<gpu>.{1,60}?) GPU has compute capability (?<has>[\d.]{1,5}\d)|Bfloat16 is only supported on GPUs/s,
    samples: [
      'ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5. You can use float16 instead by explicitly setting the `dtype` flag in CLI, for example: --dtype=half.',
    ],
    remedy: ({ gpu, has }) =>
      `Add --dtype half, or use a newer GPU${gpu === undefined ? '' : `: a ${gpu} has ${has}`}.`,
    link: PAGES.arguments,
    retry: 'no',
  },
  {
    id: 'quantization-needs-newer-gpu',
    category: 'unsupported_gpu',
    title: 'This GPU is too old for the quantization',
    why: "The quantization's kernels exist from a certain compute capability on.",
    pattern:
      /quantization method (?<method>\S{1,40}) is not supported for the current GPU\. Minimum capability: (?<wanted>\d{1,4})\. Current capability: (?<has>[^.\n]{1,60})|Quantization scheme is not supported for|(?:FP8|fp8e4nv|MXFP4|NVFP4)\b.{0,80}(?:not supported (?:in|on|by|for) (?:this|the current|your) (?:arch|gpu|device|hardware|platform)|requires? (?:SM|(?:a )?(?:compute|device)|capability|Hopper|Ada|Blackwell|NVIDIA|GPU))/is,
    samples: [
      "RuntimeError: ('Quantization scheme is not supported for ', 'the current GPU. Min capability: 89. ', 'Current capability: 75.')",
      'ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 89. Current capability: 75.',
      "ValueError: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')",
    ],
    remedy: ({ method, wanted, has }) =>
      `Use another checkpoint or --quantization (AWQ and GPTQ run on older GPUs), or a newer GPU.${method === undefined ? '' : ` ${method} needs capability ${wanted}, this GPU has ${has}.`} An fp8 KV cache (--kv-cache-dtype) has the same limit.`,
    link: PAGES.quantization,
    retry: 'no',
  },
  {
    id: 'no-kernel-image',
    category: 'unsupported_gpu',
    title: 'This build has no kernels for this GPU',
    why: "The wheel was compiled without this GPU's architecture.",
    pattern:
      /no kernel image is available|invalid device function|too old to be supported by the triton|sm_\d{2,3}\w? is not compatible with the current PyTorch/,
    samples: [
      'RuntimeError: CUDA error: no kernel image is available for execution on the device',
      'torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device',
      'torch.AcceleratorError: HIP error: invalid device function',
    ],
    remedy: () =>
      'Install the build for this GPU (`pip install -U vllm`; new GPUs need a new torch and CUDA, old ones an older vLLM), or choose another --attention-backend that it has.',
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'ptxas-too-old',
    category: 'unsupported_gpu',
    title: "A compiler doesn't know this GPU",
    why: 'The ptxas (or nvcc) that compiles kernels at the start is older than the GPU.',
    pattern:
      /Value 'sm_\w{1,8}' is not defined|sm_\d{2,3}\w? is not defined|Unsupported gpu architecture '?(?:compute|sm)_/i,
    samples: [
      "ptxas fatal   : Value 'sm_120a' is not defined for option 'gpu-name'",
      "nvcc fatal   : Unsupported gpu architecture 'compute_120a'",
    ],
    remedy: () =>
      'Give Triton a newer ptxas (TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas), install a newer CUDA toolkit, or upgrade torch and triton with vLLM.',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'triton-out-of-resources',
    category: 'unsupported_gpu',
    title: "A kernel needs more of the GPU's own shared memory than it has",
    why: "A Triton kernel is tuned for a larger GPU: the limit is the chip's, not /dev/shm.",
    pattern:
      /out of resource: shared memory, Required: (?<required>\d{1,9}), Hardware limit: (?<limit>\d{1,9})|OutOfResources/,
    samples: [
      'triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.',
    ],
    remedy: ({ required, limit }) =>
      `Choose another --attention-backend or another version of vLLM${required === undefined ? '' : `: ${required} bytes are wanted and this GPU has ${limit}`}.`,
    link: PAGES.attention,
    retry: 'no',
  },
  {
    id: 'flash-attn-version-unsupported',
    category: 'wrong_flash_attn',
    title: "This version of flash attention doesn't run on this GPU",
    why: 'Flash attention 4 is for Blackwell, 3 for Hopper, 2 for the others (Ampere, Ada).',
    pattern:
      /Cannot use FA version (?<version>\d)|FlashAttention only supports (?:Turing|Ampere|Ada|Hopper|Blackwell|.{0,30}GPUs?\b)|FlashAttention-?\d? (?:is not supported|requires)|FA[234] is (?:only supported|unavailable)/i,
    samples: [
      'AssertionError: Cannot use FA version 3 is not supported due to FA3 is only supported on devices with compute capability 9.0',
      'RuntimeError: FlashAttention only supports Ampere GPUs or newer.',
    ],
    remedy: ({ version }) =>
      `Drop the override of the version (VLLM_FLASH_ATTN_VERSION, --attention-config.flash_attn_version)${version === undefined ? '' : `: version ${version} was asked for`}; a GPU older than Ampere needs another --attention-backend.`,
    link: PAGES.attention,
    retry: 'no',
  },
  {
    id: 'flash-attention-limits',
    category: 'bad_argument',
    title: "Flash attention can't run this data type or head size",
    why: 'Its kernels take float16 and bfloat16 alone, and heads of at most 256 numbers.',
    pattern: /FlashAttention (?:forward |backward )?only supports? (?:fp16|head)|FlashAttention.{0,40}head dimension/i,
    samples: [
      'RuntimeError: FlashAttention only support fp16 and bf16 data type',
      'RuntimeError: FlashAttention forward only supports head dimension at most 256',
    ],
    remedy: () => 'Set --dtype bfloat16 (half on older GPUs), or choose another --attention-backend.',
    link: PAGES.attention,
    retry: 'no',
  },
  {
    id: 'attention-backend-invalid',
    category: 'bad_argument',
    title: 'The attention backend does not fit this model or GPU',
    why: 'The backend that was chosen lacks what the model, the drafter, the data type or the GPU needs.',
    pattern:
      /Selected backend (?<backend>\S{1,80}) is not valid for this configuration\.(?:\s{1,3}Reason: (?<reason>.{1,200}))?|No valid attention backend found|Invalid (?:value|attention backend)[^\n]{0,80}ATTENTION_BACKEND/s,
    samples: [
      "ValueError: Selected backend AttentionBackendEnum.FLASHINFER is not valid for this configuration. Reason: ['non-causal attention not supported']",
      'ValueError: No valid attention backend found for cuda with AttentionSelectorConfig(head_size=576). Reasons: {}.',
    ],
    remedy: ({ backend, reason }) =>
      `Choose another --attention-backend, or leave it out (DFlash drafters want flash_attn).${backend === undefined ? '' : ` ${backend.split('.').at(-1)} was chosen${reason === undefined ? '' : `: ${reason}`}.`}`,
    link: PAGES.attention,
    retry: 'no',
  },
  {
    id: 'kv-cache-dtype-unsupported',
    category: 'bad_argument',
    title: 'The data type of the KV cache does not go with the rest',
    why: 'Not every attention backend, model or checkpoint can keep its KV cache in fp8 or fp4.',
    pattern:
      /(?:fp8\w{0,8}|nvfp4|quantized) kv[ _-]?cache.{0,80}(?:not supported|unsupported)|kv[_-]cache[_-]dtype.{0,80}not supported/is,
    samples: [
      'ValueError: fp8_e5m2 kv-cache is not supported with fp8 checkpoints.',
      'ValueError: nvfp4 KV cache is not supported with MLA (Multi-head Latent Attention)',
    ],
    remedy: () =>
      'Set --kv-cache-dtype auto (or fp8_e4m3 with an fp8 checkpoint), or choose another --attention-backend.',
    link: PAGES.kvCacheTypes,
    retry: 'no',
  },
  {
    id: 'compute-capability',
    category: 'unsupported_gpu',
    title: "This GPU doesn't have what a feature needs",
    why: 'A feature, data type or kernel needs another compute capability than this GPU has.',
    pattern:
      /(?:compute|device) capability\b.{0,80}(?:at least|not supported|required|>=)|(?:requires?|only supported on) .{0,40}(?:compute|device) capability|not supported on this (?:GPU|device|architecture)/is,
    samples: [
      'NotImplementedError: Sparse attention requires compute capability >= 9.0',
      'RuntimeError: cutlass_scaled_mm is not supported on this device',
    ],
    remedy: () =>
      'Choose another backend (--attention-backend), data type (--dtype) or quantization that this GPU has, or a newer GPU.',
    link: PAGES.attention,
    retry: 'no',
  },
];
