import { describe, expect, it } from 'vitest';
import { changesIn } from '../../src/verify/changed.ts';

const changes = (before: readonly string[], now: readonly string[]) =>
  changesIn({ value: null, run: 'r-1', at: 0, argv: before }, now);

describe('what differs from the command of the record', () => {
  it('is nothing where only the spelling does', () => {
    expect(changes(['vllm', 'serve', 'm', '--max_num_seqs', '4'], ['vllm', 'serve', 'm', '--max-num-seqs=4'])).toEqual(
      [],
    );
  });

  it('names what is new, gone and changed, a few of it', () => {
    expect(changes(['a', '--x', '1', '--y'], ['a', '--x', '2', '--z'])).toEqual([
      'Its command differs from that of r-1: `--x 2` was `1`, `--z` is new and `--y` is gone.',
    ]);
    const many = Array.from({ length: 30 }, (_, index) => `--f${index}`);
    expect(changes(['a'], ['a', ...many])[0]).toMatch(/and 26 more\.$/);
    expect(changes(['a', '--m', 'x'], ['b', '--m', 'x'])).toEqual([
      'Its command differs from that of r-1: `the command b` was `a`.',
    ]);
  });

  it.each([
    [[], ['--hf-token', 'hf_newsecretnewsecret']],
    [
      ['--api-key', 'team-oldsecret'],
      ['--api-key', 'team-newsecret'],
    ],
    [['--hf_token=oldsecret'], ['--hf-token', 'newsecret']],
    [
      ['--ssl-keyfile-password', 'an oldsecret'],
      ['--ssl-keyfile-password', 'a newsecret'],
    ],
  ])('shows no secret, neither the one that was nor the one that is: %j', (before, now) => {
    const told = changes(['vllm', ...before], ['vllm', ...now]).join();
    expect(told).toContain('[masked]');
    expect(told).not.toContain('secret');
  });
});
