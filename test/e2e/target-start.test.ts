import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 40 });
});

afterAll(() => theatre?.stop());

test('a target server that fails before it was ready is told with its cause while the script waits for it, and a stop ends the script', async () => {
  await theatre.begin('oom', '/dflash train trainer drafter');
  await theatre.until(/^Waiting in vain \(its target server is down\)/, /the target server is down/);
  expect(theatre.reading()).toContain('Its process is gone. The training waits for it in vain.');
  expect(theatre.reading()).toMatch(
    /The GPU ran out of memory, and another process holds much of it \(Worker_TP1, line \d+ of the target server’s log\)/,
  );
  await theatre.say('/dflash stop trainer');
  await theatre.until(/^Stopped/, /is stopped/);
  expect((await theatre.stage.host.starts()).filter(({ command }) => command === 'torchrun')).toHaveLength(0);
});
