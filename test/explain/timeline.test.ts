import { describe, expect, it } from 'vitest';
import { phaseLines } from '../../src/explain/phase-lines.ts';
import { readLog } from '../../src/explain/read-log.ts';
import type { LogKind } from '../../src/log/events.ts';

async function phasesOf(lines: readonly string[], kind: LogKind = 'serve') {
  async function* chunks() {
    for (const line of lines) yield Buffer.from(`${line}\n`);
  }
  return phaseLines(await readLog(chunks(), { kind, name: '-' }));
}

const START = (time: string) => `INFO ${time} [api_server.py:1834] vLLM API server version 0.20.1`;
const SHARDS = 'Loading safetensors checkpoint shards:  80% Completed | 12/15 [00:09<00:02,  1.3s/it]';

describe('the phases with their times', () => {
  it('go on over midnight and New Year', async () => {
    expect(
      await phasesOf([
        START('12-31 23:59:40'),
        'INFO 01-01 00:00:10 [pynccl.py:69] vLLM is using nccl==2.28.9',
        'INFO 01-01 00:05:10 [core.py:1] still here',
      ]),
    ).toEqual([
      '  Reading its configuration  line 1  12-31 23:59:40  for 30 s',
      '  Connecting the GPUs        line 2  01-01 00:00:10  for 5 min',
      '  End of the log             line 3  01-01 00:05:10',
    ]);
  });

  it('have the time of a line above where a bar shows them, and then no length that nobody measured', async () => {
    expect(await phasesOf([START('05-20 14:15:53'), SHARDS])).toEqual([
      '  Reading its configuration  line 1  05-20 14:15:53',
      '  Loading weights            line 2  ~05-20 14:15:53',
      '  End of the log             line 2  ~05-20 14:15:53',
    ]);
  });

  it('have line numbers only in a log without times', async () => {
    expect(await phasesOf([SHARDS])).toEqual(['  Loading weights  line 1', '  End of the log   line 1']);
  });

  it('are those of the last start, and nothing in a log without any', async () => {
    const lines = await phasesOf([
      START('05-20 14:15:53'),
      SHARDS,
      START('05-20 15:00:00'),
      'INFO 05-20 15:00:09 [x.py:1] hello',
    ]);
    expect(lines).toEqual([
      '  Reading its configuration  line 3  05-20 15:00:00  for 9 s',
      '  End of the log             line 4  05-20 15:00:09',
    ]);
    expect(await phasesOf(['hello'])).toEqual([]);
  });

  it('of a training hold its target server, whose times have days where those of rich have none', async () => {
    const lines = await phasesOf(
      [
        'Waiting for vLLM server to be ready...',
        `(APIServer pid=7) ${START('08-14 23:59:50')}`,
        '(APIServer pid=7) INFO:     Application startup complete.',
        'vLLM ready after 20s',
        '[00:00:10] INFO     Training epoch 1/2 started        trainer.py:10',
      ],
      'train',
    );
    expect(lines).toEqual([
      '  Starting the target server           line 1',
      '    target: Reading its configuration  line 2  08-14 23:59:50',
      '  Target server ready                  line 3  ~08-14 23:59:50',
      '    target: Ready                      line 3  ~08-14 23:59:50  for 20 s',
      '  Training                             line 5  00:00:10         for less than 1 s',
      '  End of the log                       line 5  00:00:10',
    ]);
  });
});
