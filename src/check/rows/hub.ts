import { lastFlag } from '../../config/flags.ts';
import type { HubLook, ModelLook, Room } from '../../host/preflight.ts';
import { partialHole } from '../beside-weights.ts';
import { CHOOSES_CACHE, hubCache, offlineBy } from '../caches.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { modelsOf } from '../looks.ts';
import { pathOf } from '../model-ref.ts';
import { folder, GIB, serving, TARGET } from '../samples.ts';
import type { ModelRef, Server } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { hasOnlyOthers, holesIn, type Reading, wholeWords } from '../weights.ts';
import { code, size } from '../words.ts';

/** Bytes that the smallest model needs (one that embeds), and those that most need. */
const LEAST_ROOM = 64 * 1024 ** 2;
const GOOD_ROOM = 60 * 1024 ** 3;

type HubRef = ModelRef & { readonly kind: 'hub' };

/** A download is silent in the log, slow without a token, and may stall (55 GB that never came, and took 53 s by hand). */
export const HUB: Check = {
  id: 'hub',
  label: 'Model from the hub',
  needs: ['hub', 'models', 'room'],
  concerns: ({ servers }) => servers.some((server) => hubModels(server).length > 0),
  judge: (facts, { servers }) =>
    servers.flatMap((server) =>
      hubModels(server).flatMap(({ ref, isDrafter }) => judgeModel(ref, { server, isDrafter, ...facts })),
    ),
  get samples(): readonly Sample[] {
    const cache = '/root/.cache/huggingface/hub';
    const absent: HubLook = { cache, snapshot: null, partial: [], token: null };
    const at = (look: HubLook, free = 500 * GIB): Sample['facts'] => ({
      hub: new Map([['org/model', look]]),
      models: new Map<string, ModelLook>([['org/model', { kind: 'missing' }]]),
      room: new Map([
        ['~/.cache/huggingface/hub', { path: '/root', mount: '/', free, total: 900 * GIB, isWritable: true }],
      ]),
    });
    const subject = serving(['org/model']);
    const offline = serving(['org/model'], { recipe: { environment: { HF_HUB_OFFLINE: '1' } } });
    const whole = folder(TARGET);
    return [
      { subject, facts: at({ ...absent, snapshot: whole }), verdicts: ['passed'] },
      { subject, facts: at({ ...absent, token: 'file' }), verdicts: ['passed'] },
      { subject, facts: at(absent), verdicts: ['warning'] },
      { subject, facts: at({ ...absent, token: 'file' }, GIB), verdicts: ['warning'] },
      { subject, facts: at({ ...absent, token: 'file' }, 1024), verdicts: ['refused'] },
      { subject, facts: at({ ...absent, token: 'environment' }, 30 * GIB), verdicts: ['warning'] },
      { subject, facts: at({ ...absent, cache: '/data/hf/hub', token: 'file' }, GIB), verdicts: ['passed'] },
      { subject: offline, facts: at(absent), verdicts: ['refused'] },
      { subject: offline, facts: at({ ...absent, snapshot: whole }), verdicts: ['passed'] },
      {
        subject: offline,
        facts: at({ ...absent, snapshot: { ...whole, weights: whole.weights.slice(1) } }),
        verdicts: ['refused'],
      },
      {
        subject,
        facts: at({
          ...absent,
          snapshot: { ...whole, weights: whole.weights.slice(1) },
          partial: [{ name: 'ab.incomplete', size: 3 * GIB, age: 14_400 }],
          token: 'file',
        }),
        verdicts: ['warning'],
      },
      {
        subject,
        facts: { ...at(absent), models: new Map([['org/model', whole]]) },
        verdicts: ['passed'],
      },
      { subject: serving(['org/model', '--download-dir', '/data']), facts: at(absent), verdicts: ['unknown'] },
      { subject, facts: { ...at(absent), hub: new Map() }, verdicts: ['unknown'] },
    ];
  },
};

interface Looking extends Pick<Known, 'hub' | 'models' | 'room'> {
  readonly server: Server;
  readonly isDrafter: boolean;
}

function hubModels(server: Server): readonly { readonly ref: HubRef; readonly isDrafter: boolean }[] {
  return modelsOf(server).flatMap(({ ref, isDrafter }) => (ref.kind === 'hub' ? [{ ref, isDrafter }] : []));
}

