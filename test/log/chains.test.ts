import { describe, expect, it } from 'vitest';
import { hangsOn, isHolderOf } from '../../src/log/chains.ts';
import { troublesIn } from './troubles-in.ts';

const RECORD = {
  levelname: 'ERROR',
  message: 'failed',
  exc_info: `Traceback (most recent call last):
  File "a.py", line 1, in f
ValueError: no

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "b.py", line 2, in g
RuntimeError: wrapped`,
};

describe('exceptions that hang together', () => {
  it('are told apart in one line of JSON', () => {
    const [inner, outer] = troublesIn(JSON.stringify(RECORD));
    if (inner === undefined || outer === undefined) throw new Error('Two exceptions were expected.');
    expect([hangsOn(outer, inner), hangsOn(inner, outer), hangsOn(outer, outer)]).toEqual([true, false, false]);
    expect(isHolderOf(inner, outer)).toBe(false);
  });

  it('know a group for what only holds the others', () => {
    const [group, member] = troublesIn(`  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 1, in f
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: no
    +------------------------------------`);
    if (group === undefined || member === undefined) throw new Error('Two exceptions were expected.');
    expect([isHolderOf(group, member), isHolderOf(member, group)]).toEqual([true, false]);
  });
});
