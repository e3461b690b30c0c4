/** Starting a run once: the claim, and what the launcher said. */

import type { LaunchOutcome, LaunchSpec, RunFolder } from '../host/launch.ts';
import { LAUNCHER } from './launcher.ts';
import { PAUSE } from './process.ts';
import { parseStarted } from './record.ts';
import { readReason } from './refusal.ts';
import { EVALUATE_STDIN, line, prefixed, type Script } from './script.ts';
import { weigh } from './weight.ts';

/** `claim` names this attempt and must be new: letters and digits. */
export function renderLaunch(spec: LaunchSpec, claim: string): Script {
  const variables = Object.entries({ ...spec.environment, VIGIL_RUN: spec.run });
  const data = [
    line(spec.path),
    line(claim),
    line(spec.request),
    line(spec.directory ?? ''),
    line(spec.log ?? `${spec.path}/log`),
    line(spec.aside.length),
    ...spec.aside.map(line),
    line(spec.prelude === null ? 0 : 1),
    line(spec.prelude ?? ''),
    line(weigh(spec)),
    line(variables.length),
    ...variables.flatMap(([name, value]) => [line(name), line(value)]),
    line(spec.argv.length),
    ...spec.argv.map(line),
    line('end'),
  ];
  const input = line(spec.path) + line(claim) + prefixed(LAUNCHER) + data.join('');
  return { name: 'launch', text: LAUNCH, input };
}

/** Makes sure that a run that hasn't started never will. */
export function renderVoid(folder: RunFolder): Script {
  return { name: 'void', text: VOID, input: line(folder.path) };
}

/** null when the answer isn't one of the contract's. */
export function parseLaunch(output: string): LaunchOutcome | null {
  const end = output.indexOf('\n');
  const head = end < 0 ? output : output.slice(0, end);
  if (head === 'void') return { kind: 'void' };
  if (head.startsWith('refused ')) return { kind: 'refused', reason: readReason(head.slice('refused '.length)) };
  if (head !== 'started' && head !== 'already') return null;
  const started = parseStarted(output.slice(end + 1));
  return started === null ? null : { kind: head, started };
}

/** `started/name` says which attempt started: the claim's folder, renamed. */
const TAKE_BACK = `
vigil_take_back() {
  for vigil_old in claim.*; do
    [ ! -e "$vigil_old" ] || mv "$vigil_old" "void.\${vigil_old#claim.}" 2>/dev/null
  done
}
vigil_tell() {
  vigil_taken=
  { IFS= read -r vigil_taken <started/name; } 2>/dev/null || return 1
  case $vigil_taken in "$vigil_claim") printf 'started\\n' ;; *) printf 'already\\n' ;; esac
  cat "pid.$vigil_taken"
  exit 0
}
`;

/**
 * The claim is made before the halt mark is looked for, and a stop makes the mark before it takes claims back: whichever comes first, one
 * of the two sees the other. Two launches at once may take each other's claim back: then this one waits to see whether the other started.
 */
const LAUNCH = `
${PAUSE}${TAKE_BACK}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_claim=$vigil_w
vigil_umask=$(umask)
umask 077
vigil_why=$(LC_ALL=C mkdir -p "$vigil_folder" 2>&1) || { printf 'refused folder %s\\n' "$vigil_why"; exit 0; }
cd "$vigil_folder" || exit 73
vigil_tell
command -v setsid >/dev/null 2>&1 || { printf 'refused setsid\\n'; exit 0; }
vigil_take_back
vigil_tell
vigil_why=$(
  LC_ALL=C
  { mkdir ".claim.$vigil_claim" && printf '%s\\n' "$vigil_claim" >".claim.$vigil_claim/name" && mv ".claim.$vigil_claim" "claim.$vigil_claim"; } 2>&1
) || { printf 'refused folder %s\\n' "$vigil_why"; exit 0; }
if [ -e halt ]; then
  vigil_take_back
  vigil_tell
  printf 'void\\n'
  exit 0
fi
umask "$vigil_umask"
vigil_said=$(setsid setsid sh -c '${EVALUATE_STDIN}' vigil-launcher 2>/dev/null | while IFS= read -r vigil_line; do
  case $vigil_line in refused\\ * | taken | ended\\ *) printf '%s\\n' "$vigil_line"; break ;; esac
done)
vigil_tell
[ -n "$vigil_said" ] || mv "claim.$vigil_claim" "void.$vigil_claim"
vigil_i=0
while [ $vigil_i -lt 50 ]; do
  vigil_others=
  for vigil_other in claim.*; do [ "$vigil_other" = "claim.$vigil_claim" ] || [ ! -e "$vigil_other" ] || vigil_others=1; done
  vigil_tell
  [ ! -e halt ] || { printf 'void\\n'; exit 0; }
  if [ -z "$vigil_others" ]; then
    case $vigil_said in refused*) printf '%s\\n' "$vigil_said"; exit 0 ;; esac
    # Who made this claim void may not have made its own yet.
    [ $vigil_i -ge 10 ] || { vigil_pause; vigil_i=$((vigil_i + 1)); continue; }
    printf 'the launcher ended before it started anything (%s)\\n' "\${vigil_said:-it said nothing}" >&2
    exit 74
  fi
  vigil_pause
  vigil_i=$((vigil_i + 1))
done
printf 'another attempt took the claim and has not started yet\\n' >&2
exit 75
`;

const VOID = `
${TAKE_BACK}
vigil_path; vigil_folder=$vigil_w
vigil_claim=
umask 077
mkdir -p "$vigil_folder" && cd "$vigil_folder" && : >halt || exit 73
vigil_take_back
vigil_tell
printf 'void\\n'
`;
