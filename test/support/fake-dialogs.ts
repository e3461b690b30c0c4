import type { ModalView } from '@slack/types';
import { optionsOf } from '../../rehearsal/slack/block-kit/elements.ts';
import { modalView, type ViewBlock } from '../../rehearsal/slack/block-kit/view.ts';
import { block } from '../../rehearsal/slack/block-kit.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { ChatError } from '../../src/chat.ts';
import type { Dialogs } from '../../src/slack/call.ts';

/** A person's modal in memory, with all that was shown in it; throws for views that Slack would refuse. */
export class FakeDialogs implements Dialogs {
  /** All that was shown, oldest first. */
  readonly shown: ModalView[] = [];
  isClosed = false;
  /** What Slack answers to the next calls instead. */
  readonly failures: ChatError[] = [];

  async open(view: ModalView): Promise<string> {
    this.#show(view);
    return 'V1';
  }

  async update(_id: string, view: ModalView, hash?: string | null): Promise<string | null> {
    if (this.isClosed) throw new ChatError('gone', 'views.update: Slack says not_found');
    if (hash !== undefined && hash !== null && hash !== this.#hash)
      throw new ChatError('gone', 'views.update: Slack says hash_conflict');
    this.#show(view);
    return this.#hash;
  }

  /** The newest view. */
  get view(): ModalView {
    const view = this.shown.at(-1);
    if (view === undefined) throw new Error('no modal was opened');
    return view;
  }

  /** The newest view as a person reads it. */
  get text(): string {
    return plainView(this.view);
  }

  get #hash(): string {
    return `h${this.shown.length}`;
  }

  #show(view: ModalView): void {
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    modalView.parse(view);
    this.shown.push(view);
  }
}

function plainView({ title, submit, blocks }: ModalView): string {
  const lines = modalView.shape.blocks
    .parse(blocks)
    .map((one) => (one.type === 'input' ? field(one) : toPlainText({ text: '', blocks: [block.parse(one)] })));
  return [`# ${title.text}`, ...lines, ...(submit === undefined ? [] : [`[${submit.text}]`])].join('\n');
}

/** A list or ticks: what is chosen from the start, and what there is to choose. */
function field({ element, label, hint }: Extract<ViewBlock, { type: 'input' }>): string {
  if (element.type !== 'static_select' && element.type !== 'checkboxes') return `${label.text}: [${element.type}]`;
  const rows = optionsOf(element).map(
    ({ text, description }) => `  ( ) ${text.text}${description === undefined ? '' : `: ${description.text}`}`,
  );
  const chosen = element.type === 'static_select' ? element.initial_option : undefined;
  const head = chosen === undefined ? label.text : `${label.text}: ${chosen.text.text}`;
  return [head, ...rows, ...(hint === undefined ? [] : [hint.text])].join('\n');
}