function judgeModel(ref: HubRef, looking: Looking): readonly Judged[] {
  const { server, isDrafter, hub, models } = looking;
  const what = `${isDrafter ? 'drafter' : 'model'} ${code(ref.id)}`;
  const local = models.get(pathOf(ref));
  if (local?.kind === 'model') return [judgeLocal(local, what, { isDrafter, server })];
  if (lastFlag(server.argv, '--download-dir') !== null || server.environment.VLLM_USE_MODELSCOPE !== undefined)
    return [unknown(`${what} comes from another place than the hub's usual cache, which is not looked into`)];
  const look = hub.get(ref.id);
  if (look === undefined) return [unknown(`the host told nothing of ${what}`)];
  const snapshot = look.snapshot?.kind === 'model' ? look.snapshot : null;
  const holes = snapshot === null ? [] : holesIn(snapshot, { isDrafter, server });
  if (snapshot !== null && holes.length === 0 && hasOnlyOthers(snapshot))
    return [unknown(`${what} is cached, with weights of a form that is not looked into`)];
  if (snapshot !== null && holes.length === 0) return [passed(`${what} is cached: ${wholeWords(snapshot)}`)];
  const first = holes.find(({ isCertain }) => isCertain);
  if (snapshot !== null && first === undefined)
    return holes.map(({ found, needed, advice }) => warning(`${what}: ${found}`, { needed, advice }));
  const state =
    first === undefined ? `${what} is not in the cache ${code(look.cache)}` : `${what} in the cache: ${first.found}`;
  return judgeDownload({ ref, look, state }, looking);
}

function judgeLocal(local: ModelLook & { readonly kind: 'model' }, what: string, reading: Reading): Judged {
  const [hole] = holesIn(local, reading);
  const where = `${what} is the folder ${code(local.path)}`;
  if (hole === undefined) return passed(`${where}: ${wholeWords(local)}`);
  const { found, needed, advice } = hole;
  return (hole.isCertain ? refused : warning)(`${where}: ${found}`, { needed, advice });
}

interface Absent {
  readonly ref: HubRef;
  readonly look: HubLook;
  readonly state: string;
}

/** What is missing has to come from the hub. */
function judgeDownload({ ref, look, state }: Absent, { server, room }: Looking): readonly Judged[] {
  const moved = CHOOSES_CACHE.find((name) => isUnread(server, name));
  if (moved !== undefined)
    return [
      unknown(`${state}, and only the shell knows whether ${code(moved)} names another one`, {
        advice: "Write it into the recipe's `environment`, so that the right cache is looked at.",
      }),
    ];
  const first = `Download it first: ${downloadCommand(ref)}`;
  const offline = offlineBy(server.environment);
  if (offline !== null)
    return [
      refused(`${state}, and ${code(offline)} forbids downloads`, {
        needed: 'all its files',
        advice: `${first} without that variable.`,
      }),
    ];
  const asked = hubCache(server.environment);
  // The SSH login's own variables may have moved the cache to another disk than was asked about.
  const isThere = look.cache.endsWith(asked.replace(/^~(?=\/)/, ''));
  const place = isThere ? (room.get(asked) ?? null) : null;
  const free = place === null ? '' : `, ${size(place.free)} free`;
  const needed = 'as much room as its weights take';
  if (place !== null && place.free < LEAST_ROOM)
    return [refused(`${state}${free} for it`, { needed, advice: roomAdvice(place) })];
  if (look.partial.length > 0) {
    const { found } = partialHole(look.partial);
    return [warning(`${state}; ${found}${free}`, { advice: `${first}. It goes on where it stopped.` })];
  }
  if (look.token === null)
    return [
      warning(`${state}, and there is no token for the hub${free}`, {
        advice: `${first}. Without a token the hub limits the rate, and refuses gated models: set HF_TOKEN in the recipe's environment as a secret.`,
      }),
    ];
  if (place !== null && place.free < GOOD_ROOM)
    return [warning(`${state}: it will be downloaded${free}`, { needed, advice: roomAdvice(place) })];
  return [passed(`${state}: it will be downloaded, with the token of the ${TOKENS[look.token]}${free}`)];
}

const TOKENS = { environment: 'environment', file: "host's own file" } as const;

function downloadCommand({ id, revision }: HubRef): string {
  return code(`hf download ${id}${revision === 'main' ? '' : ` --revision ${revision}`}`);
}

function roomAdvice({ mount }: Room): string {
  return `Compare with the size of its files on the hub, and make room on ${code(mount)}, or set HF_HOME to a larger disk.`;
}
