import { describe, expect, test } from 'vitest';
import { ranksBehind, standingMismatches } from '../../src/pulse/mismatch.ts';
import { parseRas } from '../../src/pulse/ras.ts';
import { RAS_TEXT } from './samples.ts';

const RANKS = [1182, 1183];

/** As NVIDIA's documentation shows it: of 32 ranks the six that are behind. */
const MANY = `NCCL version 2.26.2 compiled with CUDA 12.8
Warnings
========

#0-0 (27a079b828ff1a75) MISMATCH
  Communicator ranks have different collective operation counts
  26 ranks have launched up to operation 6650
  6 ranks have launched up to operation 6649
  Rank 0 -- GPU 0 managed by process 483072 on node 172.16.64.210
  Rank 2 -- GPU 2 managed by process 483074 on node 172.16.64.210

`;
const DEAD = `SERVER PROTOCOL 2
NCCL version 2.28.9 compiled with CUDA 13.0
Errors
======

DEAD
  1 job process is considered dead (unreachable via the RAS network)
  Process 1183 on node 172.16.64.213 managing GPU 5

#0-0 (cf264af53edbe986) INCOMPLETE
  Missing communicator data from 1 rank
  Rank 1 -- GPU 5 managed by process 1183 on node 172.16.64.213

Warnings
========

#0-0 (cf264af53edbe986) MISMATCH
  Communicator ranks have different status
  Rank 0 has status RUNNING -- GPU 0 managed by process 1182 on node 172.16.64.213
  7 ranks have not launched any operations
`;

describe('what RAS says', () => {
  test('names the counts of each rank, by operation', () => {
    expect(parseRas(RAS_TEXT, RANKS)).toEqual({
      troubles: [],
      mismatches: [
        {
          communicator: 'c5166918fae42a69',
          operation: 'Broadcast',
          lowest: 32,
          highest: 33,
          ranks: [
            { rank: 0, count: 33, pid: 1182, gpu: '0' },
            { rank: 1, count: 32, pid: 1183, gpu: '1' },
          ],
        },
        {
          communicator: 'c5166918fae42a69',
          operation: 'AllReduce',
          lowest: 90,
          highest: 93,
          ranks: [
            { rank: 0, count: 93, pid: 1182, gpu: '0' },
            { rank: 1, count: 90, pid: 1183, gpu: '1' },
          ],
        },
      ],
    });
  });

  test('is none of this run’s where all pids are another job’s', () => {
    expect(parseRas(RAS_TEXT, [4711])).toBeNull();
    expect(parseRas(DEAD, [4711])).toBeNull();
  });

  test('of ranks on several hosts names the host: a pid means nothing without it', () => {
    const text = RAS_TEXT.replaceAll(/(process 1183 on node) \S+/g, '$1 192.0.2.3');
    const [mismatch] = parseRas(text, [1182])?.mismatches ?? [];
    expect(mismatch?.ranks.map(({ node }) => node)).toEqual(['192.0.2.2', '192.0.2.3']);
  });

  test('of many ranks names those that differ', () => {
    const [mismatch] = parseRas(MANY, [483074])?.mismatches ?? [];
    expect(mismatch).toMatchObject({ operation: 'collective', lowest: 6649, highest: 6650 });
    expect(mismatch && ranksBehind(mismatch)).toMatchObject([{ rank: 0, count: 6649, pid: 483072 }, { rank: 2 }]);
  });

  test('of level ranks is empty, and proves nothing', () => {
    const level = RAS_TEXT.slice(0, RAS_TEXT.indexOf('#0-0'));
    expect(parseRas(level, RANKS)).toEqual({ mismatches: [], troubles: [] });
  });

  test('tells ranks that are dead or missing', () => {
    expect(parseRas(DEAD, RANKS)?.troubles).toEqual([
      'Process 1183 (GPU 5) has given NCCL no answer for a minute: it counts as dead.',
      'Rank 1 (pid 1183, GPU 5) gives NCCL no answer.',
    ]);
  });

  test('a rank that has launched nothing is behind', () => {
    const none = RAS_TEXT.replace(' launched up to operation 90', ' not launched any operations');
    const mismatch = parseRas(none, RANKS)?.mismatches[1];
    expect(mismatch && ranksBehind(mismatch)).toMatchObject([{ rank: 1, count: 0 }]);
  });

  test.each(['', 'HTTP/1.1 400 Bad Request\n', 'NCCL', `${'\u0000'.repeat(9)}\n`, '#0-0 (c5) MISMATCH\n'.repeat(9)])(
    'that is no RAS says nothing: %j',
    (text) => {
      expect(parseRas(text, RANKS)).toBeNull();
    },
  );

  test('cut anywhere never names a number that it did not say', () => {
    for (let length = 0; length < RAS_TEXT.length; length += 1) {
      for (const { ranks } of parseRas(RAS_TEXT.slice(0, length), RANKS)?.mismatches ?? [])
        for (const { count } of ranks) expect([32, 33, 90, 93]).toContain(count);
    }
  });

  test('bounds what a hostile answer may hold', () => {
    const rank = (count: number) =>
      `Rank ${count} has launched up to operation ${count} -- GPU 0 managed by process 1182 on node n\n`;
    const one = `#0-0 (c5) MISMATCH\nCommunicator ranks have different AllReduce operation counts\n${[1, 2, 3].map(rank).join('')}`;
    const view = parseRas(`NCCL version 2\n${one.repeat(2000)}`, RANKS);
    expect(view?.mismatches.length).toBe(8);
    const wide = parseRas(`NCCL version 2\n${one}${Array.from({ length: 900 }, (_, n) => rank(n)).join('')}\n`, RANKS);
    expect(wide?.mismatches[0]?.ranks.map(({ count }) => count).slice(0, 2)).toEqual([0, 1]);
    expect(wide?.mismatches[0]?.ranks.length).toBe(16);
  });
});

test('a last rank that stands at its count in two looks is a standing mismatch, one that has gone on is none', () => {
  const view = parseRas(RAS_TEXT, RANKS);
  const grown = parseRas(RAS_TEXT.replace('operation 90', 'operation 91'), RANKS);
  expect(standingMismatches(view, view)).toHaveLength(2);
  expect(standingMismatches(view, grown).map(({ operation }) => operation)).toEqual(['Broadcast']);
  expect(standingMismatches(null, view)).toEqual([]);
});
