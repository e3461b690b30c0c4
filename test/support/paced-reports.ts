/** Runs and their reports in virtual time, against the Slack stand-in: what is sent when, at production's pace. */

import { report } from '../../jobs/report.ts';
import { openDesk } from '../../src/queue/desk.ts';
import type { Timings } from '../../src/timings.ts';
import { fakeHost } from './fake-host.ts';
import { GENERATION } from './launch-story.ts';
import { CHANNEL, openReportStage, type ReportStage } from './report-stage.ts';
import { VirtualTime } from './virtual-time.ts';

export interface PacedReports {
  readonly stage: ReportStage;
  readonly time: VirtualTime;
  /** What went out, in order; `at` since the beginning, ms. */
  readonly sent: readonly Sent[];
  /** Asks for a launch as Alice does, on a host of its own; its id. */
  launch(): Promise<string>;
  /** Plays the stories with a reporter for each of the runs, until all stories are over and everything is told, at most so many ms. */
  play(runs: readonly string[], stories: readonly (() => Promise<void>)[], most: number): Promise<void>;
  close(): Promise<void>;
}

export interface Sent {
  readonly at: number;
  readonly what: 'post' | 'edit';
  readonly run: string;
  readonly event: string;
  readonly text: string;
}

const BEGUN = Date.UTC(2026, 10, 30, 7, 0, 0);

export async function openPacedReports(changes: Partial<Timings> = {}): Promise<PacedReports> {
  const time = new VirtualTime(BEGUN);
  const peek = async () => ({ generation: GENERATION, size: 12, line: null, text: 'its last line\n' });
  const stage = await openReportStage(changes, {
    now: time.now,
    host: fakeHost('kpro5', { peek }),
    slack: { tiers: 'slack', sharing: { appearAfterMs: 0 } },
  });
  const sent: Sent[] = [];
  const { chat } = stage.tools;
  const tools = {
    ...stage.tools,
    chat: {
      ...chat,
      post: (async (where, message, key) => {
        const place = await chat.post(where, message, key);
        sent.push({ at: time.now() - BEGUN, what: 'post', ...key, text: message.text });
        return place;
      }) satisfies typeof chat.post,
      edit: (async (place, message, key) => {
        await chat.edit(place, message, key);
        sent.push({ at: time.now() - BEGUN, what: 'edit', ...key, text: message.text });
      }) satisfies typeof chat.edit,
    },
  };
  const { journal, redis, keys } = stage.store;
  let dirty: readonly string[] = [];
  let launches = 0;
  return {
    ...{ stage: { ...stage, tools }, time, sent },
    async launch() {
      const config = { ...tools.config, hosts: { ...tools.config.hosts } };
      const [kpro5] = Object.values(config.hosts);
      if (kpro5 === undefined) throw new Error('the sample has no host');
      launches += 1;
      const host = `kpro${launches}`;
      config.hosts[host] = { ...kpro5, name: host };
      const order = { host, recipe: 'dflash', by: 'U0ALICE', channel: CHANNEL, mode: { kind: 'now' } } as const;
      const desk = openDesk({ ...stage.store, config, clock: tools.clock });
      const answer = await desk.launch({ trigger: host, ...order }, 'unknown');
      if (answer.kind !== 'accepted') throw new Error(`the launch is ${answer.kind}`);
      await journal.decideHome(answer.request.id, CHANNEL);
      return answer.request.id;
    },
    async play(runs, stories, most) {
      const letGo = new AbortController();
      const last = time.now() + most;
      let going = stories.length;
      dirty = await journal.dirty();
      const reporter = (id: string) => async (): Promise<void> => {
        let [seen, tried] = [0, Number.NEGATIVE_INFINITY];
        while (!letGo.signal.aborted) {
          const last = Number(await redis.hget(keys.run(id), 'rev'));
          // News wake a report; what it left undone, the keeper wakes.
          if (dirty.includes(id) && (last > seen || time.now() - tried >= tools.timings.keep)) {
            [seen, tried] = [last, time.now()];
            await report(id, tools, letGo.signal, time.pause);
          }
          await time.pause(250);
        }
      };
      /** As the keeper and the wake-ups do together. */
      const keeper = async (): Promise<void> => {
        while (!letGo.signal.aborted) {
          dirty = await journal.dirty();
          if ((going === 0 && dirty.length === 0) || time.now() > last) letGo.abort();
          await time.pause(250);
        }
      };
      const told = stories.map((story) => async (): Promise<void> => {
        await story();
        going -= 1;
      });
      await time.run([...runs.map(reporter), keeper, ...told]);
    },
    close: stage.close,
  };
}
