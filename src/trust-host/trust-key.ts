/** One host's key: shown, compared by a person, added. */

import type { Connecting } from '../ssh/connection.ts';
import { judge, type KnownHost, readKnownHost, showExpected, showRevocation } from '../ssh/host-key.ts';
import { fingerprint, fingerprintOf, type HostKeyVerdict, keyType } from '../ssh/known-hosts.ts';
import type { Login } from '../ssh/login.ts';
import { showHostKey } from '../ssh/show-key.ts';
import { type Change, type NewKey, planChange, readKnownHosts, writeKnownHosts } from './known-hosts-file.ts';

export interface Terminal {
  /** A person sits there. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  write(text: string): void;
  warn(text: string): void;
}

interface Asking {
  /** Fingerprints that somebody has compared. */
  readonly compared: readonly string[];
  readonly terminal: Terminal;
}

/** Whether the key is known in the end. Throws HostUnreachable or HostRefused where none can be seen. */
export async function trustKey(connecting: Connecting, { compared, terminal }: Asking): Promise<boolean> {
  const { login } = connecting;
  const known = await readKnownHost(login);
  const shown = await showHostKey(connecting);
  const verdict = judge(known, shown).kind;
  terminal.write(describe({ login, known, shown, verdict }));
  if (verdict === 'known') return true;
  if (verdict === 'revoked') {
    terminal.warn(
      `Nothing was added: ${showRevocation(known, shown)} revokes this key. The host needs a new one; ask its owner.\n`,
    );
    return false;
  }
  const file = login.hostKeys.files.find((path) => path !== '/dev/null');
  if (file === undefined) {
    terminal.warn(
      'Nothing was added: no known_hosts file is named for it. Name one: known_hosts in vigil.yaml, UserKnownHostsFile in ~/.ssh/config.\n',
    );
    return false;
  }
  const { name, isHashed } = login.hostKeys;
  return change({ file, added: { name, key: shown, isHashed }, terminal }, () =>
    isConfirmed(login, shown, { compared, terminal }),
  );
}

interface Changing {
  readonly file: string;
  readonly added: NewKey;
  readonly terminal: Terminal;
}

/** Says what will change, and changes it once that is confirmed: by then the file may be another. */
async function change(changing: Changing, confirm: () => Promise<boolean>): Promise<boolean> {
  const { file, added, terminal } = changing;
  try {
    terminal.write(announce(planChange(await readKnownHosts(file), added), file));
    if (!(await confirm())) return false;
    await writeKnownHosts(file, planChange(await readKnownHosts(file), added).text);
    terminal.write(`  added to ${file}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const line = planChange('', added).text;
    terminal.warn(
      `Nothing was added: ${file} can't be changed (${error.message}). Let this user write it, or add this line to it yourself:\n${line}`,
    );
    return false;
  }
}

interface Description {
  readonly login: Login;
  readonly known: KnownHost;
  readonly shown: Buffer;
  readonly verdict: HostKeyVerdict['kind'];
}

function describe({ login, known, shown, verdict }: Description): string {
  const { host, address, port, hostKeys } = login;
  const expected = showExpected(known);
  const lines = {
    known: ['  known  yes: nothing to do'],
    revoked: ['  known  as revoked'],
    unknown: [
      `  known  no key for ${hostKeys.name} in ${[...hostKeys.files, ...hostKeys.systemFiles].join(', ') || 'any file'}`,
    ],
    changed: [
      `  known  ${expected}`,
      '  The key is another one than before: either the host was set up anew, or another machine answers in its place.',
    ],
  }[verdict];
  return [`${host} (${address}, port ${port})`, `  shows  ${fingerprint(shown)}`, ...lines, ''].join('\n');
}

function announce({ replaced, left }: Change, file: string): string {
  const gone = replaced.length === 0 ? '' : `  ${file}: the old key of ${lines(replaced)} will be replaced.\n`;
  const stays =
    left.length === 0 ? '' : `  ${file}: ${lines(left)} stays, since its pattern means other hosts too; look at it.\n`;
  return gone + stays;
}

function lines(numbers: readonly number[]): string {
  return `line${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
}

async function isConfirmed(
  { host, trustedBy }: Login,
  shown: Buffer,
  { compared, terminal }: Asking,
): Promise<boolean> {
  const found = fingerprintOf(shown);
  if (compared.includes(found)) return true;
  if (compared.length > 0) {
    terminal.warn(
      `Nothing was added: ${host} shows ${found}, expected was ${compared.join(' or ')} (--yes). Ask the host's owner which is right.\n`,
    );
    return false;
  }
  if (!terminal.isInteractive) {
    terminal.warn(
      `Nothing was added: nobody is there to ask. Compare the fingerprint with the owner's, then run: npm run trust-host -- ${trustedBy} --yes ${found}\n`,
    );
    return false;
  }
  const answer = await terminal.ask(
    `Does the host's owner give you the same fingerprint (${keyType(shown)})? Type yes to trust it: `,
  );
  if (answer.trim() === 'yes') return true;
  terminal.warn('Nothing was added.\n');
  return false;
}
