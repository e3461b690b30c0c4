import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import { Automaton } from '../../src/log/gate/automaton.ts';
import { Gate } from '../../src/log/gate/gate.ts';
import { literalsOf } from '../../src/log/gate/literals.ts';
import { serverSigns } from '../../src/log/gate/signs.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { RULES } from '../../src/log/rules/table.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import type { Cut } from '../support/log-reading.ts';

const corpus = new URL('../corpus/serve/', import.meta.url);
const logs = readdirSync(corpus).map((name) => readFileSync(new URL(`${name}/log.txt`, corpus)));
/** The first lines of a log are all read. */
const BEGINNING = Buffer.from('INFO:     10.0.0.7:41022 - "GET /health HTTP/1.1" 200 OK\n'.repeat(600));
const lines = logs.flatMap((log) => log.toString('latin1').split('\n'));

describe('the words that a match must hold', () => {
  it.each<[RegExp, readonly string[] | null]>([
    [/^engine core exited/, ['engine core exited']],
    [/died, exit code: -(?:9|11)\b/, ['died, exit code: -9', 'died, exit code: -11']],
    [/(?:Loading|Reading) weights?$/i, ['loading weight', 'loading weights', 'reading weight', 'reading weights']],
    [/^\S+: \[?killed\]?$/, [': killed', ': killed]', ': [killed', ': [killed]']],
    [/^\[[ab-d]\] done/, ['[a] done', '[b] done', '[c] done', '[d] done']],
    [/^\[\d\] done/, ['] done']],
    [/[Ss]tarting (\w+) now/, ['starting ']],
    [/(?:abc)+\d/, ['abc']],
    [/(?:abcd|\d+)x/, null],
    [/(?:abcd)*x/, null],
    [/a\d/, null],
    [/(?!never)said(?<=aid)/, ['said']],
    [/say "hello" there/, [' there']],
    // Go, so Docker, escapes these in JSON.
    [/never <before & after> again/, ['before ']],
  ])('%s: %j', (pattern, words) => {
    expect(literalsOf(pattern)).toEqual(words);
  });

  it('are never missing where the expression matches', () => {
    for (const { pattern, sample } of [...FAILURE_RULES, ...RULES]) {
      const words = pattern === undefined ? null : literalsOf(pattern);
      if (words !== null) expect(words.some((word) => sample.toLowerCase().includes(word))).toBe(true);
    }
  });
});

describe('the automaton', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '▄'), minLength: 1, maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '▄', '\n'), maxLength: 60 });

  it('finds the first of four stretches that holds one of its words', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.tuple(text, text, text, text), (words, parts) => {
        const encoded = parts.map((part) => Buffer.from(part));
        const [a, b, c, d] = encoded.map((_, index) => Buffer.concat(encoded.slice(0, index)).length);
        const all = Buffer.concat(encoded);
        const found = parts.findIndex((part) => words.some((each) => part.toLowerCase().includes(each)));
        const stretches = [a ?? 0, b ?? 0, c ?? 0, d ?? 0, all.length] as const;
        expect(new Automaton(words).firstIn(all, stretches)).toBe(found === -1 ? null : found);
      }),
    );
  });
});

