import { describe, expect, test } from 'vitest';
import { renderReply } from '../../src/report/reply.ts';
import type { View } from '../../src/report/view.ts';
import type { Failure, Run, RunEventBody } from '../../src/run/run.ts';
import type { Verification } from '../../src/verify/verification.ts';
import { plainMessage } from '../support/plain.ts';
import {
  BEFORE,
  DEATH,
  DISK,
  ERRORS,
  event,
  FALL,
  HANG,
  HEALTHY,
  LIVELY,
  OOM,
  sampleRun,
  T0,
  UNUSABLE,
  VIEW,
  WARNED,
  WELL,
} from './sample-run.ts';

const READY = { phase: 'ready', verification: HEALTHY, vitals: LIVELY } as const;
const READINESS = {
  proof: 'socket',
  model: 'Qwen3-8B',
  by: 'forwarding',
  completion: 'It completed a prompt in 0.8 s.',
} as const;

function shown(body: RunEventBody, changes: Partial<Run> = READY, view: View = VIEW): string {
  const reply = renderReply(event(body, 120), sampleRun(changes), view);
  return reply === null ? '' : `${reply.text}\n---\n${plainMessage(reply)}`;
}

/** What Slack notifies by. */
function isMentioned(body: RunEventBody, changes: Partial<Run> = READY): boolean {
  return JSON.stringify(renderReply(event(body, 120), sampleRun(changes), VIEW)).includes('<@U0ALICE>');
}

describe('ready', () => {
  test('and well: where it serves, then its numbers', () => {
    expect(shown({ kind: 'ready', readiness: READINESS, verification: HEALTHY })).toMatchInlineSnapshot(`
      "<@U0ALICE> kpro5-3 (dflash) is ready. It answers on port 8000 of kpro5, 2 min after the command: 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74). It serves Qwen3-8B.
      ---
      @U0ALICE kpro5-3 (dflash) is ready.
      Qwen3-8B answers on port 8000, 2 min after the command.
      The listening socket belongs to this run. It completed a prompt in 0.8 s.
      Measured (vLLM 0.20.1): 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74).
      Acceptance rate 11 %, by position ▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁: 70 % at position 1, 45 % at 2, below 0.1 % at 15.
      ✅ Passed: access, model name, completion, chat, acceptance, speed, first token, configuration"
    `);
  });

  test('with warnings: these first', () => {
    const said = shown({ kind: 'ready', readiness: READINESS, verification: WARNED });
    expect(said.split('\n---\n')[0]).toMatchInlineSnapshot(
      `"<@U0ALICE> kpro5-3 (dflash) is ready with warnings: acceptance and configuration. Mean acceptance length 1.96: after the 2nd position next to nothing is accepted. Compare \`layer_types\` and \`sliding_window\` in the drafter's config.json with those that it was trained with."`,
    );
    expect(said.indexOf('What to do')).toBeLessThan(said.indexOf('answers on port 8000'));
  });

  test('and of no use: the head says so, not that it is ready', () => {
    const said = shown({ kind: 'ready', readiness: READINESS, verification: UNUSABLE });
    expect(said).toMatch(/^<@U0ALICE> kpro5-3 \(dflash\) is up, and not usable: drafts are not accepted\. Mean/);
    expect(said).not.toContain('is ready');
  });

  test('with the team’s note before anything else, and the way to the thread where it was seen', () => {
    const body = { kind: 'ready', readiness: READINESS, verification: UNUSABLE } as const;
    const lines =
      shown(body, READY, { ...VIEW, before: BEFORE })
        .split('\n---\n')[1]
        ?.split('\n') ?? [];
    expect(lines[1]).toBe(
      "Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over, then restart.",
    );
    expect(lines).toContain(
      'Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread (https://example.slack.com/archives/C0OPS/p1)',
    );
  });
});

