/** NCCL's RAS server: what it tells of a communicator whose ranks have not launched the same operations. */
import { createServer } from 'node:net';

const usual = { host: '127.0.0.1', port: 28_028 };

/**
 * Listens where NCCL_RAS_ADDR says, else where NCCL does; one such port a host: where it is taken nobody is told anything.
 * `pids` by rank; the last rank of them is behind. Resolves when it listens.
 */
export async function serveRas({ pids, counts }) {
  const { host, port } = addressOf(process.env.NCCL_RAS_ADDR ?? '');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let asked = '';
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      if (/^(VERBOSE )?STATUS\s*$/m.test(asked)) socket.end(render({ pids, counts }));
      else if (asked.length > 1024) socket.destroy();
    });
  });
  await new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, resolve);
  });
}

function addressOf(text) {
  const at = text.lastIndexOf(':');
  return at === -1 ? usual : { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

function render({ pids, counts }) {
  const ranks = pids.length;
  const behind = ranks - 1;
  const column = (text, width) => String(text).padStart(width);
  const differences = counts.map(({ operation, ahead, behind: less }) =>
    [
      `  Communicator ranks have different ${operation} operation counts`,
      ...pids.map(
        (pid, rank) =>
          `  Rank ${rank} has launched up to operation ${rank === behind ? less : ahead} -- GPU ${rank} managed by process ${pid} on node 192.0.2.2`,
      ),
    ].join('\n'),
  );
  return `SERVER PROTOCOL 2
NCCL version 2.28.9 compiled with CUDA 13.0
CUDA runtime version 13000, driver version 13000

Job summary
===========

  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
${column(1, 7)}${column(ranks, 11)}${column(1, 13)}${column(ranks, 11)}${column(ranks, 9)}

Communicators... (0.000s)
=============

Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
    #  in group  per comm  per node  per comm  in group
${column(0, 5)}${column(1, 10)}${column(1, 10)}${column(ranks, 10)}${column(ranks, 10)}${column(ranks, 10)}   RUNNING  MISMATCH

Errors
======

Warnings
========

#0-0 (c5166918fae42a69) MISMATCH
${differences.join('\n\n')}

`;
}
