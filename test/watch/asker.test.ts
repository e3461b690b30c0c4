import { expect, test } from 'vitest';
import { CommandFailed } from '../../src/errors.ts';
import { openAsker } from '../../src/watch/asker.ts';

const FAILED = new CommandFailed({ host: 'kpro5', script: 'x', exitCode: 1, stderr: '' });

/** In which of so many calls a host that fails at it until `until` is asked. */
async function askedIn(calls: number, until: number): Promise<number[]> {
  const asked: number[] = [];
  const ask = openAsker<string>({ ms: 1000, signal: new AbortController().signal, onFailure: () => undefined });
  for (let call = 0; call < calls; call += 1) {
    await ask(async () => {
      asked.push(call);
      if (call < until) throw FAILED;
      return 'answer';
    });
  }
  return asked;
}

test('a host that fails again and again is asked less and less often', async () => {
  const asked = await askedIn(1000, 1000);
  expect(asked.slice(0, 5)).toEqual([0, 9, 26, 59, 124]);
  expect(asked.length).toBeLessThan(12);
});

test('a host that answers again is asked each time', async () => {
  expect(await askedIn(40, 20)).toEqual([0, 9, ...Array.from({ length: 14 }, (_, index) => 26 + index)]);
});
