import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';

function read(...lines: string[]): LogEvent[] {
  const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
  const { events } = reader.feed(new TextEncoder().encode(lines.join('\n')));
  return [...events, ...reader.end().events];
}

const facts = (events: readonly LogEvent[]) =>
  Object.fromEntries(events.flatMap((event) => (event.kind === 'fact' ? [[event.key, event.value]] : [])));
const records = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.kind === 'record' ? [{ line: event.line, ...event.record }] : []));

const RECORD = [
  '[09:08:33] INFO     train/loss=7.105, train/full_acc=0.111,       trainer.py:498',
  '                    profile/tokens_per_s=5.62e+03, epoch=0,                     ',
  '                    lr=2.50e-04, global_step=20                                 ',
];
const WHOLE = { line: 1, step: 20, epoch: 0, loss: 7.105, accuracy: 0.111, tokensPerSecond: 5620 };

describe('a record of rich', () => {
  it('is one metric record however often it is wrapped, told at its first line', () => {
    expect(records(read(...RECORD, ''))).toEqual([WHOLE]);
  });

  it('is told as soon as its last value stands there, without waiting for the next one', () => {
    const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
    const { events } = reader.feed(new TextEncoder().encode(`${RECORD.join('\n')}\n`));
    expect(records(events)).toEqual([WHOLE]);
  });

  it('does not count when the file ends inside it', () => {
    expect(records(read(...RECORD))).toEqual([]);
    expect(records(read(...RECORD.slice(0, 2), ''))).toEqual([]);
  });

  it('stays one although the target server and a launcher write between its lines', () => {
    const between = [
      '(APIServer pid=30410) INFO:     127.0.0.1:56082 - "POST /v1/completions HTTP/1.1" 200 OK',
      'W0814 02:16:39.882000 30981 torch/distributed/elastic/multiprocessing/api.py:908] Sending process 3 closing',
    ];
    const [first = '', ...more] = RECORD;
    expect(records(read(first, ...between, ...more, ''))).toEqual([WHOLE]);
  });

  it('with a value that is cut at the edge is told when the value is whole', () => {
    const found = read(
      '[17:52:00] INFO     train/loss=9.250,            trainer.py:498',
      '                    train/full_acc=0.050,                      ',
      '                    train/position_3_acc=1.67e-0               ',
      '                    4, epoch=0, lr=1.00e-04,                   ',
      '                    global_step=12                             ',
      '',
    );
    expect(records(found)).toMatchObject([{ step: 12, epoch: 0, loss: 9.25 }]);
  });

  it.each([80, 200])('that holds a traceback tells its exception, at %i columns', (width) => {
    const narrow = width === 80;
    const found = read(
      `[10:35:05] ERROR    Data generation failed         ${' '.repeat(width - 80)}data_generation_offline.py:458`,
      ...(narrow
        ? ['                    Traceback (most recent call   ', '                    last):                        ']
        : ['                    Traceback (most recent call last):     ']),
      '                      File "offline.py", line 9, in main',
      '                    RuntimeError: Aborting: 32    ',
      '                    consecutive samples errored out.',
      'Stopping vLLM server...',
    );
    const troubles = found.flatMap((event) => (event.kind === 'trouble' ? [event.trouble] : []));
    const line = narrow ? 5 : 4;
    const message = 'Aborting: 32\nconsecutive samples errored out.';
    expect(troubles).toMatchObject([
      { line, type: 'RuntimeError', process: null, message, traceback: { first: 2, last: line + 1 } },
    ]);
  });

  it('below ERROR tells no exception', () => {
    const found = read(
      '[10:35:05] WARNING  Could not read the cache           data.py:301',
      '                    Traceback (most recent call last):',
      '                      File "data.py", line 9, in read',
      '                    ValueError: x',
      'Done',
    );
    expect(found.filter(({ kind }) => kind === 'trouble')).toEqual([]);
  });

  it('keys of 0.5 hold blanks, at which they are wrapped', () => {
    const found = read(
      '           INFO     train/loss=4.387, train/full_acc=0.145, train/position trainer.py:220',
      '                    1 acc=0.465, epoch=2, lr=2.10e-04, global_step=0',
      '',
    );
    expect(records(found)).toMatchObject([{ step: 0, epoch: 2, loss: 4.387 }]);
  });

  it('of a path joins what was cut behind a slash or at the edge', () => {
    const saved = read(
      '[09:11:27] INFO     Checkpoint saved to                           trainer.py:612',
      '                    /workspace/dflash/out/a-rather-long-run-name/               ',
      '                    checkpoints/0                                               ',
      '           INFO     Found checkpoint at                           trainer.py:612',
      '                    /workspace/dflash/out/an-even-longer-run-name               ',
      '                    -of-mine/checkpoints/4.                                     ',
      '',
    );
    expect(facts(saved)).toEqual({
      checkpoint: '/workspace/dflash/out/a-rather-long-run-name/checkpoints/0',
      resumed_from: '/workspace/dflash/out/an-even-longer-run-name-of-mine/checkpoints/4',
    });
  });

  it('in a wide console is told at once', () => {
    const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
    const line = `${'[09:11:27] INFO     Checkpoint saved to /w/checkpoints/0'.padEnd(985)}trainer.py:612`;
    expect(facts(reader.feed(new TextEncoder().encode(`${line}\n`)).events)).toEqual({
      checkpoint: '/w/checkpoints/0',
    });
  });
});

describe("a step bar of transformers' Trainer", () => {
  const bar = (done: number, total: number) => `\r 10%|█         | ${done}/${total} [00:15<08:52,  1.52s/it]`;

  it('counts the steps, an evaluation or data being made do not', () => {
    const events = read(
      '\rMap (num_proc=8):  12%|█▏        | 611/5200 [00:00<00:05, 910.00 examples/s]',
      `${bar(10, 100)}\r    \r{'loss': '2.5', 'epoch': '0.1'}`,
      `${bar(1, 40)}${bar(40, 40)}\r   \r{'eval_loss': 2.4, 'epoch': 0.1}`,
      bar(11, 100),
    );
    const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []));
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [10, 100],
      [11, 100],
    ]);
    expect(facts(events)).toMatchObject({ step: 11, total_steps: 100, val_loss: 2.4 });
  });

  it('shows that a checkpoint is whole when the next step is made', () => {
    const saving = [
      bar(10, 100),
      'Saving model checkpoint to /scratch/checkpoint-10',
      'Configuration saved in /scratch',
    ];
    expect(facts(read(...saving, '')).checkpoint).toBeUndefined();
    expect(facts(read(...saving, bar(11, 100), '')).checkpoint).toBe('/scratch/checkpoint-10');
  });
});
