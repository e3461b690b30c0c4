/** Who may do what: person × host × verb, from vigil.yaml; nobody by default. */

import type { Chat } from './chat.ts';
import type { Config, Verb } from './config/config.ts';

/** null = allowed; else the sentence that says why not and who can change it. Throws what `chat.person` throws. */
export async function mayDo(
  { config, chat }: { config: Config; chat: Pick<Chat, 'person'> },
  { user, host, verb }: { user: string; host: string; verb: Verb },
): Promise<string | null> {
  const allowed = config.hosts[host]?.rights[verb] ?? [];
  if (allowed !== 'anyone' && !allowed.includes(user)) {
    return `You may not ${verb} on ${host}: vigil.yaml lists who may under hosts.${host}.rights.${verb}. Ask whoever keeps that file.`;
  }
  const person = await chat.person(user);
  if (person.kind === 'member') return null;
  const what = { guest: 'guests', bot: 'bots', stranger: 'people of another workspace' }[person.kind];
  return `You may not ${verb} on ${host}: ${what} can't use Vigil, whatever vigil.yaml says.`;
}
