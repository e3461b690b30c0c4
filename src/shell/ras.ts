/** NCCL's RAS, asked on the host itself where sshd forwards no TCP. */

import { LIMIT } from './limit.ts';
import { line, type Script } from './script.ts';

/** What a client says, at once: the server answers and closes. It is read-only. */
export const RAS_QUESTION = 'CLIENT PROTOCOL 2\nVERBOSE STATUS\n';
/** Bytes of an answer that are read. */
export const RAS_LIMIT = 256 * 1024;

export function renderRas({ host, port }: { readonly host: string; readonly port: number }): Script {
  return { name: 'ras', text: RAS, input: line(host) + line(port) };
}

/** null where nobody answered, or the host has no means to ask. */
export function parseRasAnswer(output: string): string | null {
  return output.trim() === '' ? null : output;
}

/**
 * By ncclras, which NCCL brings along, else by bash, else by nc, whose input stays open: RAS hangs up on whoever closes its side. What
 * one of them can't do is left to the next.
 */
const RAS = `
LC_ALL=C
${LIMIT}
vigil_word; vigil_host=$vigil_w
vigil_word; vigil_port=$vigil_w
vigil_by_ncclras() { vigil_within 9 ncclras -v -h "$vigil_host" -p "$vigil_port"; }
vigil_by_bash() {
  vigil_within 9 bash -c 'exec 3<>"/dev/tcp/$1/$2" && printf "$3" >&3 && exec cat <&3' ras "$vigil_host" "$vigil_port" \\
    '${JSON.stringify(RAS_QUESTION).slice(1, -1)}'
}
vigil_by_nc() {
  { printf '${JSON.stringify(RAS_QUESTION).slice(1, -1)}'; sleep 3; } | vigil_within 9 nc "$vigil_host" "$vigil_port"
}
for vigil_way in ncclras bash nc; do
  command -v $vigil_way >/dev/null 2>&1 || continue
  vigil_said=$(vigil_by_$vigil_way 2>/dev/null </dev/null | head -c ${RAS_LIMIT})
  [ -z "$vigil_said" ] || break
done
printf '%s\\n' "$vigil_said"
`;
