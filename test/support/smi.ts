/** A stand-in for nvidia-smi on a test's host. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Shell text for each of its questions. */
export interface SmiAnswers {
  readonly gpus: string;
  readonly apps: string;
  readonly list?: string;
  /** A driver that knows no MIG refuses its field. */
  readonly isOld?: boolean;
}

/** Puts an nvidia-smi that answers so into a folder. */
export function writeSmi(folder: string, { gpus, apps, list = 'exit 3', isOld = false }: SmiAnswers): void {
  const path = join(folder, 'nvidia-smi');
  const refusal = isOld ? `echo 'Field "mig.mode.current" is not a valid field to query.'; exit 2` : gpus;
  const text = `#!/bin/sh
case $1 in
--query-gpu=index,uuid,memory.total,memory.used,memory.free,utilization.gpu,mig.mode.current,name) ${refusal} ;;
--query-gpu=index,uuid,memory.total,memory.used,memory.free,utilization.gpu,index,name) ${gpus} ;;
--query-compute-apps=gpu_uuid,pid,used_memory,process_name) ${apps} ;;
-L) ${list} ;;
*) exit 2 ;;
esac
`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
