/** Whether the host will kill a run when Vigil's SSH session ends. */

/**
 * `vigil_logind ROOT` prints `USER FILE` where systemd-logind kills what an SSH session leaves behind, and this process belongs to one: the
 * user, and the file that says so. ROOT stands before every path: empty for the host itself.
 *
 * logind.conf(5): of the main files the first that is there counts, then come all drop-ins in order of their names, of equal names the first;
 * later values win and lists grow, until an empty one clears them. Users to exclude (root, where none are named) come first, then users to
 * kill, then KillUserProcesses. What was built in stands in the main file as a comment; where it says nothing, most distributions mean no.
 */
export const READ_LOGIND = `
vigil_logind() (
  vigil_is_session=
  while IFS= read -r vigil_row; do
    case $vigil_row in */session-*.scope*) vigil_is_session=1 ;; esac
  done 2>/dev/null <"$1/proc/self/cgroup"
  [ -n "$vigil_is_session" ] || exit 0
  vigil_user=$(id -un)
  vigil_built_in= vigil_built_in_by=
  vigil_logind_reset
  for vigil_at in "$1/usr/lib" "$1/usr/local/lib" "$1/run" "$1/etc"; do
    [ ! -r "$vigil_at/systemd/logind.conf" ] || { vigil_logind_reset; vigil_logind_read "$vigil_at/systemd/logind.conf"; }
  done
  vigil_names=$(
    for vigil_at in "$1/etc" "$1/run" "$1/usr/local/lib" "$1/usr/lib"; do
      for vigil_name in "$vigil_at"/systemd/logind.conf.d/*.conf; do
        [ ! -e "$vigil_name" ] || printf '%s\\n' "\${vigil_name##*/}"
      done
    done | sort -u
  )
  while IFS= read -r vigil_name; do
    for vigil_at in "$1/etc" "$1/run" "$1/usr/local/lib" "$1/usr/lib"; do
      [ -e "$vigil_at/systemd/logind.conf.d/$vigil_name" ] || continue
      vigil_logind_read "$vigil_at/systemd/logind.conf.d/$vigil_name"
      break
    done
  done <<END
$vigil_names
END
  case " $vigil_exclude " in *" $vigil_user "*) exit 0 ;; esac
  if [ -n "\${vigil_only# }" ]; then
    case " $vigil_only " in *" $vigil_user "*) printf '%s %s\\n' "$vigil_user" "$vigil_only_by" ;; esac
    exit 0
  fi
  [ -n "$vigil_kill" ] || { vigil_kill=$vigil_built_in vigil_kill_by=$vigil_built_in_by; }
  case $vigil_kill in 1 | [Yy]* | [Tt]* | [Oo][Nn]) printf '%s %s\\n' "$vigil_user" "$vigil_kill_by" ;; esac
)
vigil_logind_reset() {
  vigil_kill= vigil_kill_by= vigil_only= vigil_only_by= vigil_exclude=root vigil_has_excluded=
}
vigil_logind_read() {
  while IFS='= 	' read -r vigil_key vigil_value || [ -n "$vigil_key" ]; do
    case $vigil_key in
      '#KillUserProcesses') vigil_built_in=$vigil_value vigil_built_in_by=$1 ;;
      KillUserProcesses) vigil_kill=$vigil_value vigil_kill_by=$1 ;;
      KillOnlyUsers) vigil_only_by=$1; [ -z "$vigil_value" ] && vigil_only= || vigil_only="$vigil_only $vigil_value" ;;
      KillExcludeUsers)
        [ -n "$vigil_has_excluded" ] && [ -n "$vigil_value" ] || vigil_exclude=
        vigil_exclude="$vigil_exclude $vigil_value" vigil_has_excluded=1 ;;
    esac
  done <"$1"
}
`;

/** `USER FILE` as `vigil_logind` says it, as a sentence for people. */
export function readEnder(text: string): string {
  const blank = text.indexOf(' ');
  const [user, file] = [text.slice(0, blank), text.slice(blank + 1)];
  return (
    `systemd-logind on this host kills what an SSH session leaves behind (KillUserProcesses or KillOnlyUsers in ${file}), and this run belongs to Vigil's: ` +
    `it will be killed when that connection breaks or Vigil restarts. Ask an admin of the host to set KillUserProcesses=no, or KillExcludeUsers=root ${user}, ` +
    'under [Login] in /etc/systemd/logind.conf, and to restart systemd-logind; then launch again. Lingering (loginctl enable-linger) does not help: it keeps services of the user, not what runs in a session.'
  );
}
