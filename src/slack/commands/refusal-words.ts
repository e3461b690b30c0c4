/** Why somebody may not do something on a host, or is not shown it, and what they can do about it. */

import type { Verb } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../list.ts';
import { capital } from '../../report/phase-words.ts';
import { isGroup, whyUnsure } from '../../rights.ts';
import type { Call } from '../call.ts';

export function refusalWords({ config, who, from }: Call, right: Verb, host: string): string {
  const what = right === 'see' ? 'see what runs' : right;
  const refused = `Refused: you (${from.user}) may not ${what} on ${host}`;
  const unsure = whyUnsure(config, who, right, [host]);
  if (unsure !== null) return `${refused}, as far as Slack tells. ${unsure} Try again in a minute.`;
  const granted = Object.hasOwn(config.hosts, host) ? config.hosts[host]?.rights[right] : undefined;
  const people = granted === undefined || granted === 'anyone' ? [] : granted;
  const key = `hosts.${host}.rights.${right}`;
  return `${refused}. ${whoMay(people)} Whoever keeps vigil.yaml can add you under ${key}.`;
}

/** What stands below a list of what somebody has a right to, where Slack leaves open whether there is more; else null. */
export function missingWords({ config, who }: Pick<Call, 'config' | 'who'>, ...rights: readonly Verb[]): string | null {
  const unsure = rights.map((right) => whyUnsure(config, who, right, Object.keys(config.hosts)));
  const first = unsure.find((words) => words !== null);
  return first === undefined ? null : `Hosts may be missing here. ${first}`;
}

/** What is named isn't among what somebody has a right to, as far as Slack tells. */
export function notFound(call: Pick<Call, 'config' | 'who'>, message: string, ...rights: readonly Verb[]): UsageError {
  const missing = missingWords(call, ...rights);
  return new UsageError(missing === null ? message : `${message} ${missing}`);
}

/** Counted: names would have to be asked for, and ids say nothing to people. */
function whoMay(people: readonly string[]): string {
  if (people.length === 0) return 'Nobody may.';
  const groups = people.filter(isGroup).length;
  const others = people.length - groups;
  const words = [
    ...(others === 0 ? [] : [others === 1 ? 'one person' : `${others} people`]),
    ...(groups === 0 ? [] : [groups === 1 ? 'one user group' : `${groups} user groups`]),
  ];
  return `${capital(list(words))} may.`;
}
