import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 55_000, interval: 50 };
const NOTE = "Don't raise it: `--max-model-len 16384` fits";
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 40 });
});

afterAll(() => theatre?.stop());

test('a failure that was seen before has the way to its thread, and the note that the team made of it', async () => {
  await theatre.begin('oom', '/vllm launch kpro5 dflash');
  await theatre.until(/^Failed/, /failed/);
  expect(theatre.reading('(kpro5-1)')).not.toContain('Seen before');
  const answer = await theatre.say(`/vllm note kpro5-1 ${NOTE}`);
  expect(answer).toContain('Noted for what is wrong with kpro5-1 (dflash on kpro5).');
  expect(answer).toContain(NOTE);
  await vi.waitFor(() => expect(theatre.reading('(kpro5-1)')).toContain('--max-model-len 16384 fits'), PATIENCE);

  await theatre.begin('oom', '/vllm launch kpro5 dflash');
  await theatre.until(/^Failed/, /failed/);
  const again = theatre.reading('(kpro5-2)');
  expect(again).toContain("Don't raise it: --max-model-len 16384 fits");
  expect(again).toContain('Seen before: kpro5-1 on kpro5');
  expect(again.split('Seen before')).toHaveLength(3);
});

test('the history has both, the newest first', async () => {
  const history = await theatre.say('/vllm history kpro5');
  expect(history).toMatch(
    /2 servers of kpro5 have ended, the newest first:.*kpro5-2 dflash.*: failed after .*kpro5-1 /s,
  );
});
