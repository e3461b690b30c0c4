import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { stop } from '../../jobs/stop.ts';
import { watch } from '../../jobs/watch.ts';
import { HostUnreachable } from '../../src/errors.ts';
import type { Tools } from '../../src/processor.ts';
import { findShells } from '../support/shells.ts';
import { NEVER, noted, openStopLab, type Subject } from '../support/stop-lab.ts';

/** Counts each TERM that it gets, and needs a moment to end. */
const COUNTING = `
trap 'echo TERM >>$1/ledger; i=0; while [ $((i += 1)) -lt 5 ]; do sleep 0.1; done; exit 0' TERM
echo $$ >$1/up
i=0; while [ $((i += 1)) -lt 600 ]; do sleep 0.1; done
`;
const [shell] = findShells();
if (shell === undefined) throw new Error('no shell');
const lab = await openStopLab(shell);
afterAll(() => lab.close());

const terms = ({ spec }: Subject): string => readFileSync(`${spec.argv[1]}/ledger`, 'utf8');

async function startCounting(): Promise<Subject> {
  const subject = await lab.start({ text: COUNTING });
  await noted(subject, 'up');
  return subject;
}

interface Death {
  /** A call to journal or host, by its name, and which of these calls: 'append 2'. */
  readonly at: string;
  /** Right before it, or right after it was carried out. */
  readonly moment: 'before' | 'after';
}

/** The tools of a worker that is killed there: no call of it is carried out any more, and none comes back. */
function dying({ at, moment }: Death): { tools: Tools; death: Promise<void> } {
  const calls = new Map<string, number>();
  const never = new Promise<never>(() => {});
  let die = (): void => {};
  let isDead = false;
  const death = new Promise<void>((resolve) => {
    die = () => {
      isDead = true;
      resolve();
    };
  });
  const wrap = <Thing extends object>(thing: Thing): Thing =>
    new Proxy(thing, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...words: unknown[]) => {
          const nth = (calls.get(String(name)) ?? 0) + 1;
          calls.set(String(name), nth);
          const isLast = `${String(name)} ${nth}` === at;
          if (isLast && moment === 'before') die();
          if (isDead) return never;
          const answer: unknown = await Reflect.apply(member, target, words);
          if (isLast) die();
          return isDead ? never : answer;
        };
      },
    });
  const { tools } = lab;
  const hosts = { ...tools.hosts, get: (name: string) => wrap(tools.hosts.get(name)) };
  return { tools: { ...tools, journal: wrap(tools.journal), hosts }, death };
}

describe('a stop', () => {
  test('that two workers carry out at once gives its signal once', async () => {
    const subject = await startCounting();
    await lab.ask(subject.id);
    expect(await Promise.all([1, 2].map(() => stop(subject.id, lab.tools, NEVER)))).toEqual(['done', 'done']);
    expect(terms(subject)).toBe('TERM\n');
    expect((await lab.runOf(subject.id)).stop?.proven).toBe(true);
  });

  test.each([
    ['the signal is noted', 'append 1'],
    ['the signal is given', 'terminate 1'],
    ['what is left is looked at', 'stopView 2'],
    ['the proof is written', 'append 2'],
  ])('whose worker is killed while %s gives its signal once, and is proved by who takes over', async (_, at) => {
    const carryOut = async (moment: Death['moment']): Promise<void> => {
      const subject = await startCounting();
      await lab.ask(subject.id);
      const { tools, death } = dying({ at, moment });
      void stop(subject.id, tools, NEVER);
      await death;
      expect(await stop(subject.id, lab.tools, NEVER)).toBe('done');
      expect([moment, terms(subject)]).toEqual([moment, 'TERM\n']);
      expect((await lab.runOf(subject.id)).stop).toMatchObject({ proven: true });
    };
    await Promise.all([carryOut('before'), carryOut('after')]);
  });

  test('waits for a host that does not answer, and says so once', async () => {
    const subject = await startCounting();
    await lab.ask(subject.id);
    let outages = 3;
    const host = new Proxy(lab.host, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...words: unknown[]) => {
          if (outages-- > 0) throw new HostUnreachable('kpro5', 'kpro5 does not answer.');
          return Reflect.apply(member, target, words);
        };
      },
    });
    const hosts = { ...lab.tools.hosts, get: () => host };
    const timings = { ...lab.tools.timings, contact: 0, reconnect: 20 };
    expect(await stop(subject.id, { ...lab.tools, hosts, timings }, NEVER)).toBe('done');
    const run = await lab.runOf(subject.id);
    expect(run.notices).toEqual(['kpro5 does not answer. The stop goes on as soon as the host answers.']);
    expect([run.stop?.proven, terms(subject)]).toEqual([true, 'TERM\n']);
  });

  test('of a training ends when its watch has read what the ranks wrote last', async () => {
    const saving = `trap "echo \\"Interrupt checkpoint saved to 'out/interrupted'\\"; exit 0" TERM
echo $$ >$1/up
i=0; while [ $((i += 1)) -lt 600 ]; do sleep 0.1; done`;
    const subject = await lab.start({ text: saving, kind: 'train' });
    await noted(subject, 'up');
    // A watch that writes seldom: without the wait the stop is written first.
    const tools = { ...lab.tools, timings: { ...lab.tools.timings, flush: 2_000 } };
    const watching = watch(subject.id, tools, NEVER);
    await lab.ask(subject.id);
    expect(await stop(subject.id, tools, NEVER)).toBe('done');
    expect(await watching).toBe('done');
    const run = await lab.runOf(subject.id);
    expect([run.phase, run.reading.facts.checkpoint]).toEqual(['stopped', 'out/interrupted']);
  });
});
