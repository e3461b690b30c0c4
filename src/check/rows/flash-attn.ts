import { lastFlag } from '../../config/flags.ts';
import type { Driver, Packages } from '../../host/preflight.ts';
import { list } from '../../list.ts';
import type { Device } from '../../place/devices.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { devicesOf } from '../gpus.ts';
import { pipOf, versionOf, versionTextOf, vllmWords } from '../installed.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { gpuUse, packages, serving } from '../samples.ts';
import type { Server } from '../subject.ts';
import { isFrom, isOwnBuild } from '../version.ts';
import { code, some } from '../words.ts';

/** Distributions that bring a module `flash_attn`, or a flash attention of one architecture. */
const NAMES = ['flash-attn-4', 'flash-attn-3', 'flash-attn'] as const;

/** `No module named 'flash_attn.ops'`: vLLM needs none, but 0.14 to 0.23 use whatever answers to that name (#42679). */
export const FLASH_ATTN: Check = {
  id: 'flash-attn',
  label: 'flash-attn',
  needs: ['packages'],
  concerns: ({ servers }) => servers.length > 0,
  judge: ({ packages: installed }) => (installed.python === null ? [] : [judgePackages(installed)]),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target']);
    const at = (versions: Readonly<Record<string, string>>, flashAttn: readonly string[] | null): Sample['facts'] => ({
      packages: packages(versions, { flashAttn }),
    });
    const whole = ['__init__.py', 'ops', 'flash_attn_interface.py', 'layers'];
    return [
      { subject, facts: at({ vllm: '0.20.1' }, null), verdicts: ['passed'] },
      { subject, facts: at({ vllm: '0.20.1', 'flash-attn': '2.8.3' }, whole), verdicts: ['passed'] },
      { subject, facts: at({ vllm: '0.20.1', 'flash-attn-4': '4.0.0b4' }, ['cute']), verdicts: ['refused'] },
      { subject, facts: at({ vllm: '0.24.0', 'flash-attn-4': '4.0.0b4' }, ['cute']), verdicts: ['warning'] },
      { subject, facts: at({ 'flash-attn-4': '4.0.0b4' }, ['cute']), verdicts: ['warning'] },
    ];
  },
};

/** Flash attention 4 is for Hopper and Blackwell, 3 for Hopper alone, 2 for all from Ampere on. */
export const FLASH_ATTN_GPU: Check = {
  id: 'flash-attn-gpu',
  label: 'flash-attn and GPUs',
  needs: ['packages', 'driver'],
  uses: ['gpus'],
  concerns: ({ servers }) => servers.length > 0,
  judge: ({ packages: installed, driver, gpus }, subject) =>
    subject.servers.flatMap((server) => {
      const capabilities = capabilitiesOf(driver, gpus === null ? null : devicesOf(server, subject, gpus));
      if (capabilities.length === 0) return [];
      return [...judgeBuilds(installed, capabilities), ...judgeChoice(server, capabilities)];
    }),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target']);
    const uuids = [gpuUse(0).uuid, gpuUse(1).uuid, 'GPU-of-another'];
    const at = (versions: Readonly<Record<string, string>>, capability: string, other?: string): Sample['facts'] => ({
      packages: packages(versions),
      gpus: [gpuUse(0), gpuUse(1)],
      driver: {
        version: '580.1',
        cuda: '13.0',
        capabilities: new Map(uuids.map((uuid, index) => [uuid, index < 2 ? capability : (other ?? capability)])),
      },
    });
    const choosing = (version: string) =>
      serving(['/models/target', `--attention-config.flash_attn_version=${version}`]);
    return [
      { subject, facts: at({ 'flash-attn': '2.8.3' }, '8.6'), verdicts: ['passed'] },
      { subject, facts: at({ 'flash-attn-4': '4.0.0b4' }, '8.6'), verdicts: ['warning'] },
      { subject, facts: at({ 'flash-attn-4': '4.0.0b4' }, '10.0'), verdicts: ['passed'] },
      { subject, facts: at({ 'flash-attn-3': '3.0.0' }, '8.9'), verdicts: ['warning'] },
      { subject: choosing('3'), facts: at({}, '8.6'), verdicts: ['refused'] },
      { subject: choosing('2'), facts: at({}, '8.6'), verdicts: ['passed'] },
      { subject: choosing('3'), facts: at({}, '9.0', '8.6'), verdicts: ['passed'] },
      { subject: choosing('3'), facts: at({}, '12.0'), verdicts: ['warning'] },
      { subject: choosing('4'), facts: at({}, '9.0'), verdicts: ['passed'] },
      { subject: choosing('4'), facts: at({}, '12.0'), verdicts: ['refused'] },
      {
        subject: serving(['/models/target'], { recipe: { environment: { VLLM_FLASH_ATTN_VERSION: '3' } } }),
        facts: at({}, '8.6'),
        verdicts: ['warning'],
      },
      { subject, facts: at({}, '8.6'), verdicts: [] },
      { subject: choosing('newest'), facts: at({}, '8.6'), verdicts: ['unknown'] },
    ];
  },
};

