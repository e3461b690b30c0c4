/** Causes in how ranks find each other: names, network cards, stores. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const NODE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'nodes-unreachable',
    category: 'nccl_error',
    title: 'A node can not be reached from another one',
    why: 'The ranks talk over the network between the nodes, and there is no way: the wrong address or network card, or a firewall.',
    pattern: /No route to host|Network is unreachable/i,
    beside: /gloo|TCPStore|c10d|\bnccl|rendezvous|DistNetworkError/i,
    samples: [
      'RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [10.0.0.2]:43121: No route to host',
    ],
    remedy: () =>
      'Check from node to node (`ping`, `nc -vz ADDRESS PORT`); set NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME and VLLM_HOST_IP to the card and address that they share.',
    link: PAGES.distributed,
    retry: 'may help',
  },
  {
    id: 'gloo-no-interface',
    category: 'nccl_error',
    title: 'A rank finds no network card for its own host name',
    why: "Ranks meet at the address that the host's name stands for, and no network card of the host has it.",
    pattern: /Unable to find (?:interface|address) for/,
    samples: [
      'RuntimeError: [enforce fail at /pytorch/third_party/gloo/gloo/transport/tcp/device.cc:84] ifa != nullptr. Unable to find interface for: [0.0.12.34]',
      'RuntimeError: [enforce fail at ../third_party/gloo/gloo/transport/tcp/device.cc:83] ifa != nullptr. Unable to find address for: eth9',
    ],
    remedy: () =>
      "Set GLOO_SOCKET_IFNAME and NCCL_SOCKET_IFNAME in the recipe's environment to a card that the host has (`ip -br addr`; `lo` on one node), or correct the host's name in `/etc/hosts`.",
    link: PAGES.distributed,
    retry: 'no',
  },
  {
    id: 'gloo-mesh-failed',
    category: 'nccl_error',
    title: 'The ranks could not connect to each other',
    why: 'Each rank opens a connection to every other one over TCP: a firewall or the wrong network card stands between.',
    pattern: /connectFullMesh failed/,
    samples: [
      'RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error',
    ],
    remedy: () =>
      'Set GLOO_SOCKET_IFNAME, NCCL_SOCKET_IFNAME and VLLM_HOST_IP on every node to the card and address that the nodes share (`ip -br addr`), and open all ports between them.',
    link: PAGES.distributed,
    retry: 'may help',
  },
  {
    id: 'store-timeout',
    category: 'nccl_timeout',
    title: 'Not all ranks found each other',
    why: 'Each rank meets the others at one address at the start; some never came, or could not reach it.',
    pattern:
      /DistStoreError|(?:TCPStore|client socket|rendezvous)\b.{0,200}(?:timed out|timeout)|Timed out after \d{1,6} seconds waiting for clients|RendezvousTimeoutError/is,
    samples: [
      'torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.',
      'torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.0.0.1, 29500).',
    ],
    remedy: () =>
      'See that every node was started, with the same world size, and that they reach each other: --master-addr / VLLM_HOST_IP and the network card (NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME), no firewall between.',
    link: PAGES.distributed,
    retry: 'may help',
    endsServer: true,
  },
];
