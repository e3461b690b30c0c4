/** What the words after `npm run trust-host --` ask for. */

import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run trust-host HOST
       npm run trust-host -- HOST --yes SHA256:…
  Shows the key of a host of vigil.yaml and of each unknown jump host on the way to it, and adds a key to known_hosts
  when you type yes. Compare the fingerprint with the one that the host's owner gives you, or that this shows there:
  for key in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -l -f "$key"; done

  HOST                 its name in vigil.yaml (VIGIL_CONFIG, else ./vigil.yaml)
  --yes SHA256:…       for scripts: adds the key that has this fingerprint, without a question; once for each key
  --help               this text

Exit code: 0 the host's key is known, 1 it is not, 2 wrong usage.
`;

export interface Asked {
  readonly host: string;
  /** Fingerprints that somebody has compared. */
  readonly compared: readonly string[];
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

/** What is asked, 'help', or what is wrong with it as a line for people. */
export function readArguments(words: readonly string[]): Asked | 'help' | { readonly mistake: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        yes: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    const [host, extra] = positionals;
    if (host === undefined) return { mistake: 'found no HOST, expected the name of a host of vigil.yaml' };
    if (extra !== undefined) return { mistake: tooMany(extra) };
    const odd = values.yes.find((fingerprint) => !FINGERPRINT.test(fingerprint));
    if (odd === undefined) return { host, compared: values.yes };
    return { mistake: `found --yes ${odd}, expected a whole fingerprint: SHA256: and 43 characters` };
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}

function tooMany(extra: string): string {
  if (!extra.startsWith('SHA256:')) return `found ${extra} behind HOST, expected one HOST`;
  return `found ${extra} without --yes, which npm takes for itself; write: npm run trust-host -- HOST --yes ${extra}`;
}
