import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderDiagnoses } from '../../scripts/diagnoses.ts';
import { CATALOG, FOLLOW_UPS } from '../../src/diagnosis/catalog.ts';

test('docs/diagnoses.md is what `npm run docs:diagnoses` writes', () => {
  expect(readFileSync('docs/diagnoses.md', 'utf8')).toBe(renderDiagnoses());
});

test('the page has a heading for each row', () => {
  const headings = [...renderDiagnoses().matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(headings.toSorted()).toEqual([...CATALOG, ...FOLLOW_UPS].map(({ id }) => id).toSorted());
});