describe('the gate', () => {
  const gate = new Gate(serverSigns());
  const isIdle = (text: string) => {
    const bytes = Buffer.from(`${text}\n`);
    return gate.idleUntil(bytes, 0, bytes.length) === bytes.length;
  };

  it.each([...RULES, ...FAILURE_RULES].map(({ sample }) => sample))('lets through, plain and in JSON: %s', (sample) => {
    expect(isIdle(sample)).toBe(false);
    expect(isIdle(JSON.stringify({ level: 'INFO', message: sample }))).toBe(false);
  });

  it.each([
    '(APIServer pid=1) INFO:     10.0.0.7:41022 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
    'INFO 11-30 07:41:56 [loggers.py:127] Engine 000: Avg prompt throughput: 12.0 tokens/s, Running: 1 reqs, GPU KV cache usage: 0.4%',
  ])('stops what says nothing: %s', (text) => {
    expect(isIdle(text)).toBe(true);
  });

  it('lets through what hides a word behind control characters', () => {
    expect(isIdle('Appli\u0000cation startup com\u001b[0mplete.')).toBe(false);
    expect(isIdle('Appli\u0085cation startup complete.')).toBe(false);
  });

  it.each([
    'INFO 04-29 06:13:29 [core_client.py:9] [shutdown] MPClient: worker exited unexpectedly',
    // A traceback in parts, as structlog and its like write it.
    '{"event": "boom", "exception": [{"exc_type": "ValueError", "exc_value": "no", "frames": [{"filename": "a.py"}]}]}',
    '{"message": "boom", "exc_info": [{"exc_type": "KeyError"}]}',
  ])('changes nothing of a trouble that stands in %s', (line) => {
    const log = Buffer.from(`${line}\n`);
    expect(read(log)).toMatchObject({ events: [{ kind: 'trouble' }] });
    expect(read(log, { tail: 0 })).toEqual(read(log));
  });

  it('stops at the first line that may mean something, or that has no end yet', () => {
    const idle = 'INFO:     10.0.0.7:41022 - "GET /health HTTP/1.1" 200 OK\n';
    const text = Buffer.from(`${idle.repeat(300)}INFO:     Application startup complete.\n${idle.repeat(9)}`);
    const ready = idle.length * 300;
    expect(gate.idleUntil(text, 0, text.length)).toBe(ready);
    expect(gate.idleUntil(text, 0, idle.length * 2 + 7)).toBe(idle.length * 2);
    const behind = text.indexOf('\n', ready) + 1;
    expect(gate.idleUntil(text.subarray(0, -1), behind, text.length - 1)).toBe(text.length - idle.length);
  });

  it('changes nothing that is read of the labelled logs', () => {
    for (const log of logs) expect(read(log, { tail: 0 })).toEqual(read(log));
  });

  it('changes nothing that is read of their lines in any order, however cut, resumed anywhere, for any tail', () => {
    const some = fc.array(fc.tuple(fc.constantFrom(...lines), fc.constantFrom('\n', '\n', '\n', '\r', '')), {
      maxLength: 120,
    });
    const cuts = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), resumes: fc.boolean() }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(some, cuts, fc.constantFrom(0, 1, 5, 1000), (chosen, at, tail) => {
        const log = Buffer.from(chosen.map((each) => each.join('')).join(''), 'latin1');
        expect(read(log, { tail, cuts: at })).toEqual(read(log));
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('changes nothing where each byte is a place to resume at', () => {
    const log = Buffer.concat([
      Buffer.from(JSON.stringify({ message: 'boom', exception: [{ exc_type: 'ValueError', exc_value: 'no' }] })),
      Buffer.from('\nLoading safetensors checkpoint shards:  50% Completed | 1/2 [00:09<00:02,  1.3s/it]\r\n\n'),
      Buffer.from('Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no\nmore\n\nKill'),
      Buffer.from('INFO:     10.0.0.7:41022 - "GET /health HTTP/1.1" 200 OK\nKilled'),
    ]);
    const cuts = Array.from(log, (_, at) => ({ at: at / log.length, resumes: true }));
    expect(read(log, { tail: 0, cuts })).toEqual(read(log));
  });
});

describe('the beginning of a log', () => {
  it('is read whole, and so tells what stands before every line', () => {
    const log =
      '[web] \n[web] (APIServer pid=7) INFO 11-30 07:41:56 [api_server.py:9] vLLM API server version 0.11.0\n[web] Killed\n';
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null, tail: 0 });
    const { events } = reader.feed(Buffer.from(log));
    expect(events.filter(({ kind }) => kind === 'trouble')).toMatchObject([
      { line: 3, trouble: { message: 'Killed' } },
    ]);
  });
});

describe('the last lines', () => {
  it('are shown as many as were asked for, of each feed', () => {
    const text = Buffer.from('one\ntwo\nthree\nfour\nfi');
    const shown = (tail: number) => {
      const reader = openLogReader({ kind: 'serve', secrets: [], resume: null, tail });
      reader.feed(BEGINNING);
      return [...reader.feed(text).lines, ...reader.end().lines];
    };
    expect(shown(2)).toEqual(['three', 'four', 'fi']);
    expect(shown(0)).toEqual(['fi']);
    expect(shown(9)).toEqual(['one', 'two', 'three', 'four', 'fi']);
  });
});

/** What is read behind a beginning without meaning: in one piece, with all lines shown, unless it is said otherwise. */
function read(log: Buffer, { tail, cuts = [] }: { tail?: number; cuts?: readonly Cut[] } = {}): unknown {
  const options = { kind: 'serve', secrets: [], ...(tail === undefined ? {} : { tail }) } as const;
  const bytes = Buffer.concat([BEGINNING, log]);
  let reader = openLogReader({ ...options, resume: null });
  let from = 0;
  const events: LogEvent[] = [];
  for (const { at, resumes } of cuts.toSorted((a, b) => a.at - b.at)) {
    const to = BEGINNING.length + Math.floor(at * log.length);
    events.push(...reader.feed(bytes.subarray(from, to)).events);
    const saved: ReturnType<typeof reader.checkpoint> = JSON.parse(JSON.stringify(reader.checkpoint()));
    if (resumes) reader = openLogReader({ ...options, resume: saved });
    from = resumes ? saved.offset : to;
  }
  events.push(...reader.feed(bytes.subarray(from)).events, ...reader.end().events);
  return { events, checkpoint: reader.checkpoint() };
}
