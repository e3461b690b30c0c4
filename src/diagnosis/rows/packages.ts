/** Causes in what is installed: packages, wheels, compilers. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

const FRESH =
  'make a fresh environment and install vLLM alone first (`pip install vllm`), so that it brings the torch that it was built with';

export const PACKAGE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'flash-attn-binary-mismatch',
    category: 'wrong_flash_attn',
    title: 'flash-attn was built for another torch',
    why: 'A flash-attn wheel fits one torch version alone; torch was changed after it was installed.',
    pattern: /flash_?attn/i,
    beside: /undefined symbol|cannot open shared object|DLL load failed/,
    samples: [
      'ImportError: /usr/lib/python3/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2E',
      'ImportError: /venv/lib/python3.12/site-packages/flash_attn_3/_C.abi3.so: cannot open shared object file: No such file or directory',
    ],
    remedy: () =>
      'Run `pip uninstall flash-attn flash-attn-4`: vLLM brings its own flash attention. Where something else needs it, install the one built for this torch and GPU.',
    link: PAGES.flashAttention,
    retry: 'no',
  },
  {
    id: 'flash-attn-partial',
    category: 'missing_module',
    title: 'A partial flash_attn package is in the way',
    why: 'flash-attn 4 holds only flash_attn.cute; code that finds `flash_attn` takes it for the whole package.',
    pattern: /No module named '?(?<module>flash_attn\.[\w.]{1,80})/,
    samples: [
      "ModuleNotFoundError: No module named 'flash_attn.ops'",
      "ModuleNotFoundError: No module named 'flash_attn.flash_attn_interface'",
    ],
    remedy: ({ module = '' }) =>
      `Run \`pip uninstall flash-attn-4\` (vLLM needs no flash-attn of its own), or install flash-attn 2 beside it: flash_attn is importable but has no ${module}.`,
    link: PAGES.flashAttention,
    retry: 'no',
  },
  {
    id: 'flash-attn-signature',
    category: 'wrong_flash_attn',
    title: 'The flash-attn package takes other arguments than this version gives it',
    why: 'A flash-attn of another age stands in the environment and is found before the one that vLLM brings.',
    pattern: /\bflash_attn\w{0,40}(?:\(\))? got an unexpected keyword argument '(?<name>\w{1,60})'/,
    samples: ["TypeError: flash_attn_varlen_func() got an unexpected keyword argument 'num_splits'"],
    remedy: ({ name = '' }) =>
      `Remove the stray package (\`pip uninstall flash-attn\`), since vLLM brings its own flash attention: the one that was found knows no ${name}.`,
    link: PAGES.flashAttention,
    retry: 'no',
  },
  {
    id: 'flash-attn-mismatch',
    category: 'wrong_flash_attn',
    title: "The flash-attn package doesn't fit",
    why: 'The installed flash-attn is not the one that this code was written for.',
    pattern:
      /cannot import name '?\w{1,60}'? from '?flash_attn|flash[-_ ]attn\b.{0,80}(?:not supported|incompatible|version)/i,
    samples: ["ImportError: cannot import name 'flash_attn_varlen_func' from 'flash_attn' (unknown location)"],
    remedy: () =>
      'Remove the stray package (`pip uninstall flash-attn flash-attn-4`), since vLLM brings its own flash attention, or install the one built for this torch and GPU.',
    link: PAGES.flashAttention,
    retry: 'no',
  },
  {
    id: 'flash-attn-not-installed',
    category: 'missing_module',
    title: 'flash-attn is wanted and not installed',
    why: 'The attention that was asked for is in a package of its own.',
    pattern:
      /flash_?attn(?:\b| package).{0,60}(?:not installed|is not available)|FlashAttention-?\d? has been toggled on/i,
    samples: [
      'ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: the package flash_attn seems to be not installed.',
    ],
    remedy: () =>
      'Install the flash-attn that was built for this torch (`pip install flash-attn --no-build-isolation`), or ask for `attn_implementation=sdpa`.',
    link: PAGES.flashAttention,
    retry: 'no',
  },
  {
    id: 'flashinfer-missing',
    category: 'missing_module',
    title: 'FlashInfer is not installed',
    why: 'The chosen backend or sampler is in a package of its own.',
    pattern:
      /No module named '?(?<module>flashinfer[\w.]{0,80})|flashinfer\b.{0,60}(?:not installed|not found|not available|please install)/i,
    samples: ["ModuleNotFoundError: No module named 'flashinfer'"],
    remedy: () =>
      "Run `pip install flashinfer-python` in the server's environment, or choose another --attention-backend.",
    link: PAGES.attention,
    retry: 'no',
  },
  {
    id: 'deep-gemm-missing',
    category: 'missing_module',
    title: 'DeepGEMM is not installed, or too old',
    why: 'FP8 kernels of Hopper and newer GPUs are in a package of its own, which vLLM does not bring.',
    pattern: /DeepGEMM\b.{0,80}(?:not available|not installed|outdated)|No module named '?deep_gemm\b/i,
    samples: [
      'RuntimeError: DeepGEMM backend is not available or outdated. Please install or update the `deep_gemm` to a newer version to enable FP8 kernels.',
      "ModuleNotFoundError: No module named 'deep_gemm'",
    ],
    remedy: () =>
      "Install it into the server's environment (vLLM's `tools/install_deepgemm.sh` has the version that fits), or set VLLM_USE_DEEP_GEMM=0 in the recipe's environment.",
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'vllm-kernels-missing',
    category: 'binary_mismatch',
    title: "vLLM's own compiled part can't be loaded",
    why: 'The wheel was built for another torch or CUDA, or vLLM is imported from its source folder without having been built.',
    pattern:
      /No module named '?vllm\._\w{0,20}C\b|'_OpNamespace' '_\w{0,20}' object has no attribute|has no attribute '_(?:C|moe_C|rocm_C)\b/,
    samples: [
      "ModuleNotFoundError: No module named 'vllm._C'",
      "AttributeError: '_OpNamespace' '_C' object has no attribute 'rms_norm'",
      "AttributeError: '_OpNamespace' '_moe_C' object has no attribute 'topk_softmax'",
    ],
    remedy: () => `Start it outside of vLLM's source folder (\`directory\`), and ${FRESH}.`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'sgl-kernel-broken',
    category: 'binary_mismatch',
    title: "SGLang's compiled part can't be loaded",
    why: 'The sgl-kernel wheel was built for another torch or CUDA, or has nothing for this GPU.',
    pattern: /\[sgl_kernel\] CRITICAL|Could not load any common_ops library/,
    samples: ['ImportError: \n[sgl_kernel] CRITICAL: Could not load any common_ops library!\n\nAttempted locations:'],
    remedy: () =>
      'Install SGLang anew in a fresh environment (`pip install sglang`), so that torch and sgl-kernel are of one set; the end of the message says what was missing.',
    link: PAGES.sglangInstall,
    retry: 'no',
  },
  {
    id: 'transformers-mismatch',
    category: 'missing_module',
    title: "The installed transformers doesn't fit this vLLM",
    why: 'vLLM uses names that come and go with versions of transformers (or tokenizers, huggingface_hub).',
    pattern:
      /cannot import name '(?<name>\w{1,80})' from '(?<from>(?:transformers|tokenizers|huggingface_hub|mistral_common|compressed_tensors)[\w.]{0,100})'/,
    samples: [
      "ImportError: cannot import name 'AutoModelForVision2Seq' from 'transformers' (/venv/lib/python3.12/site-packages/transformers/__init__.py)",
    ],
    remedy: ({ name = '', from = '' }) =>
      `Run \`pip install -U vllm\` in a fresh environment, or pin ${from.split('.')[0]} to what this vLLM asks for (\`pip check\` says it): the installed one has no ${name}.`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'name-missing',
    category: 'missing_module',
    title: 'A package lacks a name that another one wants',
    why: 'Two packages of different times stand in one environment.',
    pattern: /cannot import name '(?<name>\w{1,80})' from (?:partially initialized module )?'(?<from>[\w.]{1,120})'/,
    samples: ["ImportError: cannot import name 'x' from 'vllm.utils' (/venv/vllm/utils.py)"],
    remedy: ({ name = '', from = '' }) =>
      `Install both from one set (\`pip install -U vllm\` in a fresh environment): the installed ${from} has no ${name}, so its version doesn't fit.`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'module-missing',
    category: 'missing_module',
    title: 'A Python package is missing',
    why: 'The environment that ran the command does not have it; often it is not the environment that was meant.',
    pattern: /No module named '?(?<module>[\w.]{1,120})/,
    samples: [
      "ModuleNotFoundError: No module named 'vllm'",
      '/usr/bin/python3: No module named vllm',
      'ImportError: No module named ray',
    ],
    remedy: ({ module = '' }) =>
      `Install ${module} into the environment that runs it, or activate the right one in the recipe's \`prelude\`; check with its own python (\`which vllm\`).`,
    link: PAGES.install,
    retry: 'no',
  },
  {
    id: 'package-missing',
    category: 'missing_module',
    title: 'A package is not installed, or not in the version that is wanted',
    why: 'A feature asks for a package that vLLM does not bring itself.',
    pattern:
      /PackageNotFoundError|^(?:ImportError|ModuleNotFoundError): (?<wanted>[\w.-]{1,60}) is required|[Pp]lease install (?<name>[\w.>=<~[\]-]{1,60}) (?:with|by|via|using|to|for)|is not installed\b/,
    samples: [
      'importlib.metadata.PackageNotFoundError: No package metadata was found for bitsandbytes',
      'ImportError: Please install bitsandbytes>=0.46.1 via `pip install bitsandbytes>=0.46.1` to use bitsandbytes quantizer.',
    ],
    remedy: ({ wanted, name }) =>
      `Install ${wanted ?? name ?? 'the package that the line names'} into the environment that runs it (\`pip install …\`).`,
    link: PAGES.install,
    retry: 'no',
  },
];
