/** Causes in single settings: a value that is not allowed, a file that is not there. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const SETTING_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'config-file-unreadable',
    category: 'bad_argument',
    title: 'The configuration file is no valid YAML',
    why: 'The file behind --config is read before anything else, and a line of it is not YAML: a missing quote, a tab, or a colon in a value.',
    pattern: /^yaml\.\w{1,20}\.\w{1,20}Error\b(?:[\s\S]{0,600}?line (?<line>\d{1,6}))?/,
    shape: 'exception',
    samples: [
      'yaml.scanner.ScannerError: mapping values are not allowed here\n  in "/etc/vllm.yaml", line 4, column 22',
    ],
    remedy: ({ line }) =>
      `Mend the file that --config names${line === undefined ? '' : ` near line ${line}`}: quote values that hold a colon, indent with blanks.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'trust-remote-code',
    category: 'bad_argument',
    title: "The model's own code may not run",
    why: 'The model brings Python code of its own, which is run only where that is allowed.',
    pattern: /(?:pass|set|setting|requires) .{0,60}trust[_-]remote[_-]code|contains custom code which must be executed/,
    samples: [
      'ValueError: The repository for org/model contains custom code which must be executed to correctly load the model. You can inspect the repository content at https://hf.co/org/model. Please pass the argument `trust_remote_code=True` to allow custom code to be run.',
      'RuntimeError: Failed to load the model config. If the model is a custom model not yet available in the HuggingFace transformers library, consider setting `trust_remote_code=True` in LLM or using the `--trust-remote-code` flag in the CLI.',
    ],
    remedy: () =>
      "Add --trust-remote-code to the recipe's argv, once somebody has read that code; else use a model without any.",
    link: PAGES.customModels,
    retry: 'no',
  },
  {
    id: 'vllm-port-is-uri',
    category: 'bad_argument',
    title: 'The variable VLLM_PORT holds a URI',
    why: 'Kubernetes sets VLLM_PORT for a service that is named `vllm`; vLLM takes it for a port of its own.',
    pattern: /VLLM_PORT '(?<value>[^'\n]{0,200})' appears to be a URI/,
    samples: [
      "ValueError: VLLM_PORT 'tcp://10.0.0.12:8000' appears to be a URI. This may be caused by a Kubernetes service discovery issue",
    ],
    remedy: ({ value = '' }) =>
      `Rename the Kubernetes service, or unset VLLM_PORT in the recipe's \`prelude\`: it is \`${value}\`. The HTTP port is --port.`,
    link: PAGES.variables,
    retry: 'no',
  },
  {
    id: 'gpu-utilization-out-of-range',
    category: 'bad_argument',
    title: 'gpu_memory_utilization is no share between 0 and 1',
    why: 'The value is a fraction of the whole GPU memory.',
    pattern:
      /GPU memory utilization must be (?:less than|between).{0,20}?Got\s{1,3}(?<got>[\d.-]{1,12})|gpu_memory_utilization\s{1,3}Input should be/s,
    samples: [
      'ValueError: GPU memory utilization must be less than 1.0. Got 90.0.',
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for CacheConfig\ngpu_memory_utilization\n  Input should be less than or equal to 1',
    ],
    remedy: ({ got }) =>
      `Set --gpu-memory-utilization to a value like 0.9${got === undefined ? '' : `; it is ${got.replace(/\.$/, '')}`}.`,
    link: PAGES.arguments,
    retry: 'no',
  },
  {
    id: 'swap-space-too-large',
    category: 'bad_argument',
    title: 'The CPU swap space is larger than the host allows',
    why: 'Old versions keep --swap-space GiB of host memory for each GPU.',
    pattern: /Too large swap space\.(?: (?<said>[\d.]{1,10} GiB out of (?:the )?[\d.]{1,10} GiB))?/,
    samples: [
      'ValueError: Too large swap space. 16.00 GiB out of the 15.51 GiB total CPU memory is allocated for the swap space.',
    ],
    remedy: ({ said }) =>
      `Lower --swap-space (0 turns it off)${said === undefined ? '' : `: it asks for ${said} of host memory`}.`,
    link: PAGES.arguments,
    retry: 'no',
  },
  {
    id: 'parser-unknown',
    category: 'bad_argument',
    title: 'The tool or reasoning parser is not one that this version has',
    why: 'Parsers have names of their own, and newer ones need a newer vLLM.',
    pattern: /invalid (?<which>tool call|reasoning) parser: (?<name>[^\s(]{1,80})/,
    samples: [
      "KeyError: 'invalid tool call parser: qwen3 (chose from { granite,hermes,jamba })'",
      "KeyError: 'invalid reasoning parser: qwen4 (chose from { deepseek_r1,qwen3 })'",
    ],
    remedy: ({ which = '', name = '' }) =>
      `Give ${which === 'reasoning' ? '--reasoning-parser' : '--tool-call-parser'} a name from the list in the message; it got \`${name}\`. Or upgrade vLLM.`,
    link: PAGES.tools,
    retry: 'no',
  },
  {
    id: 'argument-needs-another',
    category: 'bad_argument',
    title: 'An argument needs another one beside it',
    why: 'One flag works only together with a second one.',
    pattern:
      /(?<flag>--[\w-]{1,60}) requires (?<other>--[\w-]{1,60}|launching with torchrun)|(?<wanted>render_endpoint) is required/,
    samples: [
      'TypeError: Error: --enable-auto-tool-choice requires --tool-call-parser',
      'ValueError: --fsdp-shard requires launching with torchrun/distributed training; otherwise parameters are not sharded.',
      'ValueError: render_endpoint is required to convert natural-language conversations to speculator training rows',
    ],
    remedy: ({ flag, other, wanted }) =>
      wanted === undefined
        ? `Add ${other} to the recipe's argv, or drop ${flag}.`
        : 'Add --render-endpoint with the address of a server that is up (without `/v1`): it turns conversations into tokens.',
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'chat-template-missing',
    category: 'bad_argument',
    title: 'The chat template is not there',
    why: '--chat-template names a file that the server can not open.',
    pattern: /chat template \((?<file>.{1,200}?)\) looks like a file path, but it failed to be\s{1,2}opened/,
    samples: [
      'ValueError: The supplied chat template (/models/qwen.jinja) looks like a file path, but it failed to be opened. Reason: [Errno 2] No such file or directory',
    ],
    remedy: ({ file = '' }) =>
      `Correct --chat-template: \`${file}\` can't be opened on the host. \`ls\` it as the user who logs in.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'lora-rank-too-small',
    category: 'bad_argument',
    title: "The LoRA's rank is larger than allowed",
    why: 'Memory for adapters is reserved by --max-lora-rank.',
    pattern: /LoRA rank (?<rank>\d{1,6}) is greater than max_lora_rank\s{1,2}(?<allowed>\d{1,6})/,
    samples: ['ValueError: LoRA rank 64 is greater than max_lora_rank 16.'],
    remedy: ({ rank = '', allowed = '' }) => `Raise --max-lora-rank from ${allowed} to ${rank} or more.`,
    link: PAGES.lora,
    retry: 'no',
  },
  {
    id: 'script-not-found',
    category: 'bad_argument',
    title: 'The script that Python was to run is not there',
    why: 'The path is wrong, or relative to another folder than the one it starts in.',
    pattern: /can't open file '(?<file>[^'\n]{1,300})'/,
    samples: ["python: can't open file '/root/serve.py': [Errno 2] No such file or directory"],
    remedy: ({ file = '' }) =>
      `Correct the path in the recipe's argv, or its \`directory\`: \`${file}\` is not on the host.`,
    link: null,
    retry: 'no',
  },
];