test('a server that nobody can ask is told when it is up, with why it is not verified', () => {
  const run = { phase: 'verifying' } as const;
  expect(shown({ kind: 'unverified', why: 'headless' }, run)).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) has started, and is not verified. It can't be asked: it serves no HTTP (\`--headless\`): it is a node of a server on another host, which can be asked there.
    ---
    @U0ALICE kpro5-3 (dflash) has started, and is not verified.
    Not verified: it serves no HTTP (--headless): it is a node of a server on another host, which can be asked there. Its process and its log are all that is judged."
  `);
  expect(isMentioned({ kind: 'unverified', why: 'headless' }, run)).toBe(true);
});

test('a server that completes nothing is told as not usable, with what to do and what comes next', () => {
  const verification: Verification = {
    ...WELL,
    outcome: 'unusable',
    findings: [
      {
        ...{ id: 'plain', as: 'failed', found: 'A completion was answered with 500: CUDA error.', expected: null },
        ...{ advice: 'Look into its log.', causes: [], shape: null },
      },
    ],
  };
  expect(shown({ kind: 'unusable', verification }, { phase: 'verifying', verification })).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) is up, and not usable: it completes no prompt. A completion was answered with 500: CUDA error. Look into its log.
    ---
    @U0ALICE kpro5-3 (dflash) is up, and not usable: it completes no prompt.
    ⛔ Completion: A completion was answered with 500: CUDA error.
    What to do: Look into its log.
    It is not ready. Vigil goes on asking it, and tells here when it is."
  `);
});

describe('verified again', () => {
  const again = { ...HEALTHY, by: 'U0BOB' };
  const asked = { ...READY, verification: again };
  const view = { ...VIEW, verifierName: 'Bob' };

  test('as well as before: by whom, beside the time before, without a mention', () => {
    const body = { kind: 'verified', verification: again, before: WARNED } as const;
    expect(shown(body, asked, view)).toMatchInlineSnapshot(`
      "kpro5-3 (dflash): Verified again, asked by Bob: ready; the time before ready with warnings (acceptance and configuration). 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74)
      ---
      Verified again, asked by Bob: ready; the time before ready with warnings (acceptance and configuration).
      Now (vLLM 0.20.1): 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74).
      Acceptance rate 11 %, by position ▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁: 70 % at position 1, 45 % at 2, below 0.1 % at 15.
      ✅ Passed: access, model name, completion, chat, acceptance, speed, first token, configuration
      The time before: 48.3 tokens/s, mean acceptance length 1.96.
      The record stays as it was."
    `);
    expect(isMentioned(body, asked)).toBe(false);
  });

  test('worse than before: with a mention', () => {
    const body = { kind: 'verified', verification: { ...UNUSABLE, by: 'U0BOB' }, before: HEALTHY } as const;
    expect(shown(body, asked, view).split('\n---\n')[0]).toMatchInlineSnapshot(
      `"<@U0ALICE> kpro5-3 (dflash) does worse than before. Verified again, asked by Bob: not usable (drafts are not accepted); the time before ready. Mean acceptance length 1.18, acceptance rate 1.2 %: the drafts are worth nothing. Compare the drafter's config.json with the one that it was trained with, then restart."`,
    );
    expect(isMentioned(body)).toBe(true);
  });

  test('says whether the record was set', () => {
    const body = { kind: 'verified', verification: { ...again, recorded: 'accepted' }, before: HEALTHY } as const;
    expect(shown(body)).toContain("Accepted as the recipe's record on this host from now on.");
    expect(shown(body)).not.toContain('The record stays');
    expect(shown({ ...body, verification: { ...again, record: null } })).toContain('No record was set.');
  });
});

