import { expect, test } from 'vitest';
import { trimTraceback } from '../../src/report/traceback.ts';

const HEAD = 'Traceback (most recent call last):';
const frame = (file: string, line: number) => [
  `  File "${file}", line ${line}, in f`,
  `    call(${line})`,
  '    ^^^^^^',
];

test('wrappers, carets and the folder of the packages go; the telling frames and the message stay', () => {
  const lines = [
    HEAD,
    ...frame('/usr/lib/python3.12/threading.py', 1),
    ...frame('/opt/venv/lib/python3.12/site-packages/vllm/v1/worker/gpu_worker.py', 2),
    ...frame('/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py', 3),
    'RuntimeError: two',
    'lines',
  ];
  expect(trimTraceback(lines)).toMatchInlineSnapshot(`
    "Traceback (most recent call last):
      … 2 outer or wrapping frames left out …
      File "vllm/v1/worker/gpu_worker.py", line 2, in f
        call(2)
    RuntimeError: two
    lines"
  `);
});

test('of many frames the innermost ones stay, and the rest is counted', () => {
  const lines = [HEAD, ...Array.from({ length: 30 }, (_, index) => frame('/app/a.py', index)).flat(), 'ValueError: x'];
  const text = trimTraceback(lines);
  expect(text).toContain('… 22 outer or wrapping frames left out …');
  expect(text).toContain('line 29');
  expect(text.endsWith('ValueError: x')).toBe(true);
});

test('a traceback of wrappers alone is shown as it is', () => {
  expect(trimTraceback([HEAD, ...frame('/usr/lib/python3.12/runpy.py', 7), 'SystemExit: 1'])).toContain('runpy.py');
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
