import type { Driver, Packages } from '../../host/preflight.ts';
import type { Check, Sample } from '../check.ts';
import { versionOf, versionTextOf } from '../installed.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { packages, serving } from '../samples.ts';
import type { Subject } from '../subject.ts';

/** CUDA runs on a driver of its own major version or a newer one; within one, a newer minor goes too (CUDA's minor version compatibility). */
export const DRIVER: Check = {
  id: 'driver',
  label: 'Driver',
  needs: ['driver', 'packages'],
  concerns: ({ servers, recipe }) => servers.length > 0 || recipe.kind === 'train',
  judge: ({ driver, packages: installed }, subject) => {
    if (driver === null) return [unknown('nvidia-smi is not there, so the driver is not known')];
    const cuda = cudaOf(installed);
    const most = (isVersion(driver.cuda) ? driver.cuda : null) ?? cudaOfDriver(driver);
    const found = `driver ${driver.version}${most === null ? '' : `, up to CUDA ${most}`}`;
    if (cuda === null || most === null) return [passed(found)];
    const needed = `CUDA ${cuda.version}, as ${cuda.by} has it`;
    if (majorOf(most) >= majorOf(cuda.version)) return [passed(found, needed)];
    const advice = `Update the driver (CUDA ${majorOf(cuda.version)} needs ${LEAST_DRIVER[majorOf(cuda.version)] ?? 'a newer one'}), or install a torch and vLLM for CUDA ${majorOf(most)}.`;
    return [(isCompatible(subject) || cuda.isDoubtful ? warning : refused)(found, { needed, advice })];
  },
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target']);
    const at = (driver: Partial<Driver> | null, versions: Readonly<Record<string, string>>): Sample['facts'] => ({
      driver: driver === null ? null : { version: '580.159.04', cuda: '13.0', capabilities: new Map(), ...driver },
      packages: packages(versions),
    });
    const old = { version: '535.183.01', cuda: '12.2' };
    return [
      { subject, facts: at({}, { torch: '2.11.0+cu130' }), verdicts: ['passed'] },
      { subject, facts: at({}, { torch: '2.9.0', 'nvidia-cuda-runtime-cu12': '12.8.90' }), verdicts: ['passed'] },
      { subject, facts: at(old, { torch: '2.9.0', 'nvidia-cuda-runtime-cu12': '12.8.90' }), verdicts: ['passed'] },
      { subject, facts: at(old, { torch: '2.11.0', 'nvidia-cuda-runtime': '13.0.88' }), verdicts: ['refused'] },
      { subject, facts: at({ ...old, cuda: null }, { torch: '2.11.0+cu130' }), verdicts: ['refused'] },
      { subject, facts: at({}, {}), verdicts: ['passed'] },
      { subject, facts: at(null, {}), verdicts: ['unknown'] },
    ];
  },
};

/** Whether the launch brings a newer CUDA's own libraries for an old driver (`cuda-compat`). */
function isCompatible({ recipe, servers }: Subject): boolean {
  const environments = [recipe.environment, ...servers.map(({ environment }) => environment)];
  if (recipe.prelude?.includes('compat') === true) return true;
  return environments.some(
    ({ LD_LIBRARY_PATH = '', LD_PRELOAD = '', VLLM_ENABLE_CUDA_COMPATIBILITY = '' }) =>
      /compat/.test(LD_LIBRARY_PATH + LD_PRELOAD) || /^(?:1|true)$/i.test(VLLM_ENABLE_CUDA_COMPATIBILITY),
  );
}

interface Cuda {
  readonly version: string;
  readonly by: string;
  /** Runtimes of two major versions are there, and nobody says which is torch's. */
  readonly isDoubtful: boolean;
}

/** The CUDA that torch brings, by its runtime's package or its own suffix. */
function cudaOf(installed: Packages): Cuda | null {
  const suffix = /^cu(?<major>\d{2})(?<minor>\d)$/.exec(versionOf(installed, 'torch')?.local ?? '')?.groups;
  if (suffix !== undefined) return { version: `${suffix.major}.${suffix.minor}`, by: '`torch`', isDoubtful: false };
  const names = ['nvidia-cuda-runtime', 'nvidia-cuda-runtime-cu13', 'nvidia-cuda-runtime-cu12'].filter(
    (one) => versionTextOf(installed, one) !== null,
  );
  const [name] = names;
  const [major, minor] = (name === undefined ? null : versionOf(installed, name))?.release ?? [];
  if (name === undefined || major === undefined) return null;
  return { version: `${major}.${minor ?? 0}`, by: `\`${name}\``, isDoubtful: names.length > 1 };
}

/** The oldest driver of each major version (CUDA's release notes, table of minor version compatibility). */
const LEAST_DRIVER: Readonly<Record<number, number>> = { 11: 450, 12: 525, 13: 580 };

function cudaOfDriver({ version }: Driver): string | null {
  const majors = Object.keys(LEAST_DRIVER).filter((major) => majorOf(version) >= (LEAST_DRIVER[Number(major)] ?? 0));
  const newest = majors.map(Number).at(-1);
  return newest === undefined ? null : String(newest);
}

function isVersion(text: string | null): boolean {
  return text !== null && /^\d{1,3}(?:\.\d{1,3})?$/.test(text);
}

function majorOf(version: string): number {
  return Number(version.split('.')[0]);
}
