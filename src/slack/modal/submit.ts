/** A submitted modal: the words that a person would have typed, carried out as those are. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { UsageError } from '../../errors.ts';
import { clean, clip } from '../../report/escape.ts';
import { DeskClosed } from '../../requests.ts';
import { answerError, doing } from '../answer-error.ts';
import type { Call } from '../call.ts';
import { carryOut } from '../carry-out.ts';
import { oneOf, recipeOf } from '../commands/arguments.ts';
import { mustHave, type SlashCommand } from '../commands/define.ts';
import { dflash } from '../commands/dflash.ts';
import { vllm } from '../commands/vllm.ts';
import { identify } from '../identify.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import { type Chosen, FIELDS } from './fields.ts';
import { offeredTo, withOnlyOnes } from './offered.ts';

/** What it comes to: something for the person to put right in the modal, or an answer in place of it. */
export type Submitted =
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'said'; readonly message: Message };

type Asking = Omit<Call, 'who'>;

/** What Slack shows below a field is cut here, so that it fits a phone. */
const MOST_ERROR = 400;

const SLASHES: Readonly<Record<Kind, SlashCommand>> = { serve: vllm, train: dflash };

/** Never rejects. The call's trigger is the modal's id: however often it is sent, it is one launch. */
export async function submit(kind: Kind, chosen: Chosen, asking: Asking): Promise<Submitted> {
  const slash = SLASHES[kind];
  const { start } = KINDS[kind];
  const whatFor = doing(slash, [start]);
  try {
    const call: Call = { ...asking, who: await identify(asking, asking.from) };
    const understood = understand(withOnlyOnes(chosen, offeredTo(call.who, kind, call.config)), kind, call);
    if (understood.kind === 'wrong') return understood;
    return { kind: 'said', message: await carryOut(slash, [start, ...understood.words], call) };
  } catch (error) {
    if (error instanceof UsageError) return refused(error, asking);
    const message = answerError(asking, error, whatFor);
    if (!(error instanceof DeskClosed)) return { kind: 'said', message };
    // The modal stays open: one click is enough when Redis is back.
    return { kind: 'wrong', errors: { [FIELDS.host]: inField(`${whatFor.whenClosed} Try again in a minute.`) } };
  }
}

type Understood = Extract<Submitted, { kind: 'wrong' }> | { readonly kind: 'words'; readonly words: readonly string[] };

/** The words behind the verb, or by field what is missing or gone from vigil.yaml. Throws UsageError for what isn't allowed any more. */
function understand({ host, recipe, isQueued, isForced }: Chosen, kind: Kind, call: Call): Understood {
  const { config } = call;
  const fields = z.object({ host: oneOf('host', Object.keys(config.hosts)), recipe: recipeOf(kind, config) });
  const { data, error } = fields.safeParse({ host: host ?? undefined, recipe: recipe ?? undefined });
  if (data === undefined) {
    const wrong = error.issues.map(({ path, message }) => [String(path[0]), inField(message)]);
    return { kind: 'wrong', errors: Object.fromEntries(wrong) };
  }
  mustHave(call, 'launch', data.host);
  if (isForced) mustHave(call, 'force', data.host);
  const options = [...(isQueued ? ['--queue'] : []), ...(isForced ? ['--force'] : [])];
  return { kind: 'words', words: [data.host, data.recipe, ...options] };
}

/** A refusal stands at the host: that field is in every modal of ours, and what one may do depends on it. */
function refused(error: UsageError, { log, from }: Asking): Submitted {
  const reason = error instanceof Refused ? error.reason : 'usage';
  log.info({ user: from.user, reason }, 'a modal was not carried out');
  return { kind: 'wrong', errors: { [FIELDS.host]: inField(error.message) } };
}

/** Slack parses nothing there, so backticks would be seen. */
function inField(sentence: string): string {
  return clip(clean(sentence).replaceAll('`', ''), MOST_ERROR);
}
