/** A reporter that dies at each of its steps in turn, before the step and after it: what stands in Slack is what would stand there without. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { report } from '../../jobs/report.ts';
import { observe } from '../../src/flow/write.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import type { Observation } from '../../src/run/observe.ts';
import { sampleRun } from '../report/sample-run.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';
import { CHANNEL } from '../support/report-stage.ts';

let world: PacedReports;
let run: string;

beforeEach(async () => {
  world = await openPacedReports();
  run = await world.launch();
});

afterEach(() => world.close());

interface Death {
  readonly step: number;
  readonly when: 'before' | 'after';
}

class Killed extends Error {}

/** Edges of a worker that dies at that step, and does nothing more. */
function mortal(tools: Tools, death: Death | null, steps: string[]): Tools {
  let isDead = false;
  const guard = <T extends object>(name: string, edge: T): T =>
    new Proxy(edge, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return async (...words: unknown[]) => {
          if (isDead) throw new Killed(String(key));
          steps.push(`${name}.${String(key)}`);
          const isLast = death !== null && steps.length - 1 === death.step;
          if (isLast && death.when === 'before') {
            isDead = true;
            throw new Killed(String(key));
          }
          const answer: unknown = await Reflect.apply(value, target, words);
          if (isDead) throw new Killed(String(key));
          if (isLast) {
            isDead = true;
            throw new Killed(String(key));
          }
          return answer;
        };
      },
    });
  return {
    ...tools,
    outbox: guard('outbox', tools.outbox),
    budgets: guard('budgets', tools.budgets),
    journal: guard('journal', tools.journal),
    chat: guard('chat', tools.chat),
  };
}

/** Reports one after the other until all is told, the first of which dies. */
async function tell(death: Death | null = null): Promise<string[]> {
  const steps: string[] = [];
  const { stage, time } = world;
  const letGo = new AbortController();
  let life = mortal(stage.tools, death, steps);
  await time.run([
    async () => {
      for (let lives = 0; (await stage.store.journal.dirty()).length > 0; lives++) {
        if (lives > 20) throw new Error('it is never told');
        try {
          await report(run, life, letGo.signal, time.pause);
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
        life = stage.tools;
        await time.pause(1_000);
      }
    },
  ]);
  return steps;
}

const askForLog = async (): Promise<unknown> => {
  const { store, tools } = world.stage;
  return openDesk({ ...store, config: tools.config, clock: tools.clock }).shareLog(run, 'U0ALICE', 'T');
};

const happen = async (...observations: ((at: number) => Observation)[]): Promise<void> => {
  const now = world.time.now();
  await observe(world.stage.store.journal, run, () => observations.map((make) => make(now)));
};
const started = (at: number): Observation => {
  const { started } = sampleRun({ phase: 'loading' });
  if (started === null) throw new Error('the sample has not started');
  return { kind: 'launched', started: { ...started, at }, at, seen: at };
};
const attempting = (at: number): Observation => ({ kind: 'attempting', at, seen: at });
const checking = (at: number): Observation => ({ kind: 'checking', at, seen: at });
const notice =
  (text: string) =>
  (at: number): Observation => ({ kind: 'notice', text, at, seen: at });
const failed = (at: number): Observation => ({
  kind: 'exited',
  exit: { code: 1, signal: null, at },
  tail: ['ValueError: no such layer'],
  at,
  seen: at,
});

const begun = async (): Promise<void> => {
  await happen(checking, attempting, started);
  await tell();
};

/** All that stands in all channels. */
function standing(): { where: string; text: string; key: string; file: string }[] {
  return [CHANNEL, 'D0ALICE'].flatMap((channel) =>
    world.stage.slack
      .messages(channel)
      .filter(({ deleted }) => !deleted)
      .map(({ thread, text, metadata, files }) => ({
        where: `${channel}${thread === null ? '' : ' thread'}`,
        text,
        key: metadata === null ? '' : JSON.stringify(metadata.event_payload),
        file: files.map(({ name }) => name).join(' '),
      })),
  );
}

/** What has happened and was told, and what is told by the one that dies. */
const STORIES: Record<string, { readonly before: () => Promise<unknown>; readonly now: () => Promise<unknown> }> = {
  'a launch that fails, with its log': {
    before: async () => {},
    now: () => happen(checking, attempting, started, failed),
  },
  'an end of a run that is followed': {
    before: begun,
    now: () => happen(notice('careful'), failed),
  },
  'a log that is asked for': {
    before: begun,
    now: askForLog,
  },
  'a root that is deleted': {
    before: async () => {
      await begun();
      const { slack } = world.stage;
      for (const { ts } of slack.messages(CHANNEL)) slack.deleteMessage(CHANNEL, ts);
    },
    now: () => happen(notice('careful'), failed),
  },
  'a channel that is archived': {
    before: async () => {
      await begun();
      world.stage.slack.archive(CHANNEL);
    },
    now: () => happen(notice('careful'), failed),
  },
  'a channel that is closed meanwhile': {
    before: async () => {
      await begun();
      world.stage.slack.archive(CHANNEL);
    },
    now: () => happen(notice('careful')),
  },
  'a refused file': {
    before: async () => {
      await begun();
      world.stage.slack.faults.fail('files.getUploadURLExternal', 'missing_scope', 9);
    },
    now: async () => {
      await askForLog();
      await happen(notice('careful'));
    },
  },
};

/** By name of nothing that differs from life to life. A direct message can't be read by the app, so its root may stand twice. */
function comparable(all: ReturnType<typeof standing>): string[] {
  const lines = all.map((one) => JSON.stringify(one).replace(/vigil-test-\w+/g, 'INSTANCE'));
  const isRootOfDirect = (line: string) => line.startsWith('{"where":"D0ALICE",');
  return lines.filter((line, index) => !isRootOfDirect(line) || lines.indexOf(line) === index);
}

test.each(Object.entries(STORIES))(
  '%s',
  async (_, { before, now }) => {
    await before();
    await now();
    const steps = await tell();
    const expected = comparable(standing());
    for (let step = 0; step < steps.length; step++) {
      for (const when of ['before', 'after'] as const) {
        await world.close();
        world = await openPacedReports();
        run = await world.launch();
        await before();
        await now();
        await tell({ step, when });
        expect(comparable(standing()), `killed ${when} ${steps[step]}`).toEqual(expected);
      }
    }
  },
  120_000,
);
