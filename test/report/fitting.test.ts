import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { context, preformatted, section } from '../../src/report/blocks.ts';
import { fitting } from '../../src/report/fitting.ts';

test('blocks that Slack takes stay as they are', () => {
  const blocks = [section('a'.repeat(2900)), context(['b']), preformatted('c'.repeat(2400))];
  expect(fitting(blocks)).toEqual(blocks);
});

test('of blocks that are too long together the longest are cut, and what is short stays whole', () => {
  const blocks = [section('short'), ...Array.from({ length: 8 }, () => section('a'.repeat(2800))), preformatted('c')];
  const texts = fitting(blocks).flatMap((block) => (block.type === 'section' ? [block.text?.text ?? ''] : []));
  expect(texts[0]).toBe('short');
  expect(new Set(texts.slice(1).map(({ length }) => length))).toEqual(new Set([1499]));
  expect(texts[1]).toMatch(/…$/);
});

test('a block without text is left alone', () => {
  const button = { type: 'button', text: { type: 'plain_text', text: 'Stop' }, action_id: 'stop', value: 'r' } as const;
  const actions: KnownBlock = { type: 'actions', elements: [button] };
  const blocks: KnownBlock[] = [actions, ...Array.from({ length: 8 }, () => preformatted('c'.repeat(2400)))];
  expect(fitting(blocks)[0]).toEqual(actions);
});
