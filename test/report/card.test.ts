import { describe, expect, test } from 'vitest';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import type { View } from '../../src/report/view.ts';
import type { Run } from '../../src/run/run.ts';
import type { Verification } from '../../src/verify/verification.ts';
import { plainMessage } from '../support/plain.ts';
import {
  BEFORE,
  DEATH,
  DISK,
  ERRORS,
  FALL,
  HANG,
  HEALTHY,
  IDLE,
  LIVELY,
  OOM,
  sampleRun,
  T0,
  UNUSABLE,
  VIEW,
  visits,
  WARNED,
} from './sample-run.ts';

const LOADING = { queued: 0, checking: 0.4, launched: 2, configuring: 9, connecting: 12, loading: 15 };

function shown(changes: Partial<Run>): string {
  const card = renderCard(sampleRun(changes), VIEW);
  return `${card.text}\n---\n${plainMessage(card)}`;
}

test('a loading run shows its progress, its phases, its log and its buttons', () => {
  const progress = { phase: 'loading', done: 12, total: 15 } as const;
  expect(shown({ phase: 'loading', visits: visits(LOADING), progress })).toMatchInlineSnapshot(`
    "Loading weights 12/15: dflash on kpro5 (kpro5-3). 80 % done.
    ---
    ⏳ Loading weights 12/15: dflash on kpro5 (kpro5-3)
    ▰▰▰▰▰▰▰▰▱▱ 80 %
    Step 5, 1 min since the command
    ✓ Checking the host · 1.6 s
    ✓ Process started · 7 s
    ✓ Reading its configuration · 3 s
    ✓ Connecting the GPUs · 3 s
    ◐ Loading weights 12/15 ▰▰▰▰▰▰▰▰▱▱ 80 % · 45 s
    ○ Verifying
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1  Last heard 2026-11-30 07:01:00 UTC
    [Stop] [Restart] [Log]"
  `);
});

test('a ready run says where it serves and how that is known', () => {
  const readiness = {
    proof: 'socket',
    model: 'Qwen3-8B',
    by: 'forwarding',
    completion: 'It completed a prompt in 0.8 s.',
  } as const;
  const seen = visits({ ...LOADING, compiling: 30, capturing: 90, verifying: 100, ready: 102 });
  expect(shown({ phase: 'ready', visits: seen, readiness })).toMatchInlineSnapshot(`
    "Ready: dflash on kpro5 (kpro5-3). Qwen3-8B answers on port 8000.
    ---
    ✅ Ready: dflash on kpro5 (kpro5-3)
    Serving at http://0.0.0.0:8000/v1 as Qwen3-8B
    checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 15 s › compiling 1 min › capturing 10 s › verifying 2 s › ready 2026-11-30 07:01 UTC, 1 min 42 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    [Stop] [Restart] [Log]"
  `);
});

test('a readiness that could only be inferred is said to be not proved ours', () => {
  const readiness = { proof: 'inferred', model: null, by: 'curl', completion: 'It completed a prompt.' } as const;
  expect(shown({ phase: 'ready', readiness })).toContain('Not proved ours');
});

