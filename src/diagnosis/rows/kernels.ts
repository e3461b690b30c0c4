/** Causes in a kernel or in the engine itself: tried last. Before readiness there was no engine to die. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow, Words } from '../row.ts';

const DEAD: Partial<Words> = { category: 'engine_dead' };
/** What the other ranks see of it. */
const OTHERS = ['nccl-timeout', 'nccl-remote-error', 'nccl-unhandled-cuda-error'];
const AGAIN =
  'Launch again. If it comes back, set CUDA_LAUNCH_BLOCKING=1 in the environment: then the frame shown is the right one (kernels run asynchronously).';

export const KERNEL_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'illegal-memory-access',
    category: 'unknown',
    title: 'A CUDA kernel read or wrote where it may not',
    why: 'A bug in a kernel, or sizes that it was not made for; the frame shown is not to be trusted, since kernels run asynchronously.',
    pattern:
      /illegal memory access|misaligned address|unspecified launch failure|an illegal instruction was encountered/,
    samples: [
      'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
      'RuntimeError: CUDA error: an illegal memory access was encountered',
      'RuntimeError: CUDA error: unspecified launch failure',
    ],
    remedy: () =>
      `${AGAIN} Another --attention-backend, --enforce-eager or another version avoids most; if it is always the same GPU, test that GPU (\`dmesg -T | grep Xid\`).`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    hides: OTHERS,
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'device-side-assert',
    category: 'unknown',
    title: 'A CUDA kernel stopped on an index out of range',
    why: 'A token id, position or index was larger than its table: usually a vocabulary or a length that does not fit the weights.',
    pattern: /device-side assert(?!ions)/,
    samples: ['RuntimeError: CUDA error: device-side assert triggered'],
    remedy: () =>
      `Compare tokenizer and vocabulary with the model (of a drafter, too), and --max-model-len with what the model allows. ${AGAIN}`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    hides: OTHERS,
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'engine-hung',
    category: 'unknown',
    title: 'The engine hung',
    why: 'A step took longer than the limit: a rank or a kernel stands still, and the engine gave up.',
    pattern:
      /RPC call to (?<call>\w{1,60}) timed out|Engine iteration timed out|[Ww]atchdog timeout|execute_model timed out/,
    samples: [
      'TimeoutError: RPC call to execute_model timed out.',
      'TimeoutError: RPC call to sample_tokens timed out.',
      'RuntimeError: Engine iteration timed out. This should never happen!',
    ],
    remedy: () =>
      'Launch again. If it comes back, see which rank stands still (`py-spy dump --pid PID`), try --disable-custom-all-reduce, NCCL_P2P_DISABLE=1 or --enforce-eager; VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS (300) is the limit.',
    link: PAGES.troubleshooting,
    retry: 'helps',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'graph-capture-failed',
    category: 'unknown',
    title: 'CUDA graphs could not be captured',
    why: 'Too little memory was left beside the weights and the KV cache, or a kernel does not allow it.',
    pattern: /Capture CUDA graph failed/i,
    samples: [
      'Exception: Capture cuda graph failed: invalid argument\nPossible solutions:\n1. set --mem-fraction-static to a smaller value',
    ],
    remedy: () =>
      'Lower --mem-fraction-static (SGLang) or --gpu-memory-utilization (vLLM), or do without: --disable-cuda-graph (SGLang), --enforce-eager (vLLM).',
    link: null,
    retry: 'no',
  },
  {
    id: 'cuda-library-failed',
    category: 'unknown',
    title: 'A CUDA library refused a call',
    why: 'cuBLAS or cuDNN failed: often for want of memory, or because their version is not the one that torch was built with.',
    pattern: /CUBLAS_STATUS_\w{1,40}|CUDNN_STATUS_\w{1,40}|cuDNN error/,
    samples: [
      'RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx`',
      'RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED',
    ],
    remedy: () =>
      "Lower --gpu-memory-utilization by 0.05, unset LD_LIBRARY_PATH (so that torch's own libraries are used), and launch again with CUDA_LAUNCH_BLOCKING=1.",
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'cuda-error',
    category: 'unknown',
    title: 'A CUDA call failed',
    why: 'The GPU or its driver reported an error; what was running when it showed need not be what caused it.',
    pattern: /CUDA error|CUDA_ERROR_\w{1,40}|HIP error|AcceleratorError/,
    samples: [
      'torch.AcceleratorError: CUDA error: unknown error',
      'RuntimeError: Triton Error [CUDA]: CUDA_ERROR_INVALID_VALUE',
    ],
    remedy: () =>
      `${AGAIN} Another --attention-backend or --enforce-eager avoids most; look at \`dmesg -T | grep Xid\`, too.`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'compile-failed',
    category: 'unknown',
    title: 'torch.compile failed',
    why: "The model's graph could not be compiled: a bug of this version, or a stale cache of another one.",
    pattern: /torch\._dynamo\.exc\.|torch\._inductor\.exc\.|BackendCompilerFailed|InductorError|CompilationError/,
    samples: [
      'torch._inductor.exc.InductorError: AssertionError: -1',
      "torch._dynamo.exc.BackendCompilerFailed: backend='<vllm.compilation.backends.VllmBackend>' raised:",
    ],
    remedy: () =>
      'Remove the compile cache (~/.cache/vllm/torch_compile_cache, /tmp/torchinductor_*) and launch again; --enforce-eager does without compiling.',
    link: PAGES.compile,
    retry: 'may help',
  },
];
