/** Whether a launch can start now, on which GPUs, and what is in its way: pure, for the desk and for the line alike. */

import { lastFlag } from '../config/flags.ts';
import type { GpuUse } from '../host/gpu.ts';
import type { Holder, RunHolder } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import { type Device, deviceName, findDevices, holdOfName, holdsOfDevice, shownHolds } from './devices.ts';
import { collide, needsOf, placesOf } from './needs.ts';
import { holdersOf, isIdle, othersOn, type Use } from './others.ts';

/** What the host's GPUs do: null where nvidia-smi can't be asked, 'unknown' where nobody could ask in time. */
export type GpusSeen = readonly GpuUse[] | null | 'unknown';

/** A run without what of it is in the way. */
export type Party = Omit<RunHolder, 'what' | 'kind'>;

/** How a host stands: what live runs hold, by word, and who waits, in order. */
export interface Stand {
  readonly held: ReadonlyMap<string, Party>;
  readonly line: readonly { readonly party: Party; readonly request: Request }[];
}

export type Placing =
  /** `devices` null: they are chosen when somebody has looked at the host. `holds`: all that it takes for itself. */
  | {
      readonly kind: 'free';
      readonly devices: readonly string[] | null;
      readonly holds: readonly string[];
      readonly gpuHolds: readonly string[];
    }
  | {
      readonly kind: 'blocked';
      readonly holders: readonly Holder[];
      readonly ahead: readonly Party[];
      /** How many GPUs it asks for and which are free, where those are too few. */
      readonly count: { readonly asked: number; readonly free: readonly string[] } | null;
    }
  | { readonly kind: 'impossible'; readonly reason: string };

/** `line` of the stand: those before it only. Lowest indexes first. */
export function place(request: Request, { held, line }: Stand, view: GpusSeen): Placing {
  const gpus = view === 'unknown' ? null : view;
  const needs = needsOf(request, gpus);
  const ahead = line.filter((other) => collide(needs, needsOf(other.request, gpus))).map(({ party }) => party);
  const found =
    typeof request.gpus === 'number'
      ? chooseSome(request.gpus, request, held, view)
      : takeNamed(request.gpus, request, held, gpus);
  if (typeof found === 'string') return { kind: 'impossible', reason: found };
  const places = placesOf(request);
  const isLog = (word: string): boolean => word.startsWith('log ');
  const ports = runHolders(
    places.filter((word) => !isLog(word)),
    held,
  );
  const merged = mergeRuns([...ports, ...found.holders, ...runHolders(places.filter(isLog), held)]);
  if (merged.length > 0 || ahead.length > 0) return { kind: 'blocked', holders: merged, ahead, count: found.count };
  return { kind: 'free', devices: found.devices, holds: [...places, ...found.holds], gpuHolds: found.holds };
}

interface Found {
  readonly devices: readonly string[] | null;
  readonly holds: readonly string[];
  readonly holders: readonly Holder[];
  readonly count: { readonly asked: number; readonly free: readonly string[] } | null;
}

type Held = Stand['held'];

function takeNamed(
  names: readonly string[],
  request: Request,
  held: Held,
  gpus: readonly GpuUse[] | null,
): Found | string {
  if (gpus === null) {
    const holds = names.map(holdOfName);
    return { devices: null, holds, holders: runHolders(holds, held), count: null };
  }
  const devices = findDevices(names, request.host, gpus);
  if (typeof devices === 'string') return devices;
  const others = (device: Device) => (request.forcedBy === undefined ? othersOn(device, useOf(request)) : []);
  const holders = devices.flatMap((device) => onDevice(device, held, others(device)));
  return { devices: devices.map(deviceName), holds: devices.flatMap(holdsOfDevice), holders, count: null };
}

function chooseSome(asked: number, request: Request, held: Held, view: GpusSeen): Found | string {
  if (view === 'unknown') return { devices: null, holds: [], holders: [], count: null };
  if (view === null) return cannotChoose(request);
  const whole = view.filter((gpu) => !gpu.isMig).map((gpu): Device => ({ gpu, mig: null }));
  if (whole.length < asked) return tooFew(asked, request, view);
  const isFree = (device: Device): boolean =>
    isIdle(device.gpu, useOf(request)) && runHolders(holdsOfDevice(device), held).length === 0;
  const free = whole.filter(isFree);
  const chosen = free.slice(0, asked);
  if (chosen.length === asked)
    return { devices: chosen.map(deviceName), holds: chosen.flatMap(holdsOfDevice), holders: [], count: null };
  const holders = whole
    .filter((device) => !free.includes(device))
    .flatMap((device) => onDevice(device, held, holdersOf(device)));
  return { devices: null, holds: [], holders, count: { asked, free: free.map(deviceName) } };
}

/** What computes on a held device is its holder's business. */
function onDevice(device: Device, held: Held, others: readonly Holder[]): readonly Holder[] {
  const runs = runHolders(holdsOfDevice(device), held);
  return runs.length > 0 ? runs : others;
}

/** What a run does with its GPUs. */
export function useOf({ kind, argv }: Pick<Request, 'kind' | 'argv'>): Use {
  if (kind === 'train') return { share: null };
  const share = Number(lastFlag(argv, '--gpu-memory-utilization')?.value ?? DEFAULT_SHARE);
  return { share: share > 0 && share <= 1 ? share : DEFAULT_SHARE };
}

/** vLLM's own (config/cache.py). */
const DEFAULT_SHARE = 0.9;

function cannotChoose({ host, gpus }: Request): string {
  return `${gpuCount(gpus)} of ${host} can't be chosen: nvidia-smi does not answer there, looked for on the PATH and in /usr/local/nvidia/bin, /usr/lib/wsl/lib and /usr/local/cuda/bin. Name the devices in the recipe (gpus: [0, 1]), or make nvidia-smi answer to the SSH user.`;
}

function tooFew(asked: number, { host }: Request, view: readonly GpuUse[]): string {
  const migs = view.filter(({ isMig }) => isMig).length;
  const inMig = migs === 0 ? '' : `, ${migs} of them in MIG mode, whose devices a recipe has to name`;
  return `The recipe asks for ${gpuCount(asked)}, and ${host} has ${view.length}${inMig}. Lower gpus in vigil.yaml, or launch on another host.`;
}

function gpuCount(gpus: Request['gpus']): string {
  return gpus === 1 ? '1 GPU' : `${typeof gpus === 'number' ? gpus : gpus.length} GPUs`;
}

/** Who holds any of the words, each with those that it holds. */
function runHolders(words: readonly string[], held: Held): RunHolder[] {
  const whats = new Map<string, { party: Party; words: string[] }>();
  for (const word of words) {
    const party = held.get(word);
    if (party === undefined) continue;
    const known = whats.get(party.run) ?? { party, words: [] };
    known.words.push(word);
    whats.set(party.run, known);
  }
  return [...whats.values()].map(({ party, words: own }) => ({ kind: 'run', what: shownHolds(own), ...party }));
}

/** One row a run and a process, with all that it has. */
function mergeRuns(holders: readonly Holder[]): readonly Holder[] {
  const rows = new Map<string, Holder>();
  for (const holder of holders) {
    const key =
      holder.kind === 'run' ? holder.run : holder.kind === 'process' ? `pid ${holder.pid}` : holder.what.join();
    const known = rows.get(key);
    const what = [...new Set([...(known?.what ?? []), ...holder.what])];
    rows.set(key, { ...holder, what });
  }
  return [...rows.values()];
}
