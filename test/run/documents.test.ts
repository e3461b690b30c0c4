/** The docs say what the code declares. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PHASES } from '../../src/run/run.ts';

test('each phase has its heading in docs/phases.md, in the order of display, and no heading is without one', () => {
  const docs = readFileSync('docs/phases.md', 'utf8');
  const headings = [...docs.matchAll(/^#{2,} (.+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual(PHASES);
});
