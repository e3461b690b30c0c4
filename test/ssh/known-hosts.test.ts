import { expect, test } from 'vitest';
import {
  fingerprint,
  judgeHostKey,
  knownName,
  parseKnownKeys,
  preferredAlgorithms,
} from '../../src/ssh/known-hosts.ts';

const ED = `ssh-ed25519 ${makeKey('ssh-ed25519', 'a')}`;
const RSA = `ssh-rsa ${makeKey('ssh-rsa', 'b')}`;

function makeKey(type: string, body: string): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type + body)]).toString('base64');
}

test.each([
  ['a plain name', `kpro5 ${ED}`, 'kpro5', 1],
  ['one of several names', `other,kpro5,10.0.0.5 ${ED} a comment`, 'kpro5', 1],
  ['a name with a port', `[kpro5]:2222 ${ED}`, '[kpro5]:2222', 1],
  ['a port is part of the name', `kpro5 ${ED}`, '[kpro5]:2222', 0],
  ['wildcards', `kpro?,*.gpu ${ED}`, 'n1.gpu', 1],
  ['a dot is a dot', `n1.gpu ${ED}`, 'n1xgpu', 0],
  ['negation', `*.gpu,!n1.gpu ${ED}`, 'n1.gpu', 0],
  ['a hashed name', `|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ${ED}`, '192.168.1.61', 1],
  ['another hashed name', `|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ${ED}`, '192.168.1.62', 0],
  ['comments and broken lines', `# kpro5 ${ED}\n\nkpro5 ssh-rsa\n@other kpro5 ${ED}`, 'kpro5', 0],
])('reads %s', (_, text, name, count) => {
  expect(parseKnownKeys(text, name)).toHaveLength(count);
});

test('a marker, the line and the hosts of a key are told', () => {
  const known = parseKnownKeys(`# mine\n@cert-authority *.gpu,kpro5 ${ED} me\n@revoked kpro5 ${RSA}\r\n`, 'kpro5');
  expect(known).toMatchObject([
    { type: 'ssh-ed25519', marker: 'cert-authority', line: 2, hosts: '*.gpu,kpro5' },
    { type: 'ssh-rsa', marker: 'revoked', line: 3, hosts: 'kpro5' },
  ]);
});

test('a key is known, unknown, changed or revoked', () => {
  const shown = Buffer.from(ED.split(' ')[1] ?? '', 'base64');
  const judge = (text: string) => judgeHostKey(parseKnownKeys(text, 'kpro5'), shown);
  expect(judge(`kpro5 ${RSA}\nkpro5 ${ED}`)).toEqual({ kind: 'known' });
  expect(judge('')).toEqual({ kind: 'unknown' });
  expect(judge(`kpro5 ${RSA}`)).toEqual({ kind: 'changed' });
  expect(judge(`@cert-authority kpro5 ${ED}`)).toEqual({ kind: 'unknown' });
  expect(judge(`kpro5 ${ED}\n@revoked * ${ED}`)).toEqual({ kind: 'revoked' });
});

test('names, fingerprints and algorithms are as ssh has them', () => {
  expect(knownName('KPRO5.lan', 22)).toBe('kpro5.lan');
  expect(knownName('10.0.0.5', 2222)).toBe('[10.0.0.5]:2222');
  expect(fingerprint(Buffer.from(ED.split(' ')[1] ?? '', 'base64'))).toMatch(
    /^SHA256:[A-Za-z0-9+/]{43} \(ssh-ed25519\)$/,
  );
  const known = parseKnownKeys(`kpro5 ${RSA}`, 'kpro5');
  expect(preferredAlgorithms(known, ['ssh-ed25519', 'rsa-sha2-512'])).toEqual(['rsa-sha2-512', 'ssh-ed25519']);
});
