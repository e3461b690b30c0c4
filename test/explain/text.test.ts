import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runExplain } from './run-explain.ts';

const LOG = `INFO 05-20 14:15:53 [api_server.py:1834] vLLM API server version 0.20.1
INFO 05-20 14:15:53 [utils.py:233] non-default args: {'model': '/m/qwen', 'max_model_len': 4096}
(EngineCore pid=9) INFO 05-20 14:16:10 [gpu_model_runner.py:1] Starting to load model /m/qwen...
(EngineCore pid=9) ERROR 05-20 14:16:20 [core.py:9] Traceback (most recent call last):
(EngineCore pid=9) ERROR 05-20 14:16:20 [core.py:9]   File "/opt/vllm/worker.py", line 3, in load
(EngineCore pid=9) ERROR 05-20 14:16:20 [core.py:9]     raise KeyError(name)
(EngineCore pid=9) ERROR 05-20 14:16:20 [core.py:9] KeyError: 'layers.0.quokka'
`;

async function textOf(log: string | Uint8Array, ...words: string[]): Promise<string> {
  const said = await runExplain([...words, '-'], { stdin: [Buffer.from(log)] });
  expect(said).toMatchObject({ code: 0, err: '' });
  return said.out;
}

describe('what people are told', () => {
  it('is the verdict, what it rests on, the phases with their times, and the cause with its frames', async () => {
    const text = await textOf(LOG, '--exited', '-9');
    expect(text.split('\n\nCause: ')[0]).toMatchInlineSnapshot(`
      "standard input: a server's log, 608 bytes, 7 lines
      FAILED while loading weights: a failure that the catalog has no row for.
      As given, signal 9 ended it. Signal 9 is SIGKILL: the kernel's out-of-memory killer or a kill
      -9; dmesg on the host tells which.

      Phases
        Reading its configuration  line 1  05-20 14:15:53  for 17 s
        Loading weights            line 3  05-20 14:16:10  for 10 s
        End of the log             line 7  05-20 14:16:20"
    `);
    expect(text.split('\n')).toEqual(expect.arrayContaining(CAUSE));
  });

  it('fits a terminal of 100 columns', async () => {
    const words = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ');
    const log = LOG.replace('4096', `4096, 'kv_transfer_config': {'roles': [${'1, '.repeat(90)}1]}`);
    const text = await textOf(log.replace("'layers.0.quokka'", words), '--exited', '1');
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('keeps secrets of the log to itself', async () => {
    const secret = 'hf_abcdefghijklmnopqrstuvwxyz012345';
    const log = LOG.replace("'layers.0.quokka'", `token ${secret}`);
    expect(await textOf(log, '--exited', '1')).not.toContain(secret);
    expect(await textOf(log, '--json')).not.toContain(secret);
    expect(await textOf(`${secret}\n`, '--exited', '1')).not.toContain(secret);
  });

  it('keeps private keys to itself, wherever the end of the log cuts them', async () => {
    const line = 'MIIEowIBAAKCAQEAx7Qm3v9Zk2bT5cR8nWpLhYd4sF6gJ1uE0oNiVtXaKyHzMrBq';
    const key = [
      `-----BEGIN RSA PRIVATE KEY-----`,
      line,
      line,
      `${line.slice(0, 30)}==`,
      '-----END RSA PRIVATE KEY-----',
    ];
    const raised = LOG.replace("'layers.0.quokka'", key.join('\n'));
    const shown = /MIIEow|x7Qm3v/;
    expect(await textOf(raised, '--exited', '1')).not.toMatch(shown);
    expect(await textOf(raised, '--json')).not.toMatch(shown);
    expect(await textOf(`${key.join('\n')}\n`, '--exited', '1')).not.toMatch(shown);
    expect(await textOf(`${key.slice(1).join('\n')}\n`, '--exited', '1')).toContain(
      `  | [masked]\n  | [masked]\n  | [masked]\n`,
    );
  });

  it('of what an old version was asked for is what somebody set', async () => {
    const args = "args: Namespace(subparser='serve', host='0.0.0.0', uvicorn_log_level='info', allowed_origins=['*'], ";
    const log = `INFO 05-20 14:15:53 [api_server.py:913] ${args}model='/m/q', block_size=32, swap_space=4, seed=0)\n`;
    const text = await textOf(log);
    expect(text).toContain('Arguments\n  model       /m/q\n  host        0.0.0.0\n  block_size  32\n');
    expect(text).not.toMatch(/subparser|allowed|swap_space|seed/);
  });

  it('counts the steps of a training whose epochs are long', async () => {
    const text = await textOf(
      '[09:04:50] INFO     Training epoch 2/3 started   trainer.py:401\n' +
        '[09:05:50] INFO     train/loss=4.28, train/full_acc=0.15, epoch=1, lr=2e-05   train/global_step=1230\n',
    );
    expect(text).toMatch(/^TRAINING: 1 of 3 epochs \(33 %\).*loss 4\.28\.$/m);
  });

  it('shows the last lines of a failure that has no cause', async () => {
    const text = await textOf('one\ntwo\n\u001b[31mthree\u001b[0m', '--exited', '7', '--kind', 'serve');
    expect(text).toContain(
      'FAILED before its first phase: the log shows no cause.\nAs given, it ended with exit code 7.',
    );
    expect(text).toContain('The log shows no cause. Its last lines:\n  | one\n  | two\n  | three\n');
  });

  it('names what a signal or a code of the shell means', async () => {
    expect(await textOf('', '--exited', '-9')).toContain('As given, signal 9 ended it. Signal 9 is SIGKILL');
    expect(await textOf('', '--exited', '127')).toContain('the shell did not find the command');
  });
});

const CAUSE = [
  '  process EngineCore, line 7, its traceback on lines 4 to 7',
  '  | Traceback (most recent call last):',
  '  |   File "/opt/vllm/worker.py", line 3, in load',
  '  |     raise KeyError(name)',
  "  | KeyError: 'layers.0.quokka'",
  'Facts',
  '  version  0.20.1',
  'Arguments',
  '  model          /m/qwen',
  '  max_model_len  4096',
];

describe('any bytes', () => {
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => new TextEncoder().encode(text)),
      fc.constantFrom(...LOG.split('\n').map((line) => Buffer.from(`${line}\n`))),
      fc
        .constantFrom('\r', '\n', '\u001b[2K', 'Traceback (most recent call last):\n', '[07:41:56] INFO     x\n')
        .map((text) => Buffer.from(text)),
    ),
    { maxLength: 20 },
  );

  it('are explained or named as what they are, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom<string[]>([], ['--alive'], ['--exited', '1'], ['--json']),
        async (parts, words) => {
          const said = await runExplain([...words, '-'], { stdin: parts });
          expect(said.out + said.err).not.toBe('');
          expect([0, 1]).toContain(said.code);
        },
      ),
      { numRuns: 300 },
    );
  });
});