test('a failed run shows cause, exception line, remedy and end, and no Stop', () => {
  const exit = { code: 1, signal: null, at: T0 + 40_000 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  expect(shown({ phase: 'failed', visits: visits({ ...LOADING, failed: 40 }), failure })).toMatchInlineSnapshot(`
    "Failed: dflash on kpro5 (kpro5-3). CUDA out of memory.
    ---
    ❌ Failed: dflash on kpro5 (kpro5-3)
    CUDA out of memory (Worker_TP1, line 101 of the log)
    What to do: Free GPU 1, or lower --gpu-memory-utilization.
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.
    The process ended with exit code 1 while it was loading weights.
    To try again once that is changed: /vllm launch kpro5 dflash
    checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 25 s › failed 2026-11-30 07:00 UTC, 40 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    [Restart] [Log] [Explain]"
  `);
});

test('of a long exception the card shows the first line, cut, after what to do', () => {
  const exit = { code: 1, signal: null, at: T0 };
  const cause = { ...OOM, message: `CUDA error: ${'x'.repeat(400)}\nCompile with TORCH_USE_CUDA_DSA` };
  const failure = { kind: 'ended', exit, during: 'loading', cause, tail: [] } as const;
  const lines = shown({ phase: 'failed', failure }).split('\n');
  const exception = lines.findIndex((line) => line.startsWith('    torch.OutOfMemoryError'));
  expect(lines[exception]?.trim()).toHaveLength(160);
  expect(lines[exception - 1]).toMatch(/^What to do: /);
  expect(lines[exception + 1]).toMatch(/^The process ended/);
  expect(lines).toContain('To try again once that is changed: /vllm launch kpro5 dflash');
});

test('where the same again is of use the card points to its button, which starts it as it was', () => {
  const exit = { code: 1, signal: null, at: T0 };
  const failed = (retry: 'may help' | 'helps', changes: Partial<Run> = {}): string => {
    const failure = { kind: 'ended', exit, during: 'loading', cause: { ...OOM, retry }, tail: [] } as const;
    return shown({ phase: 'failed', failure, ...changes });
  };
  expect(failed('may help')).toContain('while it was loading weights. Restart may help.\n');
  expect(failed('helps')).toContain('Restart usually helps.');
  expect(failed('helps')).not.toContain('/vllm launch');
  const again = { run: 'vigil-kpro5-9', name: 'kpro5-9' };
  expect(failed('helps', { restartedAs: again })).not.toContain('usually helps');
});

test('without a cause the card shows the last lines and where to read on', () => {
  const exit = { code: 126, signal: null, at: T0 };
  const tail = ['the first one', 'x'.repeat(500), 'the last but one', 'the last line'];
  const failure = { kind: 'ended', exit, during: 'verifying', cause: null, tail } as const;
  const card = shown({ phase: 'failed', failure });
  expect(card).toContain('Exit code 126: the shell found the command, but it may not be run.');
  expect(card).toContain(
    `    ${'x'.repeat(159)}…\n    the last but one\n    the last line\nWhat to do: read the end of the log: /vllm logs kpro5-3\n`,
  );
  expect(card).not.toContain('the first one');
});

test('a phase that comes twice in a row is told once', () => {
  const twice = [
    { phase: 'configuring', at: T0 },
    { phase: 'configuring', at: T0 + 600 },
    { phase: 'loading', at: T0 + 1100 },
  ] as const;
  expect(shown({ phase: 'loading', visits: twice })).toContain(
    '✓ Reading its configuration · 1.1 s\n◐ Loading weights · 59 s\n',
  );
});

test('a run that was refused is not started, and says why', () => {
  const failure = { kind: 'refused', reason: 'Port 8000 on kpro5 is taken by pid 77 (python).' } as const;
  expect(shown({ phase: 'failed', started: null, failure }).split('\n')[0]).toBe(
    'Not started: dflash on kpro5 (kpro5-3). Port 8000 on kpro5 is taken by pid 77 (python).',
  );
});

test('a killed process is explained', () => {
  const exit = { code: null, signal: 9, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: null, tail: ['last line'] } as const;
  expect(shown({ phase: 'failed', failure })).toContain("the kernel's out-of-memory killer or a kill -9");
});

test('a stopped run shows what proves it', () => {
  const stop = { proven: true, evidence: ['All 5 processes are gone.', 'Port 8000 is closed.'] };
  const stopped = { phase: 'stopped', visits: visits({ ...LOADING, stopped: 50 }), stopBy: 'U0BOB', stop } as const;
  expect(shown(stopped)).toMatchInlineSnapshot(`
    "Stopped: dflash on kpro5 (kpro5-3).
    ---
    ⏹️ Stopped: dflash on kpro5 (kpro5-3)
    • All 5 processes are gone.
    • Port 8000 is closed.
    checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 35 s › stopped 2026-11-30 07:00 UTC, 50 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  Stop asked by Bob  port 8000  GPUs 0 and 1
    [Restart] [Log]"
  `);
});

test('a lost run says why', () => {
  expect(
    shown({ phase: 'lost', visits: visits({ ...LOADING, lost: 50 }), lost: 'The host was restarted.' }),
  ).toMatchInlineSnapshot(`
    "Lost: dflash on kpro5 (kpro5-3). The host was restarted.
    ---
    ❓ Lost: dflash on kpro5 (kpro5-3)
    The host was restarted.
    What to do: look at dmesg -T and uptime on the host, then launch again when it is as it should be.
    checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 35 s › lost 2026-11-30 07:00 UTC, 50 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    [Restart] [Log] [Explain]"
  `);
});

test('a run out of contact keeps what was last seen', () => {
  expect(shown({ phase: 'loading', pulse: 'out_of_contact' }).split('\n')[0]).toBe(
    'Out of contact, last seen loading weights: dflash on kpro5 (kpro5-3).',
  );
});

test('a run that is being stopped offers no second Stop', () => {
  expect(shown({ phase: 'loading', stopBy: 'U0BOB' })).not.toContain('[Stop]');
});

describe('a server that is up', () => {
  const seen = visits({ ...LOADING, verifying: 100, ready: 102 });
  const readiness = {
    proof: 'socket',
    model: 'Qwen3-8B',
    by: 'forwarding',
    completion: 'It completed a prompt.',
  } as const;
  const up = { phase: 'ready', visits: seen, readiness, verification: HEALTHY, vitals: LIVELY } as const;

  /** Without what every card has below. */
  function above(changes: Partial<Run>, view: View = VIEW): string {
    const card = renderCard(sampleRun(changes), view);
    const lines = `${card.text}\n---\n${plainMessage(card)}`.split('\n');
    return lines
      .slice(
        0,
        lines.findIndex((line) => /^checking |^Ready \d/.test(line)),
      )
      .join('\n');
  }

  test('and well says so first, then where it serves, its load and its numbers', () => {
    expect(above(up)).toMatchInlineSnapshot(`
      "Ready: dflash on kpro5 (kpro5-3). Qwen3-8B answers on port 8000.
      ---
      ✅ Ready: dflash on kpro5 (kpro5-3)
      Serving at http://0.0.0.0:8000/v1 as Qwen3-8B
      3 running, 0 waiting, 812 tokens/s, KV cache 41 %, mean acceptance length 2.70, as of 2026-11-30 09:46 UTC.
      Verified 2026-11-30 07:01 UTC (vLLM 0.20.1): 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74).
      Acceptance rate 11 % ▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁"
    `);
  });

  test('with warnings says what of, and what to do, before its numbers', () => {
    expect(above({ ...up, verification: WARNED }, { ...VIEW, before: BEFORE })).toMatchInlineSnapshot(`
      "Ready with warnings (acceptance and configuration): dflash on kpro5 (kpro5-3). Mean acceptance length 1.96: after the 2nd position next to nothing is accepted. Compare \`layer_types\` and \`sliding_window\` in the drafter's config.json with those that it was trained with.
      ---
      ⚠️ Ready with warnings (acceptance and configuration): dflash on kpro5 (kpro5-3)
      Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over, then restart.
      ⚠️ Acceptance: Mean acceptance length 1.96: after the 2nd position next to nothing is accepted.
      Expected: about 2.74, as kpro5-2 reached.
      What to do: Compare layer_types and sliding_window in the drafter's config.json with those that it was trained with.
      Likely cause: Its sliding-window layers run as full attention: vLLM before 0.25 drops sliding_window without a word. (1 more in the thread)
      ⚠️ Configuration: max_model_len is 16384.
      Expected: 32768, as its command asks.
      What to do: Look for what lowered it: /vllm logs kpro5-3.
      Verified 2026-11-30 07:01 UTC (vLLM 0.20.1): 48.3 tokens/s (disturbed by others; record 73.5 of kpro5-2), first token after 84 ms.
      Acceptance rate 6.4 % ▆▂▁▁·
      ✅ Passed: access, model name, completion, chat
      ❔ Not judged: speed (others compute on its GPUs: pid 4711 (python, user bob) on GPU 1)
      3 running, 0 waiting, 812 tokens/s, KV cache 41 %, mean acceptance length 2.70, as of 2026-11-30 09:46 UTC.
      Serving at http://0.0.0.0:8000/v1 as Qwen3-8B
      Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread (https://example.slack.com/archives/C0OPS/p1)"
    `);
  });

  test('and of no use is not called ready', () => {
    const card = above({ ...up, verification: UNUSABLE });
    expect(card).toMatchInlineSnapshot(`
      "Not usable (drafts are not accepted): dflash on kpro5 (kpro5-3). Mean acceptance length 1.18, acceptance rate 1.2 %: the drafts are worth nothing. Compare the drafter's config.json with the one that it was trained with, then restart.
      ---
      ⛔ Not usable (drafts are not accepted): dflash on kpro5 (kpro5-3)
      ⛔ Acceptance: Mean acceptance length 1.18, acceptance rate 1.2 %: the drafts are worth nothing.
      Expected: about 2.74, as kpro5-2 reached.
      What to do: Compare the drafter's config.json with the one that it was trained with, then restart.
      Likely cause: The target layers are read one off: vLLM before 0.22 takes target_layer_ids literally. (2 more in the thread)
      Looked at 2026-11-30 07:01 UTC (vLLM 0.20.1): 31.4 tokens/s (record 73.5 of kpro5-2), first token after 84 ms.
      Acceptance rate 1.2 % ▂▁▁············
      ✅ Passed: access, model name, completion, chat, configuration
      3 running, 0 waiting, 812 tokens/s, KV cache 41 %, mean acceptance length 2.70, as of 2026-11-30 09:46 UTC."
    `);
    expect(card).not.toContain('✅ Ready');
  });

  test('that completes nothing is not ready and may become so', () => {
    const verification: Verification = { ...UNUSABLE, speed: null, acceptance: null, findings: [] };
    const card = above({ phase: 'verifying', visits: seen.slice(0, -1), verification });
    expect(card).toContain('⛔ Not usable: dflash on kpro5 (kpro5-3)');
    expect(card).toContain('It is not ready: Vigil goes on asking it, and tells when it is.');
  });

  test('that has nothing to do is idle', () => {
    const load = { ...IDLE, at: T0 + 10_000_000 };
    expect(above({ ...up, vitals: { ...LIVELY, load } })).toContain('Idle: no requests, as of 2026-11-30 09:46 UTC.');
    const uncounted = { ...LIVELY, load: null, answeredAt: load.at };
    expect(above({ ...up, vitals: uncounted })).toContain(
      'It answers, as of 2026-11-30 09:46 UTC. Its load is not counted.',
    );
  });

  test('that hangs shows that on top, and no load of before', () => {
    const card = above({ ...up, vitals: { ...LIVELY, hang: HANG } });
    expect(card).toMatchInlineSnapshot(`
      "Hangs (requests wait, nothing is generated): dflash on kpro5 (kpro5-3). Its engine has done nothing for 2 min, with 4 requests in work and 2 waiting.
      ---
      🚨 Hangs (requests wait, nothing is generated): dflash on kpro5 (kpro5-3)
      Its engine has done nothing for 2 min, with 4 requests in work and 2 waiting.
      • /health still answers 200: it looks at a flag, not at the engine.
      • Not one token since: its counter stands at 12,345.
      What to do: /vllm logs kpro5-3 shows what it said last. /vllm restart kpro5-3 ends it and starts it again; what it has in work is lost."
    `);
    expect(card).not.toContain('812 tokens/s');
  });

  test('whose engine is dead shows why and what to do, and no numbers of better days', () => {
    expect(above({ ...up, vitals: { ...LIVELY, death: DEATH } }, { ...VIEW, before: BEFORE })).toMatchInlineSnapshot(`
      "Engine dead: dflash on kpro5 (kpro5-3). CUDA out of memory.
      ---
      🚨 Engine dead: dflash on kpro5 (kpro5-3)
      Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over, then restart.
      CUDA out of memory (Worker_TP1, line 101 of the log)
      What to do: Free GPU 1, or lower --gpu-memory-utilization.
          torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.
      Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread (https://example.slack.com/archives/C0OPS/p1)
      It answers nobody; its process ends by itself as a rule. To start it again: /vllm restart kpro5-3"
    `);
  });

  test('shows what stands against it, what presses most first', () => {
    const card = above({ ...up, vitals: { ...LIVELY, disks: [DISK], errors: ERRORS, fall: FALL } });
    expect(card.split('\n')[0]).toMatchInlineSnapshot(
      `"Ready with warnings (disk, server errors and acceptance fell): dflash on kpro5 (kpro5-3). 3.2 GiB of 100 GiB left on / (the log), full in about 2 h at the pace of the last hours."`,
    );
    const places = ['Disk:', 'Server errors:', 'Acceptance fell', 'Verified', '3 running'].map((word) =>
      card.indexOf(word, 300),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('that is out of contact keeps what was last seen of it', () => {
    expect(above({ ...up, pulse: 'out_of_contact', verification: WARNED })).toContain(
      '📡 Out of contact, last seen ready with warnings (acceptance and configuration): dflash',
    );
  });

  test('of an older Vigil, without a verification, is ready all the same', () => {
    expect(above({ ...up, verification: null, vitals: null })).toMatch(/^Ready: .*\n---\n✅ Ready: .*\nServing at/);
  });

  test('that cannot be asked says why it is not verified', () => {
    const argv = ['vllm', 'serve', 'Qwen/Qwen3-8B', '--headless'];
    const headless = sampleRun({ phase: 'verifying' }, { argv, address: null });
    expect(plainMessage(renderCard(headless, VIEW))).toContain(
      'Not verified: it serves no HTTP (--headless): it is a node of a server on another host',
    );
    const unknown = sampleRun({ phase: 'verifying' }, { argv: ['bash', 'serve.sh'], address: null });
    expect(plainMessage(renderCard(unknown, VIEW))).toContain(
      'no process of it says on its command line where it serves',
    );
  });

  test('in details holds every cause, and all of the load', () => {
    const details = plainMessage(renderDetails(sampleRun({ ...up, verification: UNUSABLE }), VIEW));
    expect(details).toContain('• It is the drafter of another model.');
    expect(details).toContain('In 5 min: prompts 1,240 tokens/s, 14 requests finished a minute, 70 answers ok');
    expect(details).not.toContain('[Stop]');
  });

  test('in details hides nothing that its card shows', () => {
    const view = { ...VIEW, before: BEFORE };
    for (const verification of [HEALTHY, WARNED, UNUSABLE]) {
      const run = sampleRun({ ...up, verification, vitals: { ...LIVELY, hang: HANG, disks: [DISK], errors: ERRORS } });
      const details = plainMessage(renderDetails(run, view));
      const lines = plainMessage(renderCard(run, view)).split('\n');
      const isOwn = (line: string): boolean => !/^Likely cause: |^\[Stop\]|^Ready 2/.test(line);
      expect(lines.filter(isOwn).filter((line) => !details.includes(line))).toEqual([]);
    }
  });

  test('and has ended still says in details how it was verified last', () => {
    const exit = { code: 1, signal: null, at: T0 };
    const failure = { kind: 'ended', exit, during: 'ready', cause: OOM, tail: [] } as const;
    const ended = sampleRun({ ...up, phase: 'failed', failure });
    expect(plainMessage(renderDetails(ended, VIEW))).toContain(
      'Verified 2026-11-30 07:01 UTC (vLLM 0.20.1): 71.9 tokens/s',
    );
    expect(plainMessage(renderCard(ended, VIEW))).not.toContain('71.9 tokens/s');
  });
});

test('a failure that was seen before begins with the team’s note and links the earlier thread', () => {
  const exit = { code: 1, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  const card = plainMessage(renderCard(sampleRun({ phase: 'failed', failure }), { ...VIEW, before: BEFORE }));
  expect(card).toMatch(
    /^❌ .*\nYour team's note \(by Bob, 2026-11-29 07:00 UTC\): Copy the good config.json over, then restart\.\nCUDA out of memory/,
  );
  expect(card).toContain('Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread (https://example.slack.com/');
});

test('an earlier thread without a link is named by its channel', () => {
  const exit = { code: 1, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  const earlier = BEFORE.earlier === null ? null : { ...BEFORE.earlier, link: null };
  const card = renderCard(sampleRun({ phase: 'failed', failure }), { ...VIEW, before: { earlier, note: null } });
  expect(JSON.stringify(card)).toContain('its thread is in <#C0OPS>');
});
