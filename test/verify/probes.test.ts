import { describe, expect, it } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading } from '../../src/log/reading.ts';
import type { Try } from '../../src/verify/measured.ts';
import { nextTask, PROMPTS, pathsOf, promptRequest, promptTask, tasksOf, tryRequest } from '../../src/verify/probes.ts';

const SERVER = { isExtraction: false };
const REFUSED: Try['outcome'] = { kind: 'refused', status: 404, said: 'Not Found' };
const FAILED: Try['outcome'] = { kind: 'failed', status: 500, said: 'boom' };
const ANSWERED: Try['outcome'] = { kind: 'answered', amount: 16, text: 'x' };

/** What is asked for, one after the other, where each gets this outcome. */
function asked(tasks: readonly string[] | null, outcome: Try['outcome'], server = SERVER): readonly Try['task'][] {
  const tries: Try[] = [];
  for (let count = 0; count < 9; count += 1) {
    const task = nextTask(tasks, server, tries);
    if (task === null) break;
    tries.push({ task, outcome });
  }
  return tries.map(({ task }) => task);
}

describe('what a server is asked for', () => {
  it.each([
    [['generate'], ['plain', 'chat']],
    [
      ['generate', 'transcription'],
      ['plain', 'chat'],
    ],
    [['embed', 'token_embed'], ['embedding']],
    [['score'], ['score']],
    [
      ['classify', 'token_classify'],
      ['classify', 'score'],
    ],
    [
      ['classify', 'score', 'token_classify'],
      ['classify', 'score'],
    ],
    [['token_embed'], ['pooling']],
    [['encode'], ['pooling']],
    [
      ['embed', 'score', 'encode'],
      ['embedding', 'score'],
    ],
    [['transcription'], []],
  ] as const)('of %j is what fits', (tasks, expected) => {
    expect(asked(tasks, ANSWERED)).toEqual(expected);
    expect(asked(tasks, REFUSED)).toEqual(expected);
  });

  it('is an embedding where nobody knows what it can do and it refuses to write', () => {
    expect(asked(null, ANSWERED)).toEqual(['plain', 'chat']);
    expect(asked(null, FAILED)).toEqual(['plain', 'chat']);
    expect(asked(null, REFUSED)).toEqual(['plain', 'chat', 'embedding']);
  });

  it('is one completion where each one writes hidden states to a disk', () => {
    expect(asked(['generate'], ANSWERED, { isExtraction: true })).toEqual(['plain']);
    expect(asked(null, REFUSED, { isExtraction: true })).toEqual(['plain']);
  });

  it.each([
    ["INFO 11-30 07:00:00 [api_server.py:1634] Supported_tasks: ['generate', 'embed']", ['generate', 'embed']],
    ["INFO 11-30 07:00:00 [api_server.py:590] Supported tasks: ('generate',)", ['generate']],
    ["INFO 11-30 07:00:00 [api_server.py:590] Supported tasks: {'embed&token_classify'}", ['embed&token_classify']],
    ['INFO 11-30 07:00:00 [api_server.py:590] Supported tasks: ()', null],
    ['INFO 11-30 07:00:00 [api_server.py:590] Starting vLLM API server 0 on http://0.0.0.0:8000', null],
  ] as const)('is known from the log: %s', (line, expected) => {
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    const events = [...reader.feed(new TextEncoder().encode(`${line}\n`)).events, ...reader.end().events];
    expect(tasksOf(events.reduce(addEvent, emptyReading('serve')))).toEqual(expected);
  });
});

describe('the requests', () => {
  it('are small, and as fixed as can be', () => {
    expect(JSON.parse(tryRequest('plain', 'm').body)).toMatchObject({ model: 'm', max_tokens: 16, temperature: 0 });
    expect(tryRequest('chat', 'm').path).toBe('/v1/chat/completions');
    expect(JSON.parse(tryRequest('embedding', 'm').body)).toMatchObject({ model: 'm', input: expect.any(String) });
    expect(Object.keys(JSON.parse(tryRequest('score', 'm').body))).toEqual(['model', 'text_1', 'text_2']);
  });

  it('stream each fixed prompt for the same number of tokens, as a chat where one works', () => {
    expect(PROMPTS).toHaveLength(4);
    for (const prompt of PROMPTS)
      for (const as of ['chat', 'plain'] as const) {
        const body: unknown = JSON.parse(promptRequest(prompt, as, 'm').body);
        expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true }, ignore_eos: true });
        expect(body).toMatchObject({ model: 'm', max_tokens: 128, temperature: 0 });
        expect(JSON.stringify(body)).toContain(JSON.stringify(prompt.text).slice(1, -1));
      }
    expect(
      promptTask([
        { task: 'plain', outcome: ANSWERED },
        { task: 'chat', outcome: ANSWERED },
      ]),
    ).toBe('chat');
    expect(
      promptTask([
        { task: 'plain', outcome: ANSWERED },
        { task: 'chat', outcome: REFUSED },
      ]),
    ).toBe('plain');
    expect(promptTask([{ task: 'embedding', outcome: ANSWERED }])).toBeNull();
  });

  it('go to the plain path first, and below the root path after it', () => {
    expect(pathsOf('/v1/models', { rootPath: '' })).toEqual(['/v1/models']);
    expect(pathsOf('/v1/models', { rootPath: '/llm' })).toEqual(['/v1/models', '/llm/v1/models']);
  });
});
