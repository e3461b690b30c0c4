/** Causes in compilers and in binaries of different sets. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

const FRESH =
  'Make a fresh environment and install vLLM alone first (`pip install vllm`), so that it brings the torch that it was built with';

export const BUILD_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'c-compiler-missing',
    category: 'toolchain',
    title: 'There is no C compiler',
    why: 'Triton compiles small C files at the start.',
    pattern:
      /Failed to find C compiler|InvalidCxxCompiler|No working C\+\+ compiler|No such file or directory: '[^'\n]{0,100}\b(?:gcc|g\+\+|cc|clang)'/,
    samples: [
      'RuntimeError: Failed to find C compiler. Please specify via CC environment variable or set triton.knobs.build.impl.',
      "FileNotFoundError: [Errno 2] No such file or directory: 'gcc'",
      "torch._inductor.exc.InductorError: InvalidCxxCompiler: No working C++ compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')",
    ],
    remedy: () => 'Install gcc and g++ (`apt-get install build-essential`), or name a compiler in CC and CXX.',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'python-headers-missing',
    category: 'toolchain',
    title: "Python's headers are missing",
    why: 'Triton compiles a small C module, for which it needs Python.h of the very Python that runs.',
    pattern: /Python\.h: No such file/,
    samples: ['/tmp/main.c:6:10: fatal error: Python.h: No such file or directory'],
    remedy: () => 'Install the headers of that Python (`apt-get install python3-dev`, or python3.12-dev and the like).',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'nvcc-missing',
    category: 'toolchain',
    title: 'The CUDA toolkit (nvcc) is missing',
    why: 'FlashInfer, DeepGEMM and others compile CUDA kernels at the start.',
    pattern:
      /nvcc\b.{0,80}(?:not found|No such file)|Could not find (?:nvcc|CUDA)|CUDA_HOME|No such file or directory: '[^'\n]{0,100}\bnvcc'|(?:fatal error: |cannot open source file ")(?:cuda|cublas|curand|nv)\w{0,30}\.h/i,
    samples: [
      'OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.',
      "RuntimeError: Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist",
      '/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found',
      '/src/kernel.cu(3): catastrophic error: cannot open source file "cuda_runtime.h"',
    ],
    remedy: () =>
      "Install the CUDA toolkit of torch's CUDA version, and set CUDA_HOME (and PATH) in the recipe's environment; or choose a backend that needs no compiling (--attention-backend flash_attn).",
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'ninja-failed',
    category: 'toolchain',
    title: 'Kernels could not be compiled',
    why: 'A just-in-time build failed: its own lines above say which file and why, and killed compilers mean too little memory.',
    pattern:
      /\bninja\b.{0,200}(?:non-zero exit|not found|No such file|stopped|required)|Ninja build failed|Error (?:building|compiling) (?:extension|objects)|No such file or directory: '[^'\n]{0,100}\bninja'/is,
    samples: [
      'RuntimeError: Ninja build failed. Ninja output:\nninja: build stopped: subcommand failed.',
      "FileNotFoundError: [Errno 2] No such file or directory: 'ninja'",
      "subprocess.CalledProcessError: Command '['ninja', '-v', '-C', '/root/.cache/flashinfer']' returned non-zero exit status 1.",
    ],
    remedy: () =>
      'Install ninja, gcc and the CUDA toolkit, set MAX_JOBS=4 where memory is short, and remove the half-made cache (~/.cache/flashinfer, ~/.cache/torch_extensions).',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'compiler-failed',
    category: 'toolchain',
    title: 'Kernels could not be compiled: a compiler, a header or a version does not fit',
    why: 'Some kernels are compiled at the start, and the compiler refused or was not there.',
    pattern:
      /fatal error: \S{1,120}: No such file|(?:ptxas|nvcc) fatal|CalledProcessError: Command '.{0,200}\b(?:gcc|g\+\+|cc|clang|nvcc|ptxas)\b|LinkerError|cannot find -l|^CMake Error|^[^\s:]{1,400}:\d+:\d+: error: |^[^\s(]{1,400}\(\d+\): (?:catastrophic )?error\b/i,
    samples: [
      '/x/kernel.cu:3:10: fatal error: cutlass/cutlass.h: No such file or directory',
      "subprocess.CalledProcessError: Command '['/usr/bin/gcc', '/tmp/main.c', '-O3']' returned non-zero exit status 1.",
      "nvcc fatal   : Unknown option '-foo'",
      "/src/ops.cpp:12:3: error: 'foo' was not declared in this scope",
      '/src/kernel.cu(12): error: identifier "foo" is undefined',
      'CMake Error at CMakeLists.txt:14 (find_package):',
    ],
    remedy: () =>
      'Install gcc, ninja, the Python headers (python3-dev) and, for FlashInfer, the CUDA toolkit (nvcc on PATH, CUDA_HOME set); the lines above name the file.',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'cuda-library-missing',
    category: 'binary_mismatch',
    title: 'A CUDA library of another version is wanted',
    why: 'The wheel was built for another CUDA than the one that torch brings.',
    pattern:
      /(?<library>lib(?:cudart|cublas|cublasLt|cudnn|nvrtc|cusparse|cufft|nccl|cupti|nvJitLink|cufile)[\w.+-]{0,20}\.so[.\d]{0,12}): (?:cannot open shared object|undefined symbol|version)/,
    samples: [
      'ImportError: libcudart.so.12: cannot open shared object file: No such file or directory',
      'ImportError: libcublas.so.11: cannot open shared object file: No such file or directory',
    ],
    remedy: ({ library = '' }) => `${FRESH}: \`${library}\` is of another CUDA than the installed one.`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'undefined-symbol',
    category: 'binary_mismatch',
    title: 'A library was built for another torch',
    why: 'A compiled package wants a function that the installed torch does not have: the two are of different sets.',
    pattern: /undefined symbol: ?(?<symbol>\w{0,80})/,
    samples: [
      'ImportError: /venv/lib/python3.12/site-packages/vllm/_C.abi3.so: undefined symbol: _ZN3c104cuda9SetDeviceEab',
    ],
    remedy: () => `${FRESH}; the line names the package that must be installed again for it.`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'system-library-too-old',
    category: 'binary_mismatch',
    title: "The system's C library is too old",
    why: 'The wheel was built on a newer system than this one.',
    pattern: /version [`'](?<wanted>(?:GLIBC|CXXABI|GLIBCXX)[\w.]{0,20})/,
    samples: ["ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /x/_C.so)"],
    remedy: ({ wanted = '' }) =>
      `Use a newer system or vLLM's container image: ${wanted} is not on this one. In a conda environment \`conda install -c conda-forge libstdcxx-ng\` may do.`,
    link: PAGES.docker,
    retry: 'no',
  },
  {
    id: 'system-library-missing',
    category: 'binary_mismatch',
    title: 'A library of the system is missing',
    why: 'A package loads a library that pip does not bring and this system does not have.',
    pattern:
      /(?<library>lib(?:GL|gomp|numa|ibverbs|rdmacm|mlx5|sndfile|openmpi|mpi|python3|ffi|ssl|jemalloc|tcmalloc|avcodec|xcb)[\w.+-]{0,20}\.so[.\d]{0,12}): cannot open shared object/,
    samples: ['ImportError: libGL.so.1: cannot open shared object file: No such file or directory'],
    remedy: ({ library = '' }) =>
      `Install the system's package that holds \`${library}\` (\`apt-file search ${library}\`; libGL is in libgl1), or use vLLM's container image.`,
    link: PAGES.docker,
    retry: 'no',
  },
  {
    id: 'binary-mismatch',
    category: 'binary_mismatch',
    title: 'A library was built for another torch or CUDA',
    why: 'Wheels of different sets are mixed in one environment.',
    pattern:
      /lib[\w.+-]{1,60}\.so[.\d]{0,12}: cannot open shared object|compiled (?:with|against) (?:a )?different|was built (?:against|for|with)|operator torchvision::\w{1,40} does not exist|object has no attribute '\w{0,60}(?:fwd|varlen)|CUDA version .{0,80}(?:mismatch|does not match)|numpy\.dtype size changed|compiled using NumPy 1\.x|Detected that PyTorch and \w{1,40} were compiled with different CUDA/i,
    samples: [
      'RuntimeError: operator torchvision::nms does not exist',
      'ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject',
      'RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA major versions.',
    ],
    remedy: () => `${FRESH}: wheels of different sets are mixed.`,
    link: PAGES.install,
    retry: 'no',
  },
];