describe('a hang', () => {
  test('of the engine is told with what shows it and what to do', () => {
    expect(shown({ kind: 'hang', hang: HANG })).toMatchInlineSnapshot(`
      "<@U0ALICE> kpro5-3 (dflash) hangs. Its engine has done nothing for 2 min, with 4 requests in work and 2 waiting.
      ---
      @U0ALICE kpro5-3 (dflash) hangs.
      Its engine has done nothing for 2 min, with 4 requests in work and 2 waiting.
      • /health still answers 200: it looks at a flag, not at the engine.
      • Not one token since: its counter stands at 12,345.
      • In use: 2.0 CPU cores, GPU at 100 %: ranks that wait for each other look like that.
      • Its log says that it waits for a worker: No available shared memory broadcast block.
      What to do: /vllm logs kpro5-3 shows what it said last. /vllm restart kpro5-3 ends it and starts it again; what it has in work is lost."
    `);
  });

  test('says that a request of Vigil’s own was not completed either, where one was sent', () => {
    const own = "A request of Vigil's own (16 tokens) was not completed either.";
    expect(shown({ kind: 'hang', hang: { ...HANG, ownUnanswered: true } })).toContain(own);
    expect(shown({ kind: 'hang', hang: HANG })).not.toContain(own);
  });

  test('of the whole server needs no counters', () => {
    const hang = {
      ...HANG,
      what: 'server',
      health: 'silent',
      generatedTokens: null,
      cores: null,
      gpuUse: null,
    } as const;
    const said = shown({ kind: 'hang', hang: { ...hang, saysThatItWaits: false } });
    expect(said).toContain('It has answered nothing for 2 min.\n• /health gives no answer in time.\nWhat to do:');
  });

  test('of what somebody started by hand offers no restart, which Vigil can’t do', () => {
    const found = { process: null, size: 0, trigger: null, answered: false };
    const run = sampleRun(READY, { found });
    const reply = renderReply(event({ kind: 'hang', hang: HANG }, 9), run, VIEW);
    expect(JSON.stringify(reply)).toContain('/vllm stop kpro5-3');
    expect(JSON.stringify(reply)).not.toContain('/vllm restart');
  });

  test('that is over is said without a mention', () => {
    expect(shown({ kind: 'hang_over', hang: HANG, ms: 240_000 })).toContain(
      'It works again: it had done nothing for 4 min.',
    );
    expect(isMentioned({ kind: 'hang_over', hang: HANG, ms: 1 })).toBe(false);
  });
});

describe('a dead engine', () => {
  const failure: Failure & { kind: 'ended' } = {
    ...{ kind: 'ended', exit: { code: 0, signal: null, at: T0 }, during: 'ready', cause: OOM, tail: [] },
  };
  const dead = { ...READY, phase: 'failed', failure, vitals: { ...LIVELY, death: DEATH } } as const;

  test('is told like a failure: cause, traceback, what to do', () => {
    expect(shown({ kind: 'engine_dead', death: DEATH })).toMatchInlineSnapshot(`
      "<@U0ALICE> kpro5-3 (dflash): its engine has died. CUDA out of memory. Free GPU 1, or lower --gpu-memory-utilization.
      ---
      @U0ALICE kpro5-3 (dflash): its engine has died.
      CUDA out of memory (Worker_TP1, line 101 of the log)
      Each GPU holds its share of the weights, and the drafter's.
          Traceback (most recent call last):
            … 1 outer frame left out …
            File "vllm/model_executor/layers/linear.py", line 201, in create_weights
              data=torch.empty(
          torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB.
      What to do: Free GPU 1, or lower --gpu-memory-utilization.
      It answers nobody; its process ends by itself as a rule. To start it again: /vllm restart kpro5-3"
    `);
  });

  test('without a cause says where to look', () => {
    expect(shown({ kind: 'engine_dead', death: { ...DEATH, how: 'health', cause: null } })).toMatchInlineSnapshot(`
      "<@U0ALICE> kpro5-3 (dflash): its engine has died. Its log shows no cause.
      ---
      @U0ALICE kpro5-3 (dflash): its engine has died.
      The log shows no cause. What to do: read its end: /vllm logs kpro5-3
      /health answers 503: its engine is dead. It answers nobody; its process ends by itself as a rule. To start it again: /vllm restart kpro5-3"
    `);
  });

  test('makes the end of its process a short word: no second traceback, no second mention', () => {
    expect(shown({ kind: 'failed', failure }, dead)).toMatchInlineSnapshot(`
      "kpro5-3 (dflash): Its engine died, then its process ended with exit code 0 (vLLM ends tidily when its engine dies); nobody asked for a stop.
      ---
      Its engine died, then its process ended with exit code 0 (vLLM ends tidily when its engine dies); nobody asked for a stop.
      To try again once that is changed: /vllm launch kpro5 dflash"
    `);
    expect(isMentioned({ kind: 'failed', failure }, dead)).toBe(false);
    expect(shown({ kind: 'failed', failure: { ...failure, cause: null } }, dead)).not.toContain('The log shows no');
  });

  test('of which the end shows another cause is told anew', () => {
    const other = { ...failure, cause: { ...OOM, title: 'A GPU fell off the bus', fingerprint: 'ffffffffffff' } };
    const said = shown({ kind: 'failed', failure: other }, { ...dead, failure: other });
    expect(said).toMatch(/^<@U0ALICE> kpro5-3 \(dflash\) failed\. A GPU fell off the bus\./);
    expect(said).toContain('Traceback');
  });
});

