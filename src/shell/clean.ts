/** Removing the folders of runs that ended long ago. */

import { READ_CLOCK, READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

/** Folders removed at once at most; the next time takes the rest. */
const MOST = 500;

export function renderClean(question: {
  readonly folder: string;
  readonly days: number;
  /** Runs that stay, however old. */
  readonly keep: readonly string[];
}): Script {
  const input = line(question.folder) + line(question.days) + line(`,${question.keep.join(',')},`);
  return { name: 'clean', text: CLEAN, input };
}

/** How many were removed; null when the answer isn't whole. */
export function parseClean(output: string): number | null {
  const match = /^removed (\d+)$/m.exec(output);
  return match ? Number(match[1]) : null;
}

/**
 * Only real folders that hold a claim, a start or a halt mark are run folders. One is over when it has an exit record or its processes are gone;
 * without a record the time of the last write in it stands for its end. Whoever lives keeps it: main process, launcher, all that was ever seen of
 * its tree, and whoever has a file in it open. Where /proc hides other users' processes, a run of this boot without a record may live unseen.
 * A folder is first renamed out of the way, so that a removal that is cut off leaves no half of it; rm follows no link, and takes a link to a
 * recipe's own log for the link that it is.
 */
const CLEAN = `
LC_ALL=C
${READ_STAT}${READ_CLOCK}
vigil_path; vigil_runs=$vigil_w
vigil_word; vigil_days=$vigil_w
vigil_word; vigil_kept=$vigil_w
cd -P "$vigil_runs" 2>/dev/null || { printf 'removed 0\\n'; exit 0; }
vigil_boot
vigil_clock
vigil_limit=$((vigil_now - vigil_days * 86400000))
vigil_is_run() {
  for vigil_file in "$1"/started "$1"/halt "$1"/claim.* "$1"/void.*; do
    [ ! -e "$vigil_file" ] || return 0
  done
  return 1
}
vigil_lives() {
  for vigil_file in "$1"/pid.*; do
    while read -r vigil_key vigil_p vigil_begun vigil_n; do
      [ "$vigil_key" != pid ] || ! vigil_same "$vigil_p" "$vigil_begun" || return 0
      [ "$vigil_key" != boot ] || vigil_booted=$vigil_p
    done 2>/dev/null <"$vigil_file"
  done
  for vigil_file in "$1"/launcher.*; do
    { read -r vigil_p vigil_begun <"$vigil_file"; } 2>/dev/null || continue
    ! vigil_same "$vigil_p" "$vigil_begun" || return 0
  done
  vigil_seen=
  { read -r vigil_seen <"$1/tree"; } 2>/dev/null
  for vigil_item in $vigil_seen; do
    ! vigil_same "\${vigil_item%:*}" "\${vigil_item#*:}" || return 0
  done
  return 1
}
vigil_written_before() {
  for vigil_file in "$1" "$1"/*; do
    [ ! -L "$vigil_file" ] || continue
    vigil_w=$(date -r "$vigil_file" +%s 2>/dev/null) || return 1
    [ "$vigil_w"000 -lt $vigil_limit ] || return 1
  done
}
vigil_is_over() {
  vigil_booted= vigil_n= vigil_at=
  { read -r vigil_n vigil_at <"$1/exit"; } 2>/dev/null
  case $vigil_at in
    '' | *[!0-9]*) vigil_at= ;;
    *) [ "$vigil_at" -lt $vigil_limit ] || return 1 ;;
  esac
  case $vigil_open in *"-> $PWD/\${1#./}/"*) return 1 ;; esac
  vigil_is_run "$1" && ! vigil_lives "$1" || return 1
  [ -z "$vigil_at" ] || return 0
  case $vigil_booted in
    '' | "$vigil_boot_id") [ "$vigil_init" != 0 ] || return 1 ;;
  esac
  vigil_written_before "$1"
}
vigil_open=$(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -F -e "-> $PWD/")
rm -rf ./.gone.*
vigil_removed=0
for vigil_run in *; do
  [ -d "./$vigil_run" ] && [ ! -L "./$vigil_run" ] || continue
  case $vigil_kept in *",$vigil_run,"*) continue ;; esac
  vigil_is_over "./$vigil_run" || continue
  mv "./$vigil_run" "./.gone.$vigil_run" 2>/dev/null || continue
  ! rm -rf "./.gone.$vigil_run" 2>/dev/null || vigil_removed=$((vigil_removed + 1))
  [ $vigil_removed -lt ${MOST} ] || break
done
printf 'removed %s\\n' $vigil_removed
`;
