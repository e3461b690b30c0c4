import { readdirSync, readFileSync } from 'node:fs';
import type { KnownBlock, ModalView, RichTextBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { code, escapeText, markup } from '../../src/report/escape.ts';
import { dflash } from '../../src/slack/commands/dflash.ts';
import { vllm } from '../../src/slack/commands/vllm.ts';
import { openGate } from '../../src/slack/gate.ts';
import { messagesWith } from '../report/messages-with.ts';
import { KEY_BODY, KEY_LINES, SAMPLES } from '../support/secrets.ts';
import { shownTexts } from '../support/slack-texts.ts';
import { setUp } from './set-up.ts';

const OWN = '_Own`v4l<u>e*&:of:the~run_';
const gate = openGate({ secrets: [OWN, 'fivel'] });

/** A message with the text wherever Slack shows one. */
function everywhere(text: string): readonly KnownBlock[] {
  const plain = { type: 'plain_text', text } as const;
  const lines: RichTextBlock['elements'] = [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }];
  const rich: RichTextBlock = { type: 'rich_text', elements: lines };
  const confirm = { title: plain, text: plain, confirm: plain, deny: plain };
  const options = [{ text: plain, value: 'v', description: plain }];
  return [
    { type: 'header', text: plain },
    { type: 'section', text: { type: 'mrkdwn', text }, fields: [plain] },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text },
        { type: 'image', image_url: 'https://x.example/y.png', alt_text: text },
      ],
    },
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: 'stop', value: 'r1', text: plain, accessibility_label: text, confirm }],
    },
    rich,
    {
      type: 'plan',
      title: text,
      tasks: [{ type: 'task_card', task_id: 't', title: text, status: 'complete', details: rich, output: rich }],
    },
    { type: 'image', image_url: 'https://x.example/y.png', alt_text: text, title: plain },
    {
      type: 'input',
      label: plain,
      hint: plain,
      element: {
        type: 'static_select',
        action_id: 'a',
        placeholder: plain,
        options,
        initial_option: { text: plain, value: 'v', description: plain },
      },
    },
    { type: 'table', rows: [[{ type: 'raw_text', text }]] },
    { type: 'markdown', text },
  ];
}

function modal(text: string): ModalView {
  const plain = { type: 'plain_text', text } as const;
  return {
    type: 'modal',
    callback_id: 'launch',
    private_metadata: '{"url":"https://hooks.slack.com/commands/T0/1/abcdefgh"}',
    title: plain,
    submit: plain,
    close: plain,
    blocks: [...everywhere(text)],
  };
}

describe('the last look', () => {
  it.each(SAMPLES)('lets $shape pass in no text of a message or a modal', ({ secret, line }) => {
    for (const text of [line, escapeText(line), code(line), `*${escapeText(line)}*`]) {
      const shown = JSON.stringify([
        gate.message({ text, blocks: everywhere(text) }),
        gate.view(modal(text)),
        gate.text(text),
        gate.errors({ host: text }),
      ]);
      expect(shown).toContain('[masked]');
      for (const written of [secret, escapeText(secret), code(secret).slice(1, -1)])
        expect(shown).not.toContain(JSON.stringify(written).slice(1, -1));
    }
  });

  it.each([OWN, `"${OWN}"`, `x${OWN}x`, `(${OWN})`, ` ${OWN} `])(
    'knows a value of its own in %j as mrkdwn has it',
    (text) => {
      for (const said of [
        text,
        escapeText(text),
        code(text),
        markup(text.replaceAll('`', 'ˋ')),
        `*${escapeText(text)}*`,
      ])
        expect(gate.text(said)).not.toMatch(/v4l/);
    },
  );

  it('hides what is left of a value of its own that was cut off', () => {
    const long = openGate({ secrets: ['0123456789-abcdefghij'] });
    for (let length = 6; length < 21; length += 1)
      expect(long.text(`it said x=${'0123456789-abcdefghij'.slice(0, length)}… and more`)).toBe(
        'it said x=[masked]… and more',
      );
    expect(long.text('it took 01234… and more')).toBe('it took 01234… and more');
  });

  it('leaves words whole of which a value of its own is a part', () => {
    const short = openGate({ secrets: ['test'] });
    expect(short.text('the latest test of testing')).toBe('the latest [masked] of testing');
  });

  it('hides a key of several lines', () => {
    const shown = JSON.stringify(
      gate.message({ text: KEY_LINES.join('\n'), blocks: everywhere(KEY_LINES.join('\n')) }),
    );
    for (const line of KEY_BODY) expect(shown).not.toContain(line);
  });

  it.each(SAMPLES)('lets $shape pass in no message about a run', ({ secret, line }) => {
    for (const message of messagesWith(line)) {
      const shown = JSON.stringify(gate.message(message));
      for (const written of [secret, escapeText(secret), code(secret).slice(1, -1)])
        expect(shown).not.toContain(JSON.stringify(written).slice(1, -1));
    }
  });

  it('takes out what takes effect unseen, and leaves what keeps text of others dead', () => {
    const text = 'a\u202eb\u0000c\u0007\u{e0041}d\ud800e\n\tf 👩‍👩‍👧 @\u2060here :\u2060smile:';
    const safe = 'abcde\n\tf 👩‍👩‍👧 @\u2060here :\u2060smile:';
    const message = gate.message({ text, blocks: everywhere(text) });
    expect(message.text).toBe(safe);
    expect(new Set(shownTexts(message.blocks).map((shown) => shown.text))).toEqual(new Set([safe]));
  });

  it('changes nothing but what is shown', () => {
    const message = gate.message({ text: 'x', blocks: everywhere(OWN), broadcast: true });
    const ids = JSON.stringify(message).match(/"(?:action_id|value|task_id|image_url|status|type)":"[^"]*"/g);
    expect(ids).toEqual(
      JSON.stringify(everywhere(OWN)).match(/"(?:action_id|value|task_id|image_url|status|type)":"[^"]*"/g),
    );
    expect(message.broadcast).toBe(true);
    expect(gate.view(modal('x')).private_metadata).toBe(modal('x').private_metadata);
  });

  it('makes no text longer than it was, so that it still fits', () => {
    const text = `${'fivel '.repeat(400)}`;
    expect(gate.message({ text, blocks: [] }).text.length).toBeLessThanOrEqual(text.length);
    expect(gate.message({ text: 'fivel', blocks: [] }).text).toBe('[masked]');
  });

  it('looks twice without another change', () => {
    for (const { line } of SAMPLES) {
      const once = gate.message({ text: line, blocks: everywhere(line) });
      expect(gate.message(once)).toEqual(once);
    }
  });
});

const docs = new URL('../../docs/', import.meta.url);

describe('words of ours', () => {
  it.each(readdirSync(docs).filter((name) => name.endsWith('.md')))(
    'such as those of docs/%s pass as they are',
    (name) => {
      for (const line of readFileSync(new URL(name, docs), 'utf8').split('\n')) expect(gate.text(line)).toBe(line);
    },
  );

  it.each([...vllm.verbs, ...dflash.verbs].map(({ name }) => name))(
    'of the help on %s pass as they are',
    async (name) => {
      for (const command of ['/vllm', '/dflash'] as const) {
        const { type } = setUp();
        const said = await type(`help ${name}`, { command });
        expect(gate.text(said)).toBe(said);
      }
    },
  );
});
