/** Causes in ports and addresses. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const PORT_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'port-in-use-internal',
    category: 'port_in_use',
    title: 'A port for talk between the ranks is taken',
    why: 'Ranks meet at a port of their own, not the HTTP port; a former start still holds it, or two starts chose the same.',
    pattern:
      /EADDRINUSE|errno: 98|server socket has failed to listen|launch distributed communication on port|ZMQError: Address already in use/i,
    beside: /TCPStore|server socket|DistNetworkError|EADDRINUSE|rendezvous|another process is utilizing it|ZMQError/i,
    samples: [
      'torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use',
    ],
    remedy: () =>
      'Launch again: such ports are often chosen anew. Else end what is left of a former start (`ss -ltnp`), or set another --master-port (torchrun: --master_port, or --standalone); for vLLM VLLM_PORT.',
    link: PAGES.variables,
    retry: 'helps',
  },
  {
    id: 'port-in-use',
    category: 'port_in_use',
    title: 'The port is taken',
    why: 'Another process listens there, often the former server.',
    pattern: /\[Errno 98\](?:[^\n]{0,80}\('[^'\n]{0,60}', (?<port>\d{1,5})\))?|Address already in use/i,
    samples: [
      "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
      'OSError: [Errno 98] Address already in use',
      "OSError: [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): [errno 98] address already in use",
    ],
    remedy: ({ port }) =>
      `Stop the process that listens there, often the former server, or choose another --port: \`ss -ltnp${port === undefined ? '' : ` 'sport = :${port}'`}\` names it.`,
    link: PAGES.serve,
    retry: 'may help',
  },
  {
    id: 'address-not-local',
    category: 'bad_argument',
    title: "The server can't listen on that address",
    why: 'The address is not one of this host, or a port below 1024 is not allowed to this user.',
    pattern:
      /\[Errno 99\]|Cannot assign requested address|\[Errno 13\] error while attempting to bind|error while attempting to bind[^\n]{0,80}permission denied/i,
    samples: [
      "[Errno 99] error while attempting to bind on address ('192.0.2.9', 8000): cannot assign requested address",
      "[Errno 13] error while attempting to bind on address ('0.0.0.0', 80): permission denied",
    ],
    remedy: () => 'Correct --host (0.0.0.0 is every address of the host), or choose a --port from 1024 on.',
    link: PAGES.serve,
    retry: 'no',
  },
];
