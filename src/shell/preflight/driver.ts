/** The NVIDIA driver, what CUDA it can run, and what its GPUs can compute. */

import type { Driver } from '../../host/preflight.ts';
import { PAUSE, READ_STAT } from '../process.ts';
import type { Script } from '../script.ts';
import { FIND_HANGING, FIND_SMI } from '../smi.ts';

export type DriverAnswer =
  | { readonly kind: 'told'; readonly driver: Driver }
  /** nvidia-smi is not there, failed or named no GPU; or it was not asked, since one hangs. */
  | { readonly kind: 'missing' | 'failed' | 'hanging' };

/** null when the answer isn't whole. */
export function parseDriver(output: string): DriverAnswer | null {
  const refusal = /^(missing|failed|hanging)$/m.exec(output)?.[1];
  if (refusal !== undefined) return { kind: refusal as 'missing' | 'failed' | 'hanging' };
  const rows = output.split('\n');
  if (rows.at(-2) !== 'told') return null;
  const gpus = rows.filter((row) => row.startsWith('gpu ')).map((row) => row.slice('gpu '.length).split(','));
  const version = gpus.map(([, found = '']) => found.trim()).find((found) => /^\d[\d.]{1,30}$/.test(found));
  if (version === undefined) return { kind: 'failed' };
  const cuda = rows.map((row) => /^cuda .{0,200}CUDA Version\s{0,20}:\s{0,20}(\d{1,3}\.\d{1,3})/.exec(row)?.[1]);
  const capabilities = gpus.flatMap(([uuid = '', , capability = '']): [string, string][] =>
    /^\d{1,3}\.\d{1,2}$/.test(capability.trim()) ? [[uuid.trim(), capability.trim()]] : [],
  );
  return {
    kind: 'told',
    driver: {
      version,
      cuda: cuda.find((found) => found !== undefined) ?? null,
      capabilities: new Map(capabilities),
    },
  };
}

/** Drivers before 510 know no compute_cap and refuse it; those before 535 or so know no --version, but their table's head names CUDA. */
export const DRIVER: Script = {
  name: 'driver',
  input: '',
  text: `
LC_ALL=C
${READ_STAT}${PAUSE}${FIND_SMI}${FIND_HANGING}
vigil_find_smi || { printf 'missing\\n'; exit 0; }
! vigil_hangs || { printf 'hanging\\n'; exit 0; }
vigil_fail() { printf 'failed\\n'; exit 0; }
vigil_query() { vigil_ask_smi "--query-gpu=$1" --format=csv,noheader; }
vigil_gpus=$(vigil_query uuid,driver_version,compute_cap) || {
  [ $? -lt 124 ] || vigil_fail
  vigil_gpus=$(vigil_query uuid,driver_version) || vigil_fail
}
vigil_cuda=$(vigil_ask_smi --version)
case $vigil_cuda in
  *'CUDA Version'*) ;;
  *) vigil_cuda=$(vigil_ask_smi) ;;
esac
printf '%s\\n' "$vigil_gpus" | sed 's/^/gpu /'
printf '%s\\n' "$vigil_cuda" | grep 'CUDA Version' | head -n 1 | sed 's/^/cuda /'
printf 'told\\n'
`,
};
