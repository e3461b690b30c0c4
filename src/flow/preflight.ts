/** The checks before a start: what the host tells in one round trip, judged row by row. Nothing is started or changed. */

import type { Checklist, Finding } from '../check/check.ts';
import { judgeAll } from '../check/judge.ts';
import { knownVersions } from '../check/known-versions.ts';
import { questionFor } from '../check/question.ts';
import { readSubject } from '../check/read-subject.ts';
import type { Subject } from '../check/subject.ts';
import { scriptsOf } from '../check/training/script-paths.ts';
import type { Recipe } from '../config/config.ts';
import { CommandFailed, HostRefused } from '../errors.ts';
import type { PreflightFacts } from '../host/preflight.ts';
import { type Placing, place } from '../place/place.ts';
import { launchRequest } from '../place/request.ts';
import type { Tools } from '../processor.ts';
import { holderSentence } from '../report/holders.ts';
import { startLine } from '../report/words.ts';
import type { Placement } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import type { Host } from '../tools.ts';
import { hostPath } from './host-path.ts';
import { launchSpec } from './launch-spec.ts';
import { recipeGone } from './never.ts';

/** A script that is longer than this (bytes) is not read. */
const MOST_SCRIPT = 256 * 1024;

interface Checking {
  readonly request: Request;
  readonly recipe: Recipe;
  readonly placement: Placement | null;
}

type Parts = Pick<Tools, 'config' | 'clock'> & { readonly host: Host };

/** Of a run that has its GPUs. Throws what the host throws. */
export async function preflight(checking: Checking, parts: Parts, signal: AbortSignal): Promise<Checklist> {
  const began = parts.clock.now();
  const devices = checking.placement?.devices ?? namedDevices(checking.request);
  const judged = async (): Promise<Pick<Checklist, 'findings' | 'versions'>> => {
    const { facts, subject } = await ask(checking, parts, signal);
    return { findings: judgeAll(facts, { ...subject, devices }), versions: knownVersions(facts, subject) };
  };
  const told = await judged().catch(unanswered);
  return { ...told, tookMs: parts.clock.now() - began, forcedBy: checking.request.forcedBy ?? null };
}

/** A host that fails at the checks alone may well start the run. */
function unanswered(error: unknown): Pick<Checklist, 'findings'> {
  if (!(error instanceof CommandFailed)) throw error;
  const advice = 'Look at what the host said, and start it with care: nothing was checked.';
  const row = { check: 'preflight', label: 'Checks', verdict: 'unknown', needed: null, isFinal: false } as const;
  return { findings: [{ ...row, found: withoutStop(error.message), advice }] };
}

/** The same for a person who asks before, with the GPUs that a launch would get now. Throws HostRefused where vigil.yaml has lost the recipe. */
export async function checkAhead(
  wanted: { readonly host: string; readonly recipe: string },
  { config, clock, hosts, line }: Pick<Tools, 'config' | 'clock' | 'hosts' | 'line'>,
  signal: AbortSignal,
): Promise<Checklist> {
  const recipe = config.recipes[wanted.recipe];
  if (recipe === undefined) throw new HostRefused(wanted.host, recipeGone(wanted));
  const request = launchRequest(config, { ...wanted, trigger: 'check', by: '', channel: '' }, 0);
  const host = hosts.get(wanted.host);
  const checking = { request, recipe, placement: null };
  const began = clock.now();
  const [stand, { facts, subject }] = await Promise.all([
    line.read(host.name),
    ask(checking, { config, clock, host }, signal),
  ]);
  const placing = place(request, stand, facts.gpus.kind === 'told' ? facts.gpus.value : null);
  const devices = (placing.kind === 'free' ? placing.devices : null) ?? namedDevices(request);
  const findings = judgeAll(facts, { ...subject, devices });
  const held = heldFinding(request, { placing, hasDevices: devices !== null });
  return { findings: [...held, ...findings], tookMs: clock.now() - began, forcedBy: null };
}

interface Asked {
  readonly facts: PreflightFacts;
  /** What is to be launched, without its devices. */
  readonly subject: Subject;
}

/** What a training's script starts has to be known before anything else can be asked about it. */
async function ask(checking: Checking, { config, host }: Parts, signal: AbortSignal): Promise<Asked> {
  const { request, placement, recipe } = checking;
  const scripts = await readScripts(checking, host, signal);
  const launch = launchSpec(config, { request, placement }, { recipe, note: '' });
  const asked = { ...recipe, argv: request.argv };
  const subject = readSubject({ host: request.host, recipe: asked, devices: null, scripts });
  const facts = await host.preflight(questionFor(subject, { launch, address: request.address }), signal);
  return { facts, subject };
}

/** Texts of the shell scripts that a training runs, by their paths as argv has them; those that are too long are left out. Throws what the host throws. */
export async function readScripts(
  { request, recipe }: Pick<Checking, 'request' | 'recipe'>,
  host: Host,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (request.kind === 'serve') return new Map();
  const texts = new Map<string, string>();
  for (const path of scriptsOf(request.argv)) {
    const at = hostPath(path, recipe.directory);
    const seen = await host.peek(at, { from: 0, most: MOST_SCRIPT, countsLines: false }, signal);
    if (seen !== null && seen.size <= MOST_SCRIPT) texts.set(path, seen.text);
  }
  return texts;
}

function namedDevices({ gpus }: Request): readonly string[] | null {
  return typeof gpus === 'number' ? null : gpus;
}

/** What Vigil's own runs have; what others have is told by the checks, as long as they know which GPUs are meant. */
function heldFinding(
  request: Request,
  { placing, hasDevices }: { readonly placing: Placing; readonly hasDevices: boolean },
): Finding[] {
  const row = { check: 'in-use', label: 'In use', verdict: 'refused', needed: null, isFinal: true } as const;
  if (placing.kind === 'free') return [];
  if (placing.kind === 'impossible') return [{ ...row, found: withoutStop(placing.reason), advice: null }];
  const holders = placing.holders.filter(({ kind }) => kind === 'run' || !hasDevices);
  const ahead = placing.ahead.map(({ name, recipe }) => `\`${name}\` (${recipe}) waits for the same and comes first`);
  const found = [...holders.map(holderSentence).map(withoutStop), ...ahead];
  if (found.length === 0) return [];
  const advice = `\`${startLine({ request })} --queue\` waits for it and starts by itself.`;
  return [{ ...row, found: found.join('; '), advice }];
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
