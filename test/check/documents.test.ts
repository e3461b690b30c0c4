import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/check/table.ts';

test('docs/checks.md has every check by its id, and no other', () => {
  const docs = readFileSync(new URL('../../docs/checks.md', import.meta.url), 'utf8');
  const rows = docs.split('\n').filter((line) => line.startsWith('| ') && line.includes('(`'));
  const told = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]{1,30})`/g)].map(([, id]) => id));
  expect(told).toEqual(CHECKS.map(({ id }) => id));
});