test('acceptance that fell is told with before and after', () => {
  expect(shown({ kind: 'acceptance_fell', fall: FALL })).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash): fewer of its drafts are accepted than before. Mean acceptance length fell from 2.70 to 1.18.
    ---
    @U0ALICE kpro5-3 (dflash): fewer of its drafts are accepted than before.
    ⚠️ Acceptance fell, on what clients ask for.
    Before: mean acceptance length 2.70, acceptance rate 11 %, by position ▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁: 70 % at position 1, 45 % at 2, below 0.1 % at 15
    Now: mean acceptance length 1.18, acceptance rate 1.2 %, by position ▂▁▁············: 16 % at position 1, 1.9 % at 2, 0 % at 15
    The recipe's floor is a mean acceptance length of 2.00.
    What to do: /vllm verify kpro5-3 asks it the fixed prompts. If those do as well as before, clients ask for something else by now (another language, thinking switched on); if not, it is the server or its drafter."
  `);
});

describe('a disk that fills up', () => {
  test('is told with what is on it and what to do', () => {
    expect(shown({ kind: 'disk', disk: DISK })).toMatchInlineSnapshot(`
      "<@U0ALICE> kpro5-3 (dflash): a disk fills up. 3.2 GiB of 100 GiB left on / (the log), full in about 2 h at the pace of the last hours.
      ---
      @U0ALICE kpro5-3 (dflash): a disk fills up.
      ⚠️ Disk: 3.2 GiB of 100 GiB left on / (the log), full in about 2 h at the pace of the last hours.
      What to do: free space on /. On a full disk the log stops, and whatever writes there fails."
    `);
  });

  test.each([
    ['almost full', { free: 4 * 1024 ** 3, fullInMs: null }, true],
    ['full before long', { free: 80 * 1024 ** 3, fullInMs: 5 * 3_600_000 }, true],
    ['neither', { free: 40 * 1024 ** 3, fullInMs: null }, false],
  ])('that is %s mentions who asked or not', (_, changes, expected) => {
    expect(isMentioned({ kind: 'disk', disk: { ...DISK, ...changes } })).toBe(expected);
  });
});

describe('server errors', () => {
  test('are told without a mention', () => {
    expect(shown({ kind: 'errors', errors: ERRORS })).toMatchInlineSnapshot(`
      "kpro5-3 (dflash): 31 of 400 answers in 5 min were errors of its own (5xx).
      ---
      ⚠️ Server errors: 31 of 400 answers in 5 min were errors of its own (5xx).
      The newest: RuntimeError: shared memory is gone
      What to do: /vllm logs kpro5-3 shows what it said of them."
    `);
    expect(isMentioned({ kind: 'errors', errors: ERRORS })).toBe(false);
  });

  test.each([
    [{ of: null, count: 1 }, '1 answer in 5 min was an error of its own (5xx).'],
    [{ of: null }, '31 answers in 5 min were errors of its own (5xx).'],
    [{ from: 'log' }, "31 errors of the server's own in its log in 5 min."],
  ] as const)('counted as %j are said as they were counted', (changes, words) => {
    expect(shown({ kind: 'errors', errors: { ...ERRORS, ...changes } })).toContain(words);
  });
});
