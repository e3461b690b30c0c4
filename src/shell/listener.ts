/** Who listens on a port or socket file: /proc/net says which sockets listen, /proc/PID/fd who holds them. */

import type { ServerAddress } from '../address.ts';
import type { Listener } from '../host/process.ts';
import { DESCRIBE } from './owner.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export function renderListener(address: ServerAddress): Script {
  return { name: 'listener', text: `LC_ALL=C\n${LISTENER}\nvigil_listener\n`, input: addressLines(address) };
}

/** What `vigil_listener` reads. */
export function addressLines(address: ServerAddress): string {
  if (address.kind === 'unix') return line('unix') + line(address.path);
  return line('tcp') + line(address.port.toString(16).toUpperCase().padStart(4, '0'));
}

/** Only sockets that stand in the way of `address` count: the same address, or any where one of both means all. */
export function parseListener(output: string, address: ServerAddress): Listener {
  const rows = output.split('\n').map((row) => row.split(' '));
  const inodes = rows.filter(([kind, local = '']) => kind === 'socket' && covers(local, address)).map((row) => row[2]);
  if (inodes.length === 0) return { kind: 'closed' };
  const holders = rows.filter(([kind, , inode]) => kind === 'holder' && inodes.includes(inode)).map((row) => row[1]);
  const pid = Math.min(...holders.map(Number));
  const about = rows.find(([kind, owner]) => kind === 'process' && Number(owner) === pid);
  if (about === undefined) return { kind: 'unknown' };
  const [, , since = '-', run = '-', user = '-', ...command] = about;
  return {
    kind: 'known',
    pid,
    command: command.join(' ').trim().slice(0, 400),
    run: run === '-' ? null : run,
    user: user === '-' ? null : user,
    since: since === '-' ? null : Number(since),
  };
}

function covers(local: string, address: ServerAddress): boolean {
  if (address.kind === 'unix' || !isIp(address.host) || isAny(address.host)) return true;
  const ip = readAddress(local);
  return isAny(ip) || ip === address.host || ip === expand(address.host);
}

function isIp(host: string): boolean {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
}

function isAny(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '::' || /^0{1,4}(:0{1,4}){7}$/.test(ip);
}

/** /proc/net prints an address as 32-bit words in the host's byte order (little-endian on every host with such GPUs). */
function readAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  const isMapped = bytes.slice(0, 12).join('') === `${'00'.repeat(10)}FFFF`;
  if (isMapped)
    return bytes
      .slice(12)
      .map((byte) => Number.parseInt(byte, 16))
      .join('.');
  return (bytes.join('').match(/.{4}/g) ?? []).join(':').toLowerCase();
}

/** An IPv6 address with all its digits; others as they are. */
function expand(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const middle = ip.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : [];
  return [...left, ...middle, ...right].map((group) => group.toLowerCase().padStart(4, '0')).join(':');
}

/** `vigil_listener` prints `socket ADDRESS INODE`, `holder PID INODE` and `process PID SINCE RUN USER COMMAND`. */
export const LISTENER = `
${READ_STAT}${DESCRIBE}
vigil_sockets() {
  vigil_word; vigil_kind=$vigil_w
  vigil_word
  if [ "$vigil_kind" = tcp ]; then
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep ":$vigil_w 0*:0000 0A " |
      while read -r vigil_n vigil_local vigil_n vigil_n vigil_n vigil_n vigil_n vigil_n vigil_n vigil_inode vigil_n; do
        printf 'socket %s %s\\n' "\${vigil_local%:*}" "$vigil_inode"
      done
  else
    while read -r vigil_n vigil_n vigil_n vigil_flags vigil_n vigil_n vigil_inode vigil_file; do
      [ "$vigil_flags/$vigil_file" != "00010000/$vigil_w" ] || printf 'socket - %s\\n' "$vigil_inode"
    done </proc/net/unix
  fi
}
vigil_holders() {
  ls -l /proc/[0-9]*/fd 2>/dev/null | grep -E "^/proc/|socket:\\[($1)\\]$" | while read -r vigil_raw; do
    case $vigil_raw in
      /proc/*) vigil_p=\${vigil_raw#/proc/} vigil_p=\${vigil_p%%/*} ;;
      *) vigil_raw=\${vigil_raw##*[} && printf 'holder %s %s\\n' "$vigil_p" "\${vigil_raw%]}" ;;
    esac
  done
}
vigil_process() {
  vigil_stat "$1"
  vigil_describe "$1"
  printf 'process %s %s %s %s %s\\n' "$1" "$vigil_since" "$vigil_mark" "$vigil_user" "$vigil_command"
}
vigil_listener() {
  vigil_found=$(vigil_sockets)
  [ -n "$vigil_found" ] || return 0
  printf '%s\\n' "$vigil_found"
  vigil_inodes=$(printf '%s\\n' "$vigil_found" | while read -r vigil_n vigil_n vigil_inode; do printf '|%s' "$vigil_inode"; done)
  vigil_found=$(vigil_holders "\${vigil_inodes#|}")
  [ -n "$vigil_found" ] || return 0
  printf '%s\\n' "$vigil_found"
  vigil_told=' '
  for vigil_p in $(printf '%s\\n' "$vigil_found" | while read -r vigil_n vigil_p vigil_n; do printf '%s ' "$vigil_p"; done); do
    case $vigil_told in *" $vigil_p "*) continue ;; esac
    vigil_told="$vigil_told$vigil_p "
    vigil_process "$vigil_p"
  done
}
`;