function judgePackages(installed: Packages): Judged {
  const names = NAMES.filter((name) => versionTextOf(installed, name) !== null);
  const words = list(names.map((name) => `${code(name)} ${versionTextOf(installed, name)}`));
  const { flashAttn } = installed;
  if (flashAttn === null) return passed(names.length === 0 ? "none beside vLLM's own" : words);
  if (flashAttn.includes('ops')) return passed(`${words === '' ? 'a module `flash_attn`' : words}, whole`);
  const found = `${words === '' ? 'a module `flash_attn`' : words}, in part: it has ${some(flashAttn.map(code))} and no \`ops\``;
  const vllm = versionOf(installed, 'vllm');
  const remove =
    names.length === 0 ? 'Remove its folder' : `Remove it: ${pipOf(installed, `uninstall ${names.join(' ')}`)}`;
  const advice = `${remove}. vLLM needs none, it brings its own.`;
  const isCaught = vllm !== null && isFrom(vllm, '0.14') && !isFrom(vllm, '0.24') && !isOwnBuild(vllm);
  if (!isCaught) return warning(found, { needed: 'none, or a whole flash-attn 2', advice });
  return refused(found, {
    needed: `none, or a whole flash-attn 2: ${vllmWords(installed)} imports \`flash_attn.ops\``,
    advice,
  });
}

interface Build {
  readonly major: number;
  readonly fits: (capability: number) => boolean;
  readonly where: string;
}

const BUILDS: Readonly<Record<string, Build>> = {
  'flash-attn-3': { major: 3, fits: (capability) => Math.floor(capability) === 9, where: 'Hopper (9.0)' },
  'flash-attn-4': { major: 4, fits: (capability) => capability >= 9, where: 'Hopper or Blackwell (9.0 and above)' },
};

function judgeBuilds(installed: Packages, capabilities: readonly string[]): readonly Judged[] {
  const gpus = `GPUs of compute capability ${list(capabilities)}`;
  return NAMES.flatMap((name): readonly Judged[] => {
    const text = versionTextOf(installed, name);
    if (text === null) return [];
    const build = BUILDS[name] ?? BUILDS[`flash-attn-${versionOf(installed, name)?.release[0] ?? 2}`];
    const found = `${code(name)} ${text} on ${gpus}`;
    if (build === undefined || capabilities.every((capability) => build.fits(Number(capability))))
      return [passed(found)];
    const advice = `Remove it (${pipOf(installed, `uninstall ${name}`)}), or install flash-attn 2 if something else needs one.`;
    return [warning(found, { needed: build.where, advice })];
  });
}

/** vllm_flash_attn's own limits; a 3 on Blackwell is replaced with a warning (v1/attention/backends/fa_utils.py), and newer versions ignore the variable. */
function judgeChoice({ argv, environment }: Server, capabilities: readonly string[]): readonly Judged[] {
  const flag = lastFlag(argv, '--attention-config.flash-attn-version', '-ac.flash-attn-version')?.value;
  const asked = flag ?? environment.VLLM_FLASH_ATTN_VERSION;
  if (asked === undefined) return [];
  const found = `flash attention ${code(asked)} is asked for, on GPUs of compute capability ${list(capabilities)}`;
  const majors = { '3': [9], '4': [9, 10, 11] }[asked];
  const own = capabilities.map((capability) => Math.floor(Number(capability)));
  if (asked === '2') return [passed(found)];
  if (majors === undefined) return [unknown(found)];
  if (own.every((major) => majors.includes(major))) return [passed(found)];
  const isReplaced = asked === '3' && own.every((major) => major >= 9);
  return [
    (isReplaced || flag == null ? warning : refused)(found, {
      needed: `compute capability ${list(
        majors.map((major) => `${major}.x`),
        'or',
      )} for version ${asked}`,
      advice:
        'Leave the choice out (`--attention-config.flash_attn_version`, VLLM_FLASH_ATTN_VERSION): vLLM takes what fits.',
    }),
  ];
}

/** Of the GPUs that it takes; of all where those aren't known. */
function capabilitiesOf(driver: Driver | null, devices: readonly Device[] | null): readonly string[] {
  const all = driver?.capabilities ?? new Map<string, string>();
  const own = (devices ?? []).map(({ gpu }) => all.get(gpu.uuid)).filter((capability) => capability !== undefined);
  return [...new Set(own.length > 0 ? own : all.values())].sort();
}
