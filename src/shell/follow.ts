/** Following a log by descriptor: what is behind the name is opened once, told apart from what was read before, and read on. */

import type { FollowTarget, Generation } from '../tools.ts';
import { READ_GENERATION } from './generation.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export interface Opening {
  readonly generation: Generation;
  readonly size: number;
  readonly offset: number;
  /** Bytes of the generation before were overwritten before they could be read; how many can't be known. */
  readonly hasLoss: boolean;
}

export function renderFollow(target: FollowTarget): Script {
  const { generation, offset } = target.from;
  const known = generation ?? { device: '-', inode: '-', sum: '-', summed: 0 };
  const words = [
    target.path,
    FOLLOWERS[target.role],
    target.log,
    offset,
    known.device,
    known.inode,
    known.sum,
    known.summed,
  ];
  return { name: 'follow', text: FOLLOW, input: words.map(line).join('') };
}

/** The one line before the log's bytes; null when it isn't one. */
export function parseOpening(text: string): Opening | null {
  const match = /^opened (\S+) (\S+) (\S+) (\d+) (\d+) (\d+) (same|new|lost)$/.exec(text);
  if (!match) return null;
  const [, device = '', inode = '', sum = '', summed, size, offset, verdict] = match;
  return {
    generation: { device, inode, sum, summed: Number(summed) },
    size: Number(size),
    offset: Number(offset),
    hasLoss: verdict === 'lost',
  };
}

/** In the run folder, one file a role. */
const FOLLOWERS: Readonly<Record<FollowTarget['role'], string>> = { main: 'follower', target: 'follower.target' };

/**
 * The script ends as `tail` on its own descriptor. A new follower ends the former one of its role, which stands in the run folder with its
 * start time; a training that was found has no run folder, and none is made. /proc/self/fd/3 is a link, so GNU tail doesn't use inotify and
 * looks once a second unless told otherwise; busybox tail takes whole seconds only.
 */
const FOLLOW = `
LC_ALL=C
${READ_STAT}${READ_GENERATION}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_role=$vigil_w
vigil_path; vigil_log=$vigil_w
vigil_word; vigil_offset=$vigil_w
vigil_word; vigil_known="$vigil_w"
vigil_word; vigil_known="$vigil_known $vigil_w"
vigil_word; vigil_sum=$vigil_w
vigil_word; vigil_summed=$vigil_w
exec 3<"$vigil_log"
vigil_identify
vigil_verdict=new
if [ "$vigil_sum" != - ]; then
  vigil_verdict=lost
  if [ "$vigil_known" = "$vigil_identity" ] && [ "$vigil_size" -ge "$vigil_offset" ]; then
    vigil_sum_of /proc/self/fd/3 "$vigil_summed"
    [ "$vigil_w" != "$vigil_sum" ] || vigil_verdict=same
  fi
elif [ "$vigil_size" -ge "$vigil_offset" ]; then
  vigil_verdict=same
fi
[ "$vigil_verdict" = same ] || vigil_offset=0
[ "$vigil_summed" -gt 0 ] && [ "$vigil_verdict" = same ] || vigil_summed=$vigil_size
[ "$vigil_summed" -le 256 ] || vigil_summed=256
vigil_sum_of /proc/self/fd/3 "$vigil_summed"
if { read -r vigil_pid vigil_old <"$vigil_folder/$vigil_role"; } 2>/dev/null && vigil_same "$vigil_pid" "$vigil_old"; then
  kill -TERM "$vigil_pid" 2>/dev/null
fi
IFS= read -r vigil_raw </proc/self/stat
vigil_split \${vigil_raw##*) }
if [ -d "$vigil_folder" ] && { printf '%s %s\\n' "\${vigil_raw%% *}" "$vigil_start" >"$vigil_folder/.$vigil_role.$$"; } 2>/dev/null; then
  mv "$vigil_folder/.$vigil_role.$$" "$vigil_folder/$vigil_role"
fi
printf 'opened %s %s %s %s %s %s\\n' "$vigil_identity" "$vigil_w" "$vigil_summed" "$vigil_size" "$vigil_offset" "$vigil_verdict"
vigil_every=
case $(tail --version 2>/dev/null) in *coreutils*) vigil_every='-s 0.1' ;; esac
exec tail $vigil_every -c "+$((vigil_offset + 1))" -f /proc/self/fd/3
`;
