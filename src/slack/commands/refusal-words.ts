/** Why somebody may not do something on a host, and what they can do about it. */

import type { Verb } from '../../config/config.ts';
import { list } from '../../list.ts';
import { capital } from '../../report/phase-words.ts';
import { isGroup, whyUnsure } from '../../rights.ts';
import type { Call } from '../call.ts';

export function refusalWords({ config, who, from }: Call, right: Verb, host: string): string {
  const refused = `Refused: you (${from.user}) may not ${right} on ${host}`;
  const unsure = whyUnsure(config, who, right, host);
  if (unsure !== null) return `${refused}, as far as Slack tells. ${unsure} Try again in a minute.`;
  const granted = Object.hasOwn(config.hosts, host) ? config.hosts[host]?.rights[right] : undefined;
  const people = granted === undefined || granted === 'anyone' ? [] : granted;
  const key = `hosts.${host}.rights.${right}`;
  return `${refused}. ${whoMay(people)} Whoever keeps vigil.yaml can add you under ${key}.`;
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
