import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ANYWHERE, REASONS, reasonsFor } from '../../src/pulse/reasons.ts';
import { PHASES } from '../../src/run/run.ts';

const DOCS = readFileSync('docs/phases.md', 'utf8');

/** What docs/phases.md says under the heading of a phase; of none: before the first heading. */
function sectionOf(phase: string | null): string {
  const sections = DOCS.split(/^## /m);
  return (phase === null ? sections[0] : sections.find((section) => section.startsWith(`${phase}\n`))) ?? '';
}

describe('the usual reasons for a standstill', () => {
  test.each(PHASES)('in %s are at most four, each with what to do', (phase) => {
    const reasons = reasonsFor(phase);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.length).toBeLessThanOrEqual(4);
    for (const { why, remedy } of reasons) expect(`${why} ${remedy}`).not.toMatch(/[.;:]$/);
  });

  test.each(Object.entries(REASONS))('in %s stand in docs/phases.md', (phase, reasons) => {
    const rows = reasons.filter((reason) => !ANYWHERE.includes(reason)).map(rowOf);
    expect(sectionOf(phase).match(/^\| (?!reason|---).*$/gm)).toEqual(rows);
  });

  test('anywhere stand there as well', () => {
    expect(sectionOf(null).match(/^\| (?!reason|---).*$/gm)).toEqual(ANYWHERE.map(rowOf));
  });
});

function rowOf({ why, remedy }: { why: string; remedy: string }): string {
  return `| ${why} | ${remedy} |`;
}
