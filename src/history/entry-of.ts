/** A run that ended as the line that is kept of it: bounded, whatever its log and its command hold. */

import { refusalsIn } from '../check/sums.ts';
import { list } from '../list.ts';
import type { FactValue } from '../log/events.ts';
import { clip } from '../report/escape.ts';
import { type End, isEnd, type Phase, type Run } from '../run/run.ts';
import type { Acceptance } from '../verify/verification.ts';
import type { HistoryEntry } from './entry.ts';
import { troubleOf } from './trouble.ts';

const MOST = {
  word: 1000,
  argv: 2500,
  devices: 64,
  device: 80,
  title: 200,
  message: 500,
  remedy: 500,
  name: 100,
  curve: 64,
} as const;

/** What is kept of a run that has ended; `endedAt`: our clock, ms. Its thread is added by whoever reads it. */
export function entryOf(run: Run, endedAt: number): HistoryEntry {
  const { request, verification, training } = run;
  const record = training?.last.record ?? null;
  return {
    version: 1,
    run: request.id,
    name: request.name,
    kind: request.kind,
    host: request.host,
    recipe: clip(request.recipe, MOST.title),
    argv: shortened(request.argv),
    devices: devicesOf(run),
    by: request.by,
    stoppedBy: run.stopBy,
    at: request.at,
    startedAt: run.started?.at ?? null,
    endedAt,
    end: endOf(run),
    isRefused: run.failure?.kind === 'refused',
    outcome: verification?.outcome ?? null,
    phases: phasesOf(run),
    versions: versionsOf(run),
    exit: run.failure?.kind === 'ended' ? exitOf(run.failure.exit) : null,
    cause: causeOf(run),
    fingerprint: troubleOf(run),
    numbers: {
      tokensPerSecond: rounded(verification?.speed?.tokensPerSecond),
      isDisturbed: verification?.speed == null ? null : verification.speed.disturbedBy !== null,
      firstTokenMs: rounded(verification?.speed?.firstTokenMs),
      acceptance: acceptanceOf(verification?.acceptance ?? null),
      loss: record?.loss ?? null,
      step: record?.step ?? null,
    },
    thread: null,
  };
}

function endOf({ phase }: Run): End {
  if (!isEnd(phase)) throw new Error(`a run that is ${phase} has not ended`);
  return phase;
}

/** The words from the first one on, as many as fit; the last one then says how many more there are. */
function shortened(argv: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let size = 0;
  for (const word of argv) {
    const short = clip(word, MOST.word);
    size += short.length;
    if (size > MOST.argv) return [...kept, `… ${argv.length - kept.length} more`];
    kept.push(short);
  }
  return kept;
}

function devicesOf({ placement, request: { gpus } }: Run): readonly string[] {
  const devices = placement?.devices ?? (typeof gpus === 'number' ? [] : gpus);
  return devices.slice(0, MOST.devices).map((device) => clip(device, MOST.device));
}

/** Host time between a phase and the next one, all its visits together. */
function phasesOf({ visits }: Run): HistoryEntry['phases'] {
  const spent = new Map<Phase, number>();
  visits.forEach(({ phase, at }, index) => {
    const next = visits[index + 1];
    if (next !== undefined) spent.set(phase, (spent.get(phase) ?? 0) + Math.max(0, next.at - at));
  });
  return [...spent].map(([phase, ms]) => ({ phase, ms }));
}

/** What the server itself says of its version goes before what its log does, and that before what the checks saw installed. */
function versionsOf({ reading: { facts }, target, verification, checks }: Run): Readonly<Record<string, string>> {
  const known = { ...target?.reading.facts, ...facts };
  const installed = checks?.versions ?? {};
  const all: Record<string, FactValue | undefined> = {
    ...installed,
    vllm: verification?.version ?? known.version ?? installed.vllm,
    nccl: known.nccl,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, clip(String(value), MOST.name)] as const],
    ),
  );
}

function exitOf(exit: { readonly code: number | null; readonly signal: number | null } | null): HistoryEntry['exit'] {
  return exit === null ? null : { code: exit.code, signal: exit.signal };
}

function causeOf({ failure, lost, vitals }: Run): HistoryEntry['cause'] {
  if (failure?.kind === 'refused') {
    const labels = [
      ...new Set(failure.checks === undefined ? [] : refusalsIn(failure.checks).map(({ label }) => label)),
    ];
    const title = labels.length === 0 ? 'Not started' : `Refused by its checks: ${list(labels)}`;
    return {
      ...OTHER,
      category: 'refused',
      row: 'refused',
      title: clip(title, MOST.title),
      message: short(failure.reason),
    };
  }
  if (lost !== null) return { ...OTHER, category: 'lost', row: 'lost', title: 'Lost', message: short(lost) };
  const cause = failure?.cause ?? (failure === null ? null : (vitals?.death?.cause ?? null));
  if (cause === null) return null;
  const { category, row, title, message, remedy, process } = cause;
  return {
    category,
    row,
    title: clip(title, MOST.title),
    message: short(message),
    remedy: clip(remedy, MOST.remedy),
    process: process === null ? null : clip(process, MOST.name),
  };
}

const OTHER = { remedy: '', process: null } as const;

function short(message: string): string {
  return clip(message, MOST.message);
}

function acceptanceOf(acceptance: Acceptance | null): Acceptance | null {
  if (acceptance === null) return null;
  const { rate, length, curve, drafts, of } = acceptance;
  const exact = (value: number): number => Number(value.toFixed(4));
  return { rate: exact(rate), length: exact(length), curve: curve.slice(0, MOST.curve).map(exact), drafts, of };
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value.toFixed(2));
}
