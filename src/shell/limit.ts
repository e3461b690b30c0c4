/** Commands that may hang for ever: whoever reads of a process that is caught in the kernel, and nvidia-smi. */

/**
 * `vigil_within SECONDS COMMAND...` ends it by KILL after that time, and fails with 124 or more then; without a limit where there is no timeout.
 * It may stand in a script twice. sshd ends no command of root's when its channel is closed, so that a script has to see to it by itself.
 */
export const LIMIT = `
[ -n "$vigil_limits" ] || { vigil_limits=no; ! timeout -s KILL 9 true 2>/dev/null || vigil_limits=yes; }
vigil_within() {
  if [ $vigil_limits = yes ]; then timeout -s KILL "$@"; else shift; "$@"; fi
}
`;
