import { describe, expect, test } from 'vitest';
import { context, message, preformatted, section } from '../../src/report/blocks.ts';
import { renderCard } from '../../src/report/card.ts';
import { escapeText } from '../../src/report/escape.ts';
import { plainMessage, withoutPlan } from '../../src/report/plain.ts';
import { renderReply } from '../../src/report/reply.ts';
import { time } from '../../src/report/words.ts';
import { event, OOM, sampleRun, T0, VIEW, visits } from './sample-run.ts';

const LOADING = sampleRun({
  visits: visits({ queued: 0, checking: 1, launched: 2, connecting: 12, loading: 15 }),
  progress: { phase: 'loading', done: 3, total: 15 },
});

function plain(...blocks: Parameters<typeof message>[1]): string {
  const said = plainMessage(message('text', blocks));
  return said.blocks.map((block) => (block.type === 'section' ? block.text?.text : block.type)).join('\n');
}

describe('a message without its plan', () => {
  test('has its tasks as lines in the same place, and all else as it was', () => {
    const card = renderCard(LOADING, VIEW);
    const at = card.blocks.findIndex(({ type }) => type === 'plan');
    const without = withoutPlan(card);
    expect(without.text).toBe(card.text);
    expect(without.blocks.toSpliced(at, 1)).toEqual(card.blocks.toSpliced(at, 1));
    expect(without.blocks[at]).toMatchObject({
      type: 'section',
      text: { text: expect.stringContaining('\n⏳ Loading weights 3/15 ▰▰▱▱▱▱▱▱▱▱ 20 % · 45 s\n▫️ Verifying') },
    });
  });

  test('stays as it is where it has none', () => {
    const reply = renderReply(event({ kind: 'lost', why: 'The host is gone.' }, 9), LOADING, VIEW);
    expect(reply).not.toBeNull();
    if (reply !== null) expect(withoutPlan(reply)).toEqual(reply);
  });
});

describe('a message as plain text', () => {
  test('has no block but sections of plain text, none of them too long, and the same sentence', () => {
    const card = renderCard(LOADING, VIEW);
    const said = plainMessage(card);
    expect(said.text).toBe(card.text);
    for (const block of said.blocks) expect(block).toMatchObject({ type: 'section', text: { type: 'plain_text' } });
    const text = plain(...card.blocks);
    for (const words of [
      'Loading weights 3/15: dflash on kpro5 (`kpro5-3`)',
      '✅ Connecting the GPUs · 3 s',
      'Asked by Alice',
    ])
      expect(text).toContain(words);
  });

  test('has no marks of ours, and all that a log wrote, whatever it looks like', () => {
    expect(plain(section('*What to do:* see `dmesg -T`'))).toBe('What to do: see `dmesg -T`');
    expect(plain(section(escapeText('a < b & *c* _d_ `e` ~f~ 2*3')))).toBe('a < b & *c* _d_ `e` ~f~ 2*3');
    expect(plain(preformatted('*raw* &lt; <@U1>'))).toBe('*raw* &lt; <@U1>');
    expect(plain(section('`a * b` and *bold* and `c * d`'))).toBe('`a * b` and bold and `c * d`');
  });

  test('has times, links and channels by their words', () => {
    expect(plain(context([`Asked by Alice, ${time(T0)}`, 'port 8000']))).toBe(
      'Asked by Alice, 2026-11-30 07:00 UTC, port 8000',
    );
    expect(plain(section('<https://example.com/a?b=1|its thread>, in <#C0OPS>'))).toBe(
      'its thread (https://example.com/a?b=1), in #C0OPS',
    );
  });

  test('still mentions whom the message mentions, in a block of their own', () => {
    const exit = { code: 1, signal: null, at: T0 };
    const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
    const reply = renderReply(event({ kind: 'failed', failure }, 9), sampleRun({}), VIEW);
    if (reply === null) throw new Error('a failure is told');
    const [first, ...rest] = plainMessage(reply).blocks;
    expect(first).toMatchObject({ type: 'section', text: { type: 'mrkdwn', text: '<@U0ALICE>' } });
    expect(JSON.stringify(rest)).not.toContain('<@');
    expect(JSON.stringify(rest)).toContain('torch.OutOfMemoryError: CUDA out of memory');
  });

  test('mentions nobody whom a log names', () => {
    expect(plain(section(escapeText('<@U0EVE>')), preformatted('said <!here>'))).toBe('<@U0EVE>\nsaid <!here>');
  });

  test('says its sentence where it has no words in blocks', () => {
    expect(plainMessage({ text: '*Ready*: `kpro5-3`', blocks: [] }).blocks).toMatchObject([
      { text: { type: 'plain_text', text: 'Ready: `kpro5-3`' } },
    ]);
  });
});
