import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 20 };
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 10 });
});

afterAll(() => theatre?.stop());

test('a stop whose connection breaks gives its signal once, so that the ranks save their checkpoint whole', async () => {
  const log = (): Promise<string> => readFile(join(theatre.stage.host.home, 'dflash/logs/run.log'), 'utf8');
  await theatre.begin('train-good', '/dflash train trainer drafter');
  await vi.waitFor(() => expect(theatre.threads()[0]?.card).toMatch(/^(Training|Saving)/), PATIENCE);
  await theatre.say('/dflash stop trainer');
  await vi.waitFor(async () => expect(await log()).toMatch(/Saving checkpoint to .*interrupted/), PATIENCE);
  theatre.stage.host.dropConnections();
  await theatre.until(/^Stopped/, /is stopped/);
  expect(await log()).toContain('Interrupt checkpoint saved');
});
