/** Shells for a user without rights, as many hosts give them. */

import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';
import type { Shell } from './shells.ts';

/** Debian's `nobody`. */
const NOBODY = 65_534;

/** The shell as nobody; with `hidepid` /proc shows it no processes but its own, as hardened hosts do. */
export function asNobody({ name, path }: Shell, { hidepid }: { readonly hidepid: boolean }): Shell {
  const folder = makeFolder('nobody');
  chmodSync(path.split(':')[0] ?? '', 0o755);
  const change = `exec /usr/bin/setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups /usr/bin/env "PATH=$inner" sh "$@"`;
  const hide = `exec /usr/bin/unshare -m /usr/bin/dash -c 'mount -t proc -o hidepid=2 proc /proc || exit 1; ${change}' sh "$@"`;
  writeFileSync(
    join(folder, 'sh'),
    `#!/usr/bin/dash\nexport PATH=/usr/sbin:/usr/bin:/sbin:/bin\nexport inner='${path}'\n${hidepid ? hide : change}\n`,
  );
  chmodSync(join(folder, 'sh'), 0o755);
  return { name: `${name} as nobody${hidepid ? ' who sees only its own processes' : ''}`, path: folder };
}

/** A folder that is nobody's own. */
export function makeNobodysFolder(name: string): string {
  const folder = makeFolder(name);
  chownSync(folder, NOBODY, NOBODY);
  return folder;
}
