/** Causes in the driver and its libraries. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const DRIVER_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'driver-too-old',
    category: 'driver_mismatch',
    title: 'The NVIDIA driver is older than CUDA needs',
    why: 'The torch that is installed was built with a newer CUDA than this driver can run.',
    pattern:
      /driver version is insufficient|NVIDIA driver on your system is too old(?: \(found version (?<version>\d{4,6})\))?|provided PTX was compiled with an unsupported toolchain/,
    samples: [
      'RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver',
      'RuntimeError: CUDA error: CUDA driver version is insufficient for CUDA runtime version',
      'RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.',
    ],
    remedy: ({ version }) =>
      `Update the driver on the host, or install the vLLM that was built with an older CUDA (\`nvidia-smi\` shows the newest CUDA that the driver runs).${version === undefined ? '' : ` This driver runs CUDA ${Math.floor(Number(version) / 1000)}.${Math.floor((Number(version) % 1000) / 10)} at most.`}`,
    link: PAGES.compatibility,
    retry: 'no',
  },
  {
    id: 'driver-library-mismatch',
    category: 'driver_mismatch',
    title: "The driver's kernel module and its libraries are of different versions",
    why: "The driver was updated without a reboot, or a container brings driver libraries that are not the host's.",
    pattern:
      /Error 80[34]\b|unsupported display driver|forward compatibility was attempted|Driver\/library version mismatch|nvmlInit\w{0,10} failed/i,
    samples: [
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 803: system has unsupported display driver / cuda driver combination',
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward compatibility was attempted on non supported HW',
      'pynvml.NVMLError_LibRmVersionMismatch: Driver/library version mismatch',
    ],
    remedy: () =>
      "Run `nvidia-smi` on the host. After a driver update, reboot or reload the modules; in a container, remove libcuda and cuda-compat of its own (LD_LIBRARY_PATH), so that the host's are used.",
    link: PAGES.compatibility,
    retry: 'no',
  },
  {
    id: 'fabric-manager-missing',
    category: 'driver_mismatch',
    title: 'The NVSwitch fabric is not up',
    why: 'On machines with NVSwitch the GPUs work only while the fabric manager of the same driver version runs.',
    pattern: /Error 802\b|system not yet initialized/i,
    samples: ['RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized'],
    remedy: () => "Start it on the host: `systemctl status nvidia-fabricmanager`; its version must be the driver's.",
    link: PAGES.compatibility,
    retry: 'no',
  },
  {
    id: 'no-driver',
    category: 'driver_mismatch',
    title: 'No NVIDIA driver is visible to the process',
    why: 'The host has no driver loaded, or the container was started without its GPUs.',
    pattern:
      /Found no NVIDIA driver|Failed to infer device type|no CUDA-capable device|NVML[^\n]{0,60}(?:not found|not loaded)|libcuda\.so\.1: cannot open shared object|Device string must not be empty/i,
    samples: [
      'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver',
      'RuntimeError: Failed to infer device type, please set the environment variable `VLLM_LOGGING_LEVEL=DEBUG` to turn on verbose logging to help debug the issue.',
      'RuntimeError: CUDA error: no CUDA-capable device is detected',
      'pynvml.NVMLError_LibraryNotFound: NVML Shared Library Not Found',
    ],
    remedy: () =>
      'Run `nvidia-smi` where the server runs. On the host: load the driver (reboot after its installation); in a container: start it with --gpus all.',
    link: PAGES.container,
    retry: 'no',
  },
  {
    id: 'driver-mismatch',
    category: 'driver_mismatch',
    title: "The NVIDIA driver doesn't fit the CUDA libraries",
    why: 'CUDA could not be started at all.',
    pattern:
      /cudaGetDeviceCount|Error 80[0-9]\b|NVML(?:Error|_ERROR)?[^\n]{0,60}mismatch|CUDA driver initialization failed|CUDA_ERROR_SYSTEM_DRIVER_MISMATCH/i,
    samples: ['RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 801: operation not supported'],
    remedy: () =>
      'Run `nvidia-smi` on the host. After a driver update without a reboot, reboot (or reload the modules); in a container, see that the GPUs are passed in (--gpus all) and that the driver is new enough for its CUDA.',
    link: PAGES.compatibility,
    retry: 'no',
  },
  {
    id: 'gpu-broken',
    category: 'unknown',
    title: 'A GPU failed',
    why: 'The hardware or its link reports a fault that no program makes.',
    pattern:
      /uncorrectable (?:ECC|NVLink) error|GPU (?:is lost|has fallen off the bus)|NVMLError_GpuIsLost|hardware stack error/i,
    samples: [
      'torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered',
      'pynvml.NVMLError_GpuIsLost: GPU is lost',
    ],
    remedy: () =>
      'Look at `dmesg -T | grep -i xid` and `nvidia-smi -q -d ECC,ROW_REMAPPER` on the host: reset or reboot, leave that GPU out of CUDA_VISIBLE_DEVICES, and have it replaced if it comes back.',
    link: PAGES.xid,
    retry: 'may help',
    endsServer: true,
    hides: ['nccl-timeout', 'nccl-remote-error', 'nccl-unhandled-cuda-error'],
    onceReady: { category: 'engine_dead' },
    inTarget: { category: 'engine_dead' },
  },
];
