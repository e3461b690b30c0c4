import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../src/diagnosis/fingerprint.ts';
import type { Trouble } from '../../src/log/events.ts';

type Failure = Pick<Trouble, 'type' | 'message' | 'traceback'>;

/** A rank that runs out of memory, with all that differs from run to run. */
function oom({
  gib,
  gpu,
  pid,
  root,
  line,
}: Record<'gib' | 'gpu' | 'pid' | 'line', number> & { root: string }): Failure {
  const message = `CUDA out of memory. Tried to allocate ${gib}.50 GiB. GPU ${gpu} has a total capacity of 79.18 GiB of which ${gib}.12 MiB is free. Process ${pid} has 0x${pid.toString(16)} in use by '${root}'`;
  const text = [
    'Traceback (most recent call last):',
    `  File "${root}/train_${gpu}.py", line ${line}, in main`,
    `  File "${root}/venv/lib/python3.12/site-packages/torch/nn/modules/module.py", line ${line}, in _call_impl`,
    `  File "${root}/speculators/model.py", line ${line + 7}, in forward`,
    `torch.OutOfMemoryError: ${message}`,
  ];
  return { type: 'torch.OutOfMemoryError', message, traceback: { first: line, last: line + 5, text } };
}

const place = fc.record({
  gib: fc.integer({ min: 1, max: 900 }),
  gpu: fc.integer({ min: 0, max: 7 }),
  pid: fc.integer({ min: 1, max: 4_194_304 }),
  line: fc.integer({ min: 1, max: 100_000 }),
  root: fc.constantFrom('/root', '/home/ada/dflash', '/workspace/run-7', '/mnt/nvme0/a.b_c/x', '/opt/v0.20.1'),
});

describe('the fingerprint of a failure', () => {
  it('is 12 hex digits, the same wherever, whenever and with whatever numbers it happens', () => {
    const known = fingerprintOf(oom({ gib: 1, gpu: 0, pid: 7, line: 9, root: '/root' }), 'rank-oom');
    expect(known).toMatch(/^[\da-f]{12}$/);
    fc.assert(fc.property(place, (where) => fingerprintOf(oom(where), 'rank-oom') === known));
  });

  it('is another one for another row, class, message or place in the code', () => {
    fc.assert(
      fc.property(place, fc.constantFrom('row', 'type', 'message', 'frame'), (where, what) => {
        const one = oom(where);
        const { traceback } = one;
        const other: Record<typeof what, Failure> = {
          row: one,
          type: { ...one, type: 'RuntimeError' },
          message: { ...one, message: `${one.message} while capturing` },
          frame: {
            ...one,
            traceback: traceback && {
              ...traceback,
              text: traceback.text.map((each) => each.replace(/forward$/, 'loss')),
            },
          },
        };
        return fingerprintOf(one, 'rank-oom') !== fingerprintOf(other[what], what === 'row' ? 'gpu-oom' : 'rank-oom');
      }),
    );
  });

  it.each([
    ["No module named 'flash_attn.ops'", 'DP adjusted local rank 3 is out of bounds'],
    ['NCCL error: unhandled cuda error', 'NCCL error: unhandled system error'],
    ['illegal memory access was encountered', 'device-side assert triggered'],
    ["No module named 'datasets'", "No module named 'ray'"],
    ["[Errno 2] No such file: '/a/config.json'", "[Errno 2] No such file: '/a/tokenizer.json'"],
  ])('tells %j from %j', (one, other) => {
    const [a, b] = [one, other].map((message) =>
      fingerprintOf({ type: 'RuntimeError', message, traceback: null }, 'unknown'),
    );
    expect(a).not.toBe(b);
  });

  it.each([
    [
      '(APIServer pid=7) port 8000 of 10.0.0.1:29500 is taken',
      '(APIServer pid=91234) port 80 of 192.0.2.44:1 is taken',
    ],
    ["[Errno 2] No such file: '/root/a b/config.json'", "[Errno 2] No such file: '/models/x/config.json'"],
    [
      'failed (exitcode: -9) local_rank: 2 (pid: 31042) of binary: /venv/bin/python',
      'failed (exitcode: -9) local_rank: 0 (pid: 7) of binary: /usr/bin/python3',
    ],
    ['symbol 7f3a9bd4c0de at 0x7ffd11', 'symbol 55aa00bb11cc at 0x1'],
    ['Tried to allocate 250.00 MiB', 'Tried to allocate 3.79 GiB'],
    ['trying to connect to (10.0.0.1, 29500).', 'trying to connect to (kpro5, 29501).'],
    ['no answer of gpu-1.example.com:29500', 'no answer of trainer:29400'],
    ['(Request ID: Root=1-68f0a1d7-3b1c55f9;abc-de)', '(Request ID: Root=1-78f0a1d7-4b1c55f9;fff-12)'],
    ['of 0b6e2f5a-71c9-5d0e-9a44-2f6c8d1e3b70', 'of deadbeef-71c9-5d0e-9a44-aaaaaaaaaaaa'],
    ['memory (9.3 GiB) since Nov 30 20:22:33', 'memory (-1.25 GiB) since Dec  1 01:02:03'],
    ['a rate of 1e-05 at [::1]:80', 'a rate of 3.4E+10 at [fe80::1ab]:443'],
  ])('takes %j and %j for the same', (one, other) => {
    const [a, b] = [one, other].map((message) => fingerprintOf({ type: null, message, traceback: null }, 'x'));
    expect(a).toBe(b);
  });

  it('does not change when torch moves its class', () => {
    const [a, b] = ['torch.cuda.OutOfMemoryError', 'torch.OutOfMemoryError'].map((type) =>
      fingerprintOf({ type, message: 'CUDA out of memory.', traceback: null }, 'gpu-oom'),
    );
    expect(a).toBe(b);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string()), (message, type) =>
        /^[\da-f]{12}$/.test(fingerprintOf({ type, message, traceback: { first: 1, last: 2, text: [message] } }, 'x')),
      ),
    );
  });
});
