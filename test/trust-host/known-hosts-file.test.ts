import { expect, test } from 'vitest';
import { parseKnownKeys } from '../../src/ssh/known-hosts.ts';
import { planChange } from '../../src/trust-host/known-hosts-file.ts';

const key = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type + body)]);
};
const row = (type: string, body: string): string => `${type} ${key(type, body).toString('base64')}`;

const NEW = { name: 'kpro5', key: key('ssh-ed25519', 'new'), isHashed: false };
const ADDED = `kpro5 ${row('ssh-ed25519', 'new')}\n`;
const OLD = row('ssh-ed25519', 'old');
const RSA = row('ssh-rsa', 'old');
/** kpro5, hidden: `ssh-keygen -F kpro5` finds it. */
const HASHED = '|1|MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=|4tTwsqZwC99LRyRhFkxPuxh/9wU=';

test.each([
  ['an empty file', '', ADDED, [], []],
  ['a last line without an end', 'a ssh-rsa x', `a ssh-rsa x\n${ADDED}`, [], []],
  ['comments and empty lines', '# c\n\n', `# c\n\n${ADDED}`, [], []],
  ['an old key of the type', `kpro5 ${OLD} me\nb ${OLD}\n`, `b ${OLD}\n${ADDED}`, [1], []],
  ['an old key of another type', `kpro5 ${RSA}\n`, `kpro5 ${RSA}\n${ADDED}`, [], []],
  ['other names on the line', `a,KPRO5,10.0.0.5 ${OLD}\n`, `a,10.0.0.5 ${OLD}\n${ADDED}`, [1], []],
  ['a wildcard', `kpro* ${OLD}\n`, `kpro* ${OLD}\n${ADDED}`, [], [1]],
  ['a certificate authority', `@cert-authority kpro5 ${OLD}\n`, `@cert-authority kpro5 ${OLD}\n${ADDED}`, [], []],
])('%s', (_, before, text, replaced, left) => {
  expect(planChange(before, NEW)).toEqual({ text, replaced, left });
});

test('a hidden name is replaced, and a new one is found again', () => {
  const { text, replaced } = planChange(`${HASHED} ${OLD}\n`, { ...NEW, isHashed: true });
  expect(replaced).toEqual([1]);
  expect(text).toMatch(/^\|1\|[^|]+\|[^|]+ ssh-ed25519 \S+\n$/);
  expect(parseKnownKeys(text, 'kpro5')).toHaveLength(1);
});
