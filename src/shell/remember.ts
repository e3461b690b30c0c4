/** A run folder for what somebody else started: what a Vigil that lost its Redis reads there, written as a launch writes it. */

import type { RunFolder, Started } from '../host/launch.ts';
import { line, type Script } from './script.ts';

export function renderRemember(folder: RunFolder, started: Started, request: string): Script {
  const { main, session, bootId, init, at, log } = started;
  const pid = `pid ${main.pid} ${main.start} ${session}\nboot ${bootId}\ninit ${init}\nshell -\nat ${at}\nlog ${log}`;
  return { name: 'remember', text: REMEMBER, input: [folder.path, request, pid].map(line).join('') };
}

const REMEMBER = `
vigil_path; vigil_folder=$vigil_w
umask 077
mkdir -p "$vigil_folder/started" && cd "$vigil_folder" || exit 73
vigil_put() { printf '%s\\n' "$2" >".vigil.$$" && mv -f ".vigil.$$" "$1" || exit 73; }
vigil_word; vigil_put request "$vigil_w"
vigil_word; vigil_put pid.found "$vigil_w"
vigil_put started/name found
`;
