import { describe, expect, test } from 'vitest';
import type { PatrolFile } from '../../src/host/log.ts';
import type { Notes } from '../../src/journal.ts';
import { notedAs, sortFiles } from '../../src/patrol/news.ts';

const NOW = 10_000_000;
const MINUTE = 60_000;
const facts = { bootId: 'b', init: 1 };

function file(change: Partial<PatrolFile> = {}): PatrolFile {
  const head = { sum: 'aa', summed: 64 };
  return { ...{ path: '/w/run.log', device: '1', inode: '2', size: 500, modified: NOW - 1000, head }, ...change };
}

function notes(known: PatrolFile, history: number, at = NOW - MINUTE): Notes {
  return { at, logs: new Map([[known.path, notedAs({ file: known, known: null, news: null }, history, false)]]) };
}

const look = (seen: PatrolFile, before: Notes | null) =>
  sortFiles({ now: NOW, facts, files: [seen] }, before).flatMap(({ news, known }) =>
    news === null ? [] : [{ ...news, known }],
  );

describe('of a first look', () => {
  test('a log that is being written to is news from its start on', () => {
    expect(look(file(), null)).toMatchObject([{ from: 0, isGrowing: false }]);
  });

  test('a log that is silent is none', () => {
    expect(look(file({ modified: NOW - 10 * MINUTE }), null)).toEqual([]);
  });
});

describe('of a later look', () => {
  test('a log that has not changed is none', () => {
    expect(look(file({ head: null }), notes(file(), 500))).toEqual([]);
  });

  test('a log that grew is news from behind its history on', () => {
    expect(look(file({ size: 900 }), notes(file(), 400))).toMatchObject([{ from: 400, known: { history: 400 } }]);
  });

  test('a log that was written anew is news from its start on, though it is longer than before', () => {
    const anew = file({ size: 900, head: { sum: 'bb', summed: 64 } });
    expect(look(anew, notes(file(), 500))).toMatchObject([{ from: 0, known: null }]);
    expect(look(file({ size: 10, head: { sum: 'aa', summed: 10 } }), notes(file(), 500))).toMatchObject([{ from: 0 }]);
    expect(look(file({ inode: '3' }), notes(file(), 500))).toMatchObject([{ from: 0 }]);
  });

  test('a log that was moved aside is known under its new name', () => {
    expect(look(file({ path: '/w/run.log.1', head: null }), notes(file(), 500))).toEqual([]);
    expect(look(file({ path: '/w/run.log.1', size: 900 }), notes(file(), 500))).toMatchObject([{ from: 500 }]);
  });

  test('a log that was not there is news, one that only came under the pattern with an old date is none', () => {
    const before = { at: NOW - MINUTE, logs: new Map() };
    expect(look(file(), before)).toMatchObject([{ from: 0, isGrowing: true }]);
    expect(look(file({ modified: NOW - 30 * MINUTE }), before)).toEqual([]);
  });

  test('what was written long ago, while nobody looked, is none', () => {
    const before = notes(file(), 500, NOW - 300 * MINUTE);
    expect(look(file({ size: 900, modified: NOW - 90 * MINUTE }), before)).toEqual([]);
    expect(look(file({ size: 900, modified: NOW - 30 * MINUTE }), before)).toHaveLength(1);
  });
});
