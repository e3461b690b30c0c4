import { expect, test } from 'vitest';
import { HostRefused, HostUnreachable } from '../../src/errors.ts';
import { Backoff } from '../../src/ssh/backoff.ts';
import { TurnedAway } from '../../src/ssh/turned-away.ts';

const unreachable = new HostUnreachable('kpro5', 'away');

/** How long each of these failures in a row holds (ms), with jitter at its longest or shortest. */
function holds(errors: readonly Error[], jitter = 1): number[] {
  let now = 1_000_000;
  const backoff = new Backoff({ now: () => now }, () => jitter);
  return errors.map((error) => {
    const from = now;
    backoff.failed(error);
    while (backoff.held() === error) now += 100;
    return now - from;
  });
}

test.each([
  [unreachable, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  [new TurnedAway('kpro5', 'too many'), [5_000, 10_000, 20_000, 30_000, 30_000, 30_000, 30_000]],
  [new HostRefused('kpro5', 'no'), [10_000, 20_000, 30_000, 30_000, 30_000, 30_000, 30_000]],
])('%s holds longer each time, up to half a minute, and half as long at least', (error, expected) => {
  const errors = Array<Error>(7).fill(error);
  expect(holds(errors)).toEqual(expected);
  expect(holds(errors, 0)).toEqual(expected.map((ms) => ms / 2));
});

test('a success frees the host; the next failure holds as the first did', () => {
  let now = 0;
  const backoff = new Backoff({ now: () => now }, () => 1);
  for (let times = 0; times < 5; times += 1) backoff.failed(unreachable);
  backoff.succeeded();
  expect(backoff.held()).toBeNull();
  backoff.failed(unreachable);
  now = 1_000;
  expect(backoff.held()).toBeNull();
});

test('a clock that was set back holds nobody', () => {
  let now = 1_000_000;
  const backoff = new Backoff({ now: () => now }, () => 1);
  backoff.failed(unreachable);
  now = 0;
  expect(backoff.held()).toBeNull();
});
