import { describe, expect, it } from 'vitest';
import { createMask } from '../src/log/mask.ts';
import { holdsToken, TOKEN_SHAPES } from '../src/token-shapes.ts';
import { INNOCENT, KEY_LINES } from './support/secrets.ts';

const mask = createMask([]);
const ROWS = TOKEN_SHAPES.flatMap((shape) => shape.starts.map((start) => ({ ...shape, start })));

/** A body of so many characters that the class allows, letters and digits first. */
function bodyOf(characters: string, length: number): string {
  const allowed = [...'Ab0cd1ef2.'].filter((one) => new RegExp(`^${characters}$`).test(one)).join('');
  return allowed.repeat(length).slice(0, length);
}

describe.each(ROWS)('what begins with $start', ({ start, body, hidden, sure }) => {
  it('is refused in vigil.yaml where it is surely a token', () => {
    expect(holdsToken(`--x=${start}${bodyOf(body, sure)}`)).toBe(true);
    expect(holdsToken(`--x=${start}`)).toBe(false);
  });

  it('is hidden wherever it is shown', () => {
    expect(mask(`loaded with ${start}${bodyOf(body, hidden)} from disk`)).toMatch(
      /^loaded with (?:\S*\/)?\[masked\] from disk$/,
    );
  });
});

it.each(ROWS.filter(({ start }) => !/[./]/.test(start)))(
  'what begins with $start is a part of a word behind a letter',
  ({ start, body, hidden }) => {
    const word = `y${start}${bodyOf(body, hidden)}`;
    expect(mask(word)).toBe(word);
  },
);

it('knows private keys by their first line', () => {
  for (const kind of ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '])
    expect(holdsToken(`-----BEGIN ${kind}PRIVATE KEY-----`)).toBe(true);
  expect(holdsToken('-----BEGIN PGP PRIVATE KEY BLOCK-----')).toBe(true);
  expect(holdsToken('---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----')).toBe(true);
  expect(holdsToken('-----BEGIN PUBLIC KEY-----')).toBe(false);
  expect(holdsToken(KEY_LINES.join('\n'))).toBe(true);
});

it.each(INNOCENT)('finds no token in %j', (line) => {
  expect(holdsToken(line)).toBe(false);
});
