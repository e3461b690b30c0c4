import { expect, test } from 'vitest';
import { trimTraceback } from '../../src/report/traceback.ts';

const HEAD = 'Traceback (most recent call last):';
const PACKAGES = '/opt/venv/lib/python3.12/site-packages';
const frame = (file: string, line: number) => [
  `  File "${file}", line ${line}, in f`,
  `    call(${line})`,
  '    ^^^^^^',
];

test('wrappers, carets and the folder of the packages go; the telling frames and the message stay', () => {
  const lines = [
    HEAD,
    ...frame('/usr/lib/python3.12/threading.py', 1),
    ...frame(`${PACKAGES}/vllm/v1/worker/gpu_worker.py`, 2),
    ...frame(`${PACKAGES}/torch/nn/modules/module.py`, 3),
    ...frame(`${PACKAGES}/vllm/model_executor/models/qwen3.py`, 4),
    ...frame(`${PACKAGES}/vllm/attention/layer.py`, 5),
    ...frame(`${PACKAGES}/torch/_ops.py`, 6),
    ...frame(`${PACKAGES}/torch/_jit.py`, 7),
    ...frame(`${PACKAGES}/flash_attn/interface.py`, 8),
    'RuntimeError: two',
    'lines',
  ];
  expect(trimTraceback(lines)).toMatchInlineSnapshot(`
    "Traceback (most recent call last):
      … 1 outer frame left out …
      File "vllm/v1/worker/gpu_worker.py", line 2, in f
        call(2)
      … 1 frame left out …
      File "vllm/model_executor/models/qwen3.py", line 4, in f
        call(4)
      File "vllm/attention/layer.py", line 5, in f
        call(5)
      File "torch/_ops.py", line 6, in f
        call(6)
      … 1 frame left out …
      File "flash_attn/interface.py", line 8, in f
        call(8)
    RuntimeError: two
    lines"
  `);
});

test("the user's own script stays, its launcher and the event loop go", () => {
  const lines = [
    HEAD,
    ...frame('/opt/venv/bin/accelerate', 1),
    ...frame(`${PACKAGES}/accelerate/commands/launch.py`, 2),
    ...frame('/usr/lib/python3.12/asyncio/runners.py', 3),
    ...frame('<frozen runpy>', 4),
    ...frame('/srv/train.py', 5),
    ...frame(`${PACKAGES}/transformers/trainer.py`, 6),
    'KeyError: 1',
  ];
  const text = trimTraceback(lines);
  expect(text.match(/File "[^"]+"/g)).toEqual(['File "/srv/train.py"', 'File "transformers/trainer.py"']);
  expect(text).toContain('… 4 outer frames left out …');
});

test('of many frames the innermost ones stay, and the rest is counted', () => {
  const lines = [HEAD, ...Array.from({ length: 30 }, (_, index) => frame('/app/a.py', index)).flat(), 'ValueError: x'];
  const text = trimTraceback(lines);
  expect(text).toContain('… 26 outer frames left out …');
  expect(text).toContain('line 29');
  expect(text.endsWith('ValueError: x')).toBe(true);
});

test('a traceback of wrappers alone is shown as it is', () => {
  expect(trimTraceback([HEAD, ...frame('/usr/lib/python3.12/runpy.py', 7), 'SystemExit: 1'])).toContain('runpy.py');
});

test('one whose first lines were cut shows the frames that are left', () => {
  const text = trimTraceback(['  ...', '    lost()', ...frame('/app/a.py', 9), 'ValueError: x']);
  expect(text).toBe('  ...\n  File "/app/a.py", line 9, in f\n    call(9)\nValueError: x');
});

test('of a message that quotes another traceback the frames of that one are shown', () => {
  const lines = [
    HEAD,
    ...frame('/srv/train.py', 1),
    'RuntimeError: Caught ValueError in DataLoader worker process 0.',
    `Original ${HEAD}`,
    ...frame('/srv/data.py', 2),
    'ValueError: odd',
  ];
  expect(trimTraceback(lines)).toMatchInlineSnapshot(`
    "RuntimeError: Caught ValueError in DataLoader worker process 0.
      … its own frames left out …
    Original Traceback (most recent call last):
      File "/srv/data.py", line 2, in f
        call(2)
    ValueError: odd"
  `);
});

test('the exception that it hangs on is named in a line', () => {
  const lines = [HEAD, ...frame('/srv/a.py', 1), 'ValueError: x'];
  const text = (how: 'cause' | 'group') => trimTraceback(lines, { line: 12, how, what: "KeyError: 'a'" });
  expect(text('cause').split('\n').at(-1)).toBe("  (raised from KeyError: 'a', line 12)");
  expect(text('group').split('\n').at(-1)).toBe("  (one of those in KeyError: 'a', line 12)");
});

test('a C++ stack is cut to its first telling frames', () => {
  const native = (n: number, name: string) => `frame #${n}: ${name} + 0x9d (0x7f in /opt/torch/lib/libtorch.so)`;
  const lines = [
    HEAD,
    ...frame('/srv/a.py', 1),
    'torch.distributed.DistBackendError: NCCL error',
    'Exception raised from create at /x/NCCLUtils.hpp:268 (most recent call first):',
    native(0, 'c10::Error::Error(c10::SourceLocation)'),
    native(1, '<unknown function>'),
    ...Array.from({ length: 40 }, (_, n) => native(n + 2, `c10d::f${n}()`)),
  ];
  const text = trimTraceback(lines);
  expect(text.match(/^frame #.*c10d::f\d+/gm)).toHaveLength(3);
  expect(text).toContain('… 39 C++ frames left out …');
});

test('the message survives any number of chained parts', () => {
  const chain = Array.from({ length: 60 }, () => [
    HEAD,
    ...frame('/app/a.py', 1),
    'KeyError: 1',
    '',
    'During handling:',
    '',
  ]).flat();
  const text = trimTraceback([...chain, HEAD, ...frame('/app/b.py', 9), `OSError: ${'last '.repeat(50)}`]);
  expect(text.length).toBeLessThanOrEqual(2400);
  expect(text).toContain('OSError: last');
});
