import type { Packages } from '../../host/preflight.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { readDraftConfig } from '../draft-config.ts';
import { askingOf, FAULTS, type Fault } from '../faults.ts';
import { versionOf, vllmWords } from '../installed.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { configOf, targetConfig } from '../looks.ts';
import { DRAFTER, drafting, packages, pair, serving } from '../samples.ts';
import type { Server } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { isFrom, isOwnBuild, saysNothing, type Version } from '../version.ts';

/** Silent losses first of all: "ready", and an acceptance of 1 %. A build of somebody's own may hold the fix, so it is never refused. */
export const KNOWN_FAULTS: Check = {
  id: 'known-faults',
  label: 'Known faults',
  needs: ['packages', 'models', 'hub'],
  concerns: ({ servers }) => servers.length > 0,
  judge: (facts, { servers }) => servers.flatMap((server) => judgeServer(server, facts)),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', ...drafting()]);
    const on = (vllm: string, drafter: unknown = DRAFTER): Sample['facts'] => ({
      packages: packages({ vllm }),
      ...pair(drafter),
    });
    const full = { ...DRAFTER, layer_types: undefined };
    const speculators = { speculators_model_type: 'dflash', aux_hidden_state_layer_ids: [2, 17] };
    return [
      { subject, facts: on('0.25.0'), verdicts: ['passed'] },
      { subject, facts: on('0.20.1'), verdicts: ['warning', 'warning', 'warning'] },
      { subject, facts: on('0.20.2.dev31+g8a1b2c3'), verdicts: ['warning', 'warning', 'warning'] },
      { subject, facts: on('0.22.0', full), verdicts: ['warning'] },
      { subject, facts: on('0.23.1', speculators), verdicts: ['passed'] },
      { subject, facts: on('0.19.0'), verdicts: ['refused'] },
      { subject: serving(['/models/target', '--device-ids', '0']), facts: on('0.20.1'), verdicts: ['refused'] },
      {
        subject: serving(['/models/target', '--device-ids', '0']),
        facts: on('0.20.2.dev31+g8a1b2c3'),
        verdicts: ['warning'],
      },
      { subject, facts: { ...on('0.25.0'), packages: packages({}) }, verdicts: [] },
      { subject, facts: { ...on('0.24.0'), models: new Map() }, verdicts: ['unknown'] },
      {
        subject: serving(['/models/target', ...drafting({ method: 'extract_hidden_states' })]),
        facts: on('0.23.1'),
        verdicts: ['warning'],
      },
      {
        subject: serving(['/models/target', ...drafting({ method: 'extract_hidden_states' })]),
        facts: on('0.17.2'),
        verdicts: ['refused'],
      },
      { subject: serving(['/models/target', '--spec-method', 'ngram']), facts: on('0.21.0'), verdicts: ['refused'] },
      {
        subject: serving(['/models/target', ...drafting(), '--attention-backend', 'FLASHINFER']),
        facts: on('0.23.1', full),
        verdicts: ['refused'],
      },
    ];
  },
};

function judgeServer(server: Server, facts: Pick<Known, 'packages' | 'models' | 'hub'>): readonly Judged[] {
  const version = versionOf(facts.packages, 'vllm');
  if (version === null) return [];
  if (saysNothing(version))
    return [unknown(`${vllmWords(facts.packages)}: a version that says nothing of what it holds`)];
  const [target, drafter] = [targetConfig(server, facts), configOf(server.drafter, facts)];
  const asking = askingOf(server, {
    target,
    drafter: drafter === null ? null : readDraftConfig(drafter),
  });
  const own = FAULTS.filter((fault) => isIn(version, fault));
  const hit = own.filter((fault) => fault.concerns(asking));
  const open = own.find(({ decidedBy }) => decidedBy?.method === asking.method && asking[decidedBy.file] === null);
  const told = hit.map((fault) => judgeFault(fault, version, facts.packages));
  if (open?.decidedBy !== undefined)
    return [
      ...told,
      unknown(
        `the ${open.decidedBy.file}'s \`config.json\` is not known here, and ${vllmWords(facts.packages)} has faults with some`,
      ),
    ];
  if (isUnread(server, '--speculative-config', '-sc'))
    return [...told, unknown(`what the command asks of ${vllmWords(facts.packages)} could not be read to its end`)];
  if (told.length === 0) return [passed(`none of ${vllmWords(facts.packages)} in what this asks for`)];
  return told;
}

function isIn(version: Version, { from, until }: Fault): boolean {
  return (from === null || isFrom(version, from)) && (until === null || !isFrom(version, until));
}

function judgeFault({ what, remedy, source, isSure, until }: Fault, version: Version, installed: Packages): Judged {
  const isOwn = isOwnBuild(version);
  const needed = until === null ? null : `${isSure ? '' : 'about '}vLLM ${until} or newer`;
  const where = source === null ? '' : ` (${source})`;
  const next = isOwn
    ? ` This is a build of its own: check that it holds the fix${where}.`
    : source === null
      ? ''
      : ` See ${source}.`;
  const told = { needed, advice: `${remedy}${next}` };
  return (isSure && !isOwn ? refused : warning)(`${vllmWords(installed)}: ${what}`, told);
}
