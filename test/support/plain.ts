import { block } from '../../rehearsal/slack/block-kit.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import type { Message } from '../../src/chat.ts';

/** A message as a person reads it; throws for blocks that Slack would refuse. */
export function plainMessage(message: Message): string {
  return toPlainText({ text: message.text, blocks: message.blocks.map((one) => block.parse(one)) });
}
