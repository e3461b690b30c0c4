import { afterAll, expect, test } from 'vitest';
import { openTheatre } from '../support/theatre.ts';

const theatre = await openTheatre({ speed: 40 });
afterAll(() => theatre.stop());

test('a dry run finds the program and the way on the host, and starts nothing', async () => {
  await theatre.say('/vllm launch kpro5 dflash --dry-run');
  await expect.poll(() => theatre.whispers().at(-1), { timeout: 20_000 }).toContain('Dry run of dflash on kpro5');
  const told = theatre.whispers().at(-1) ?? '';
  expect(told).toMatch(/vllm is \/\S+\/vllm, found on PATH/);
  expect(told).toContain('Nothing was found in its way.');
  expect(theatre.threads()).toEqual([]);
});
