/** A server that is up as far as anybody can know: nobody can ask it. */

import type { Message } from '../chat.ts';
import type { Run, Unasked } from '../run/run.ts';
import { section } from './blocks.ts';
import { nameOf, told } from './say.ts';

/** Why nobody can ask it whether it is ready. */
const WHY_NOT_VERIFIED: Readonly<Record<Unasked, string>> = {
  no_address: "no process of it says on its command line where it serves, so that it can't be asked",
  headless: 'it serves no HTTP (`--headless`): it is a node of a server on another host, which can be asked there',
  certificate: 'it takes nobody without a certificate of theirs (`--ssl-cert-reqs`), and Vigil has none',
};

/** For a card, as mrkdwn. */
export function notVerified(why: Unasked): string {
  return `*Not verified*: ${WHY_NOT_VERIFIED[why]}. Its process and its log are all that is judged.`;
}

/** It notifies who asked, as readiness would. */
export function renderUnverified(why: Unasked, run: Run): Message {
  const head = `${nameOf(run)} has started, and is not verified.`;
  return told(run, head, [section(notVerified(why))], `It can't be asked: ${WHY_NOT_VERIFIED[why]}.`);
}
