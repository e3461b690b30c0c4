// @ts-check
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./machine.mjs').Machine} Machine */

const MARK = '# vigil-prepare ';

/**
 * Refuses every start of a service by Debian's own means, /usr/sbin/policy-rc.d (exit 101), until the returned function
 * puts back what was there. Services that run stay as they are. The policy ends with our process even if nobody puts it back.
 * @param {Machine} machine
 * @returns {() => void}
 */
export function refuseStarts(machine) {
  const { policy, former } = paths(machine.root);
  const policyAsRootSeesIt = '/usr/sbin/policy-rc.d.vigil-former';
  mkdirSync(join(policy, '..'), { recursive: true });
  const text = [
    '#!/bin/sh',
    `${MARK}${process.pid}`,
    `if kill -0 ${process.pid} 2>/dev/null; then exit 101; fi`,
    `if [ -x ${policyAsRootSeesIt} ]; then exec ${policyAsRootSeesIt} "$@"; fi`,
    'exit 0',
  ];
  const draft = `${policy}.vigil-draft`;
  writeFileSync(draft, `${text.join('\n')}\n`);
  chmodSync(draft, 0o755); // whatever the umask
  if (isThere(policy)) renameSync(policy, former);
  renameSync(draft, policy);
  return () => putBack(machine);
}

/** The process whose policy stands, or null; 0 when only the former policy stands aside. @param {Machine} machine */
export function policyOwner({ root }) {
  const { policy, former } = paths(root);
  if (!isThere(policy)) return isThere(former) ? 0 : null;
  if (!lstatSync(policy).isFile()) return null; // an administrator's link: not ours
  const owner = new RegExp(`^${MARK}(\\d+)$`, 'm').exec(readFileSync(policy, 'utf8'))?.[1];
  return owner === undefined ? null : Number(owner);
}

/** Takes our policy away, a killed set-up's as well, and puts the former one back; any other is left alone. @param {Machine} machine */
export function putBack(machine) {
  const { policy, former } = paths(machine.root);
  if (policyOwner(machine)) rmSync(policy);
  if (isThere(former) && !isThere(policy)) renameSync(former, policy);
}

/** @param {string} root */
function paths(root) {
  const policy = join(root, 'usr/sbin/policy-rc.d');
  return { policy, former: `${policy}.vigil-former` };
}

/** A dangling link counts as well. @param {string} path */
const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
