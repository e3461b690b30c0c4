/** Making room for a launch's logs: an older one is moved aside, one that somebody writes refuses the launch. */

import { READ_DESCRIPTOR } from './descriptor.ts';

/** `vigil_writer FILE` says whether a process that this user may see has the file open for writing, and puts it into $vigil_holder. */
export const FIND_WRITER = `${READ_DESCRIPTOR}
vigil_writer() {
  for vigil_fd in /proc/[0-9]*/fd/*; do
    ! vigil_opens "$vigil_fd" "$1" || return 0
  done
  return 1
}
`;

/**
 * Once a run has started, nothing is moved any more: what stands there may be its own. Another attempt at the same moment may have moved a
 * log first, and made it anew: then it is looked at again. An attempt opens its log after its start only, so that none stands in the way of
 * the next; and what another one wrote meanwhile is another file than the one that was looked at before the start. A log goes to a name of
 * this attempt's own first, so that none that another has moved is overwritten, and to its usual one by a link, which fails where that is
 * taken.
 */
export const OPEN_LOG = `${FIND_WRITER}
vigil_inode_of() { vigil_inode=$(ls -di "$1" 2>/dev/null); set -f; set -- $vigil_inode; set +f; vigil_inode=$1; }
vigil_name_aside() { ln "$1" "$vigil_aside" 2>/dev/null && rm -f "$1" || vigil_aside=$1; }
vigil_move_aside() {
  vigil_aside=
  [ -e "$1" ] || return 0
  [ -f "$1" ] || vigil_refuse log-kind "$1"
  ! vigil_writer "$1" || vigil_refuse log-held "$vigil_holder $1"
  [ -s "$1" ] || return 0
  vigil_aside=$1.$(date -u +%Y%m%dT%H%M%SZ) vigil_own=$1.$vigil_claim
  vigil_inode_of "$1"; vigil_seen=$vigil_inode
  [ ! -e "$vigil_folder/started" ] || exit 125
  if vigil_why=$(mv "$1" "$vigil_own" 2>&1); then
    vigil_inode_of "$vigil_own"
    if [ "$vigil_inode" != "$vigil_seen" ] && [ ! -e "$1" ]; then mv "$vigil_own" "$1"; exit 125; fi
    vigil_name_aside "$vigil_own"
    [ -e "$vigil_folder/started" ] || return 0
    exit 125
  fi
  [ $vigil_tries -lt 3 ] || vigil_refuse log-aside "$vigil_why"
  vigil_tries=$((vigil_tries + 1))
  vigil_move_aside "$1"
}
vigil_open_log() {
  while [ $vigil_olders -gt 0 ]; do
    vigil_tries=0
    eval "vigil_move_aside \\"\\$vigil_older_$vigil_olders\\""
    vigil_olders=$((vigil_olders - 1))
  done
  vigil_tries=0
  vigil_move_aside "$vigil_log"
  [ -z "$vigil_aside" ] || printf '%s\\n' "$vigil_aside" >"$vigil_folder/moved"
  vigil_why=$( { : >>"$vigil_log"; } 2>&1) || vigil_refuse log "$vigil_log	\${vigil_why##*: }"
  [ "$vigil_log" = "$vigil_folder/log" ] || ln -sfn "$vigil_log" "$vigil_folder/log"
}
`;
