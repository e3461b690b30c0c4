import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LINE_SIGNS } from '../../src/explain/line-signs.ts';
import { readLog } from '../../src/explain/read-log.ts';

async function kindOf(text: string | Uint8Array, name = 'log.txt') {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return (await readLog(chunks(), { kind: null, name })).kind;
}

const SERVER = 'INFO 05-20 14:15:53 [api_server.py:1834] vLLM API server version 0.20.1\n';

describe('whether a log is of a server or of a training', () => {
  it.each(LINE_SIGNS)('$sample is a sign of $kind', async ({ sample, pattern, kind }) => {
    expect(pattern.test(sample)).toBe(true);
    expect(await kindOf(`${sample}\n`, 'x')).toBe(kind);
  });

  const folder = new URL('../corpus/', import.meta.url);
  const cases = (['serve', 'train'] as const).flatMap((kind) =>
    readdirSync(new URL(kind, folder)).map((name) => ({ kind, name })),
  );
  it.each(cases)('$kind/$name is told, whole and when only half of it is written', async ({ kind, name }) => {
    const bytes = readFileSync(new URL(`${kind}/${name}/log.txt`, folder));
    expect([await kindOf(bytes), await kindOf(bytes.subarray(0, bytes.length / 2))]).toEqual([kind, kind]);
  });

  it("is a training's where its target server's lines stand in the same file", async () => {
    expect(await kindOf(`+ torchrun --nproc_per_node 4 train.py\n${SERVER.repeat(5)}`)).toBe('train');
    expect(
      await kindOf(`${SERVER.repeat(5)}{'loss': 2.31, 'grad_norm': 1.2, 'learning_rate': 1e-05, 'epoch': 0.1}\n`),
    ).toBe('train');
  });

  it("is a training's where a script waits for a server that hands out hidden states", async () => {
    const args = "non-default args: {'speculative_config': {'method': 'extract_hidden_states'}}\n";
    expect(await kindOf(`Waiting for vLLM server...\n${SERVER}${args}`)).toBe('train');
    expect(await kindOf(`${SERVER}${args}`)).toBe('serve');
  });

  it("is a server's though its lines name trainings, drafters and checkpoints", async () => {
    const args =
      "non-default args: {'model': '/out/training/checkpoint-120', 'speculative_config': {'method': 'dflash'}}\n";
    expect(await kindOf(`=== Starting vLLM server ===\nwaiting for vLLM server\n${SERVER}${args}`, 'train.log')).toBe(
      'serve',
    );
    expect(await kindOf('+ exec vllm serve /data/train-7b --port 8000\nbash: line 3: vllm: command not found\n')).toBe(
      'serve',
    );
  });

  it('is what the file is called where nothing in it tells', async () => {
    expect(await kindOf('Killed\n', 'logs/train.log')).toBe('train');
    expect(await kindOf('Killed\n', 'logs/vllm.log')).toBe('serve');
    expect(await kindOf('', '-')).toBe('serve');
  });
});
