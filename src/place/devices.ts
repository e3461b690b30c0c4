/** The devices of a host, by any of their names: index, UUID, the beginning of a UUID, a MIG device's UUID. */

import type { GpuUse } from '../host/gpu.ts';

/** What a run can be given: a whole GPU, or one of its MIG devices. */
export interface Device {
  readonly gpu: GpuUse;
  /** UUID of the MIG device, or null for the whole GPU. */
  readonly mig: string | null;
}

/** As CUDA_VISIBLE_DEVICES takes it, and as people are told: an index where there is one, since some versions of vLLM can't read UUIDs. */
export function deviceName({ gpu, mig }: Device): string {
  return mig ?? gpu.index;
}

/** By all its names, so that two runs that call it differently collide; a whole GPU has its MIG devices with it. */
export function holdsOfDevice({ gpu, mig }: Device): readonly string[] {
  if (mig !== null) return [uuidWord(mig)];
  return [`GPU ${gpu.index}`, uuidWord(gpu.uuid), ...gpu.migs.map(({ uuid }) => uuidWord(uuid))];
}

/** A device that nobody looked at: all that is known is how its recipe calls it. */
export function holdOfName(name: string): string {
  return isIndex(name) ? `GPU ${Number(name)}` : uuidWord(name);
}

/** What people are told of such words: a UUID only where no index says the same. */
export function shownHolds(words: readonly string[]): readonly string[] {
  const indexed = words.filter((word) => !word.startsWith(UUID));
  const isTold = indexed.some((word) => word.startsWith('GPU '));
  return isTold
    ? indexed
    : [...indexed, ...words.flatMap((word) => (word.startsWith(UUID) ? [`GPU ${word.slice(UUID.length)}`] : []))];
}

/** The devices that the names mean, in their order, or a sentence that says which name means none, or two. */
export function findDevices(
  names: readonly string[],
  host: string,
  gpus: readonly GpuUse[],
): readonly Device[] | string {
  const devices: Device[] = [];
  for (const name of names) {
    const found = devicesCalled(name, gpus);
    const [device] = found;
    if (device === undefined) return `${name} is no GPU of ${host}, which has ${inventory(gpus)}. ${CORRECT}`;
    if (found.length > 1)
      return `${name} means ${found.length} GPUs of ${host} (${found.map(deviceName).join(', ')}): expected the beginning of one UUID. ${CORRECT}`;
    if (devices.some((other) => deviceName(other) === deviceName(device)))
      return `${names.join(', ')} name GPU ${deviceName(device)} of ${host} twice: expected each once. ${CORRECT}`;
    devices.push(device);
  }
  return devices;
}

const UUID = 'uuid ';
const CORRECT = "Correct the recipe's gpus in vigil.yaml.";

function uuidWord(uuid: string): string {
  return `${UUID}${uuid}`;
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name);
}

/** As CUDA takes them: the beginning of a UUID is enough where it is the only one. */
function devicesCalled(name: string, gpus: readonly GpuUse[]): readonly Device[] {
  if (isIndex(name)) return gpus.filter(({ index }) => Number(index) === Number(name)).map(whole);
  const begins = ({ uuid }: { readonly uuid: string }): boolean => uuid.toLowerCase().startsWith(name.toLowerCase());
  if (!/^mig-/i.test(name)) return gpus.filter(begins).map(whole);
  return gpus.flatMap((gpu) => gpu.migs.filter(begins).map(({ uuid }) => ({ gpu, mig: uuid })));
}

function whole(gpu: GpuUse): Device {
  return { gpu, mig: null };
}

function inventory(gpus: readonly GpuUse[]): string {
  return gpus
    .map(({ index, uuid, migs }) => `${index} (${[uuid, ...migs.map((mig) => mig.uuid)].join(', ')})`)
    .join(', ');
}
