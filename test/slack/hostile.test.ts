/** What commands, clicks and modals answer, with text of others wherever a person, a host, a log or a run may bring one. */

import type { KnownBlock, ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/chat.ts';
import type { Finding } from '../../src/check/check.ts';
import type { DryRun } from '../../src/questions.ts';
import { answerCommand } from '../../src/slack/answer.ts';
import { openGate } from '../../src/slack/gate.ts';
import { answerMention } from '../../src/slack/mention.ts';
import { closedView, launchView } from '../../src/slack/modal/view.ts';
import { messagesWith } from '../report/messages-with.ts';
import { OOM, sampleRun, T0 } from '../report/sample-run.ts';
import { faults, foreign } from '../support/foreign-text.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { ROOT, setUp } from './set-up.ts';

/** As a person may type it: Slack escapes nothing in it for us. */
const COMMANDS = [
  ...[
    'status',
    'status kpro5-3',
    'logs kpro5-3',
    'explain kpro5-3',
    'check kpro5 dflash',
    'launch kpro5 dflash --dry-run',
  ],
  ...[
    'launch kpro5 dflash',
    'history',
    'note kpro5-3',
    'stop kpro5-3',
    'restart kpro5-3',
    'verify kpro5-3',
    'hosts',
    'recipes',
  ],
] as const;

function world(text: string) {
  const made = setUp();
  const exit = { code: 1, signal: null, at: T0 };
  const cause = { ...OOM, title: text, why: text, message: text, remedy: text, process: text, type: text };
  const failure = { kind: 'ended', exit, during: 'loading', cause, tail: [text] } as const;
  made.desk.summaries.push(
    { run: sampleRun({ phase: 'failed', failure }, { name: 'kpro5-3' }), root: ROOT },
    { run: sampleRun({ lost: text, phase: 'lost' }, { id: 'r4', name: 'kpro5-4' }), root: ROOT },
  );
  made.desk.lines = [text, text];
  made.desk.notes.set(OOM.fingerprint, { text, by: 'U0BOB', at: T0 });
  made.chat.people.set('U0BOB', { kind: 'member', name: text });
  made.chat.people.set('U0ALICE', { kind: 'member', name: text });
  const finding: Finding = {
    ...{ check: 'port', label: 'Port', verdict: 'refused', found: text, needed: text, advice: text, isFinal: false },
  };
  made.desk.told.set('check', { kind: 'told', told: { findings: [finding], tookMs: 1, forcedBy: null } });
  const dryRun: DryRun = {
    ...{ argv: [text, text], environment: [{ name: 'A', value: text }], prelude: text, program: text, path: text },
    ...{ directory: text, log: text, olderLog: 1, gpus: [text], address: text, reached: text },
    ...{ obstacles: [text], warnings: [text] },
  };
  made.desk.told.set('dry_run', { kind: 'told', told: dryRun });
  made.desk.told.set('verify', { kind: 'failed', reason: text });
  return made;
}

const asked = { command: '/vllm', user: 'U0ALICE', channel: 'C0OPS', team: 'T0', trigger: '1.1' };

describe('text of others', () => {
  it('takes no effect in what is answered to a command', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(foreign, async (text) => {
        const { edge, followup } = world(text);
        for (const command of COMMANDS) {
          const answer = await answerCommand(edge, { ...asked, text: command }, followup);
          expect([command, answer === null ? [] : faults(answer)]).toEqual([command, []]);
        }
      }),
      { numRuns: fuzzRuns(30) },
    );
  });

  it('takes no effect where it is typed', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(foreign, async (typed) => {
        const { edge, followup } = setUp();
        for (const text of [
          typed,
          `launch ${typed}`,
          `launch kpro5 ${typed}`,
          `status ${typed}`,
          `help ${typed}`,
          `note ${typed}`,
          `--${typed}`,
        ]) {
          const answer = await answerCommand(edge, { ...asked, text }, followup);
          const mentioned = await answerMention(edge, { ...asked, text: `<@U0BOT> ${text}`, thread: null }, followup);
          for (const said of [answer, mentioned]) expect([text, said === null ? [] : faults(said)]).toEqual([text, []]);
        }
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('takes no effect in a modal', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const carried = { kind: 'serve', channel: 'C0OPS', url: null } as const;
        const offered = {
          kind: 'serve',
          hosts: ['kpro5'],
          recipes: [{ name: 'dflash', about: text }],
          forcible: [],
          missing: text,
        } as const;
        const preview = messagesWith(text)[0]?.blocks ?? [];
        for (const view of [closedView(carried, text), launchView({ carried, offered, host: 'kpro5', preview })])
          expect(faults(asMessage(view))).toEqual([]);
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('comes to no new life by the last look', () => {
    const gate = openGate({ secrets: ['x'.repeat(5), 'word', 'U0EVE', 'channel'] });
    fc.assert(
      fc.property(foreign, (text) => {
        for (const message of messagesWith(text)) expect(faults(gate.message(message))).toEqual([]);
      }),
      { numRuns: fuzzRuns(30) },
    );
  });
});

/** A modal's inputs carry plain text alone; what may be formatted are its other blocks. */
function asMessage({ blocks }: ModalView): Message {
  const parsed = blocks.filter((block): block is KnownBlock => block.type !== 'input');
  return { text: 'x', blocks: parsed };
}
