/** What others print when something failed, and what may be said on the way: where nothing else is there, it means a stop. */

import { PAGES } from '../pages.ts';
import type { FollowUpRow } from '../row.ts';

export const CONSEQUENCE_ROWS: readonly FollowUpRow[] = [
  {
    id: 'interrupted',
    role: 'consequence',
    category: 'interrupted',
    title: 'It was interrupted',
    why: 'Somebody pressed Ctrl-C, or a signal asked the process to end.',
    pattern: /^(?:\w{1,40}\.){0,8}(?:KeyboardInterrupt|SignalException)\b/,
    shape: 'exception',
    samples: [
      'KeyboardInterrupt: terminated',
      'torch.distributed.elastic.multiprocessing.api.SignalException: Process 1137 got signal: 15',
    ],
    remedy: () =>
      'Launch again (`/vllm launch`, `/dflash train`) if nobody meant to stop it; `dmesg -T` and the scheduler of the host may say who did.',
    link: null,
    retry: 'helps',
    isStop: true,
  },
  {
    id: 'cancelled',
    role: 'consequence',
    category: 'interrupted',
    title: 'It was told to end',
    why: 'Another part of the program ended this one.',
    pattern: /^(?:\w{1,40}\.){0,8}(?:SystemExit|CancelledError|GeneratorExit)\b|^RuntimeError: cancelled$/,
    shape: 'exception',
    samples: ['asyncio.exceptions.CancelledError: x', 'SystemExit: 1', 'RuntimeError: cancelled'],
    remedy: () => 'Look at the lines above it (`/vllm logs`, `/dflash logs`): something else ended first.',
    link: null,
    retry: 'may help',
  },
  {
    id: 'connection-lost',
    role: 'consequence',
    category: 'unknown',
    title: 'Another process went away',
    why: 'The other end of a connection closed: that process ended first, and its own words are the cause.',
    pattern:
      /^(?:\w{1,40}\.){0,8}(?:BrokenPipeError|ConnectionResetError|ConnectionRefusedError|EOFError)\b|Connection (?:closed|reset) by peer|Broken pipe|remote process exit(?:ed|ing)|connection was closed/i,
    shape: 'exception',
    samples: [
      'RuntimeError: [gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:4321',
      'ConnectionResetError: [Errno 104] Connection reset by peer',
      'BrokenPipeError: [Errno 32] Broken pipe',
    ],
    remedy: () => 'Look for the process that ended first; `dmesg -T | grep -i oom` says whether the kernel killed it.',
    link: PAGES.distributed,
    retry: 'may help',
  },
  {
    id: 'shell-miss',
    role: 'consequence',
    category: 'bad_argument',
    title: 'The shell missed something on its way',
    why: 'A command of the script failed, and the script went on.',
    pattern:
      /^(?:\S{0,200}\/)?(?:[\w.-]{0,40}sh|env|setsid|nohup): .{0,400}(?:not found|Permission denied|No such file(?: or directory)?)$|^\S{0,200}sh(?::\d{1,6})?: (?:command not found|no such file or directory|permission denied): \S|^fish: Unknown command/,
    shape: 'line',
    samples: ['sh: 1: /sbin/ldconfig: not found', 'zsh:3: command not found: ldconfig'],
    remedy: () => "Correct the path in the recipe's `prelude` or argv, or drop that command.",
    link: null,
    retry: 'no',
  },
  {
    id: 'plugin-not-loaded',
    role: 'consequence',
    category: 'missing_module',
    title: 'A plugin of vLLM could not be loaded',
    why: 'vLLM logs that and goes on without it.',
    pattern: /Error: ./,
    inTraceback: /, in load_plugins_by_group\b/,
    shape: 'exception',
    samples: ["ModuleNotFoundError: No module named 'terratorch.vllm'"],
    frame: '  File "/x/vllm/plugins/__init__.py", line 49, in load_plugins_by_group',
    remedy: () => 'Install the plugin again for this vLLM, remove it, or name those that are wanted in VLLM_PLUGINS.',
    link: null,
    retry: 'no',
  },
];
