import { expect, test } from 'vitest';
import { HOST, load, mistakes, RECIPE, vigilYaml } from './yaml.ts';

/** A file with these hosts, each with its way in. */
function hosts(ways: Readonly<Record<string, string>>): string {
  const entries = Object.entries(ways).map(([name, way]) => `  ${name}: {${way}, channel: C0A}`);
  return `instance: vigil\nhosts:\n${entries.join('\n')}\nrecipes:\n  r: {${RECIPE.replace('\n', ', ')}}\n`;
}

const AT = 'address: 192.0.2.1, user: root';

test('a passphrase comes from Vigil’s own environment, also beside an alias', () => {
  const environment = { HOME: '/home/v', KEY_WORD: 'open sesame' };
  for (const host of [HOST, 'alias: gpu\nchannel: C0A']) {
    const config = load(vigilYaml({ host: `${host}\npassphrase: {secret: KEY_WORD}` }), environment);
    expect(config.hosts.kpro5?.connect.passphrase).toEqual({ name: 'KEY_WORD', value: 'open sesame' });
  }
});

test.each([
  ['passphrase: open sesame', 'found "open sesame", expected a map of secret; write it as key: value lines'],
  [
    'passphrase: {secret: KEY_WORD}',
    "found no KEY_WORD in Vigil's own environment, expected the secret in the variable",
  ],
  ['passphrase: {secret: SLACK_BOT_TOKEN}', "expected a variable that Vigil doesn't need itself"],
  ['passphrase: {secret: SLACK_SIGNING_SECRET}', "expected a variable that Vigil doesn't need itself"],
  ['jump: root@gate:22', 'found "root@gate:22", expected the name of another host of this file; write its name alone'],
])('%s is a mistake', (line, found) => {
  expect(mistakes(vigilYaml({ host: `${HOST}\n${line}` })).join('\n')).toContain(found);
});

test('a host may be reached through another, which may be reached through a third', () => {
  const config = load(hosts({ gpu: `${AT}, jump: inner`, inner: `${AT}, jump: outer`, outer: 'alias: outer' }));
  expect(config.hosts.gpu?.connect).toMatchObject({ jump: 'inner' });
  expect(config.hosts.outer?.connect).not.toHaveProperty('jump');
});

test.each([
  [
    { gpu: `${AT}, jump: gat`, gate: AT },
    [
      'vigil.yaml:3:47 hosts.gpu.jump: found "gat", expected the name of another host of this file (gpu, gate); did you mean gate?',
    ],
  ],
  [
    { gpu: `${AT}, jump: gpu` },
    [
      'vigil.yaml:3:47 hosts.gpu.jump: found a way that comes back to gpu (gpu through gpu), expected a way that ends at a host without jump; take jump away from one of these hosts',
    ],
  ],
  [
    { gpu: `${AT}, jump: a`, a: `${AT}, jump: b`, b: `${AT}, jump: a` },
    [
      expect.stringContaining('hosts.a.jump: found a way that comes back to a (a through b through a)'),
      expect.stringContaining('hosts.b.jump: found a way that comes back to b (b through a through b)'),
    ],
  ],
])('%j is told', (ways, told) => {
  expect(mistakes(hosts(ways))).toEqual(told);
});
