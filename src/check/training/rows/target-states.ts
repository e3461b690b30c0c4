import { lastFlag } from '../../../config/flags.ts';
import type { Check, Judged, Sample } from '../../check.ts';
import { passed, refused, unknown } from '../../judged.ts';
import type { Server, Subject, Trainer } from '../../subject.ts';
import { mayHold } from '../../unread.ts';
import { code } from '../../words.ts';
import { asksTarget, type Endpoint, endpointOf, isHere, pairOf, portOf } from '../pair.ts';
import { training } from '../samples.ts';

/** A server that only answers prompts gives a trainer nothing to learn from; it takes a method of its own, and a connector that writes. */
export const TARGET_STATES: Check = {
  id: 'target-states',
  label: 'Hidden states of the target',
  needs: [],
  concerns: ({ trainer }) => trainer !== null && asksTarget(trainer),
  judge: (_, subject) => {
    const pair = pairOf(subject);
    if (pair === null) return [];
    return pair.target === null ? judgeOthers(pair.trainer, subject) : judgeTarget(pair.target);
  },
  get samples(): readonly Sample[] {
    const config = JSON.stringify({ method: 'extract_hidden_states', num_speculative_tokens: 1 });
    const serve = `vllm serve /models/target --speculative-config '${config}'`;
    const elsewhere = { server: 'ssh gpu7 vllm serve /models/target' };
    return [
      { subject: training(), facts: {}, verdicts: ['passed'] },
      { subject: training({ server: 'vllm serve /models/target' }), facts: {}, verdicts: ['refused'] },
      { subject: training({ server: 'vllm serve /models/target $FLAGS' }), facts: {}, verdicts: [] },
      { subject: training({ server: serve }), facts: {}, verdicts: ['refused'] },
      { subject: training({ server: `${serve} --kv-transfer-config '{}'` }), facts: {}, verdicts: ['passed'] },
      { subject: training(elsewhere), facts: {}, verdicts: ['unknown'] },
      {
        subject: training({ ...elsewhere, trainer: '--vllm-endpoint http://gpu7:8000/v1' }),
        facts: {},
        verdicts: [],
      },
      { subject: training({ ...elsewhere, trainer: '--on-missing raise' }), facts: {}, verdicts: [] },
    ];
  },
};

function judgeTarget(target: Server): readonly Judged[] {
  const { argv, unread = [], extraction } = target;
  const hasConnector = extraction?.folder != null || lastFlag(argv, '--kv-transfer-config') !== null;
  if (!hasConnector && mayHold(unread, '--kv-transfer-config')) return [];
  if (!hasConnector)
    return [
      refused('the target keeps its hidden states: it has no `--kv-transfer-config`', {
        needed: '`ExampleHiddenStatesConnector` with a `shared_storage_path`',
        advice: "Add it, or start the target by speculators' `launch_vllm.py`, which does.",
      }),
    ];
  const folder = extraction?.folder ?? null;
  return [passed(folder === null ? 'given to the trainer' : `given to the trainer in ${code(folder)}`)];
}

/** No server of the script gives out any. */
function judgeOthers(trainer: Trainer, { servers, recipe }: Subject): readonly Judged[] {
  const endpoint = endpointOf(trainer);
  if (endpoint === null || !isHere(endpoint)) return [];
  const asked = servers.findLast((server) => portOf(server) === endpoint.port);
  if (asked !== undefined) return judgePlain(asked);
  const isMeant = recipe.kind === 'train' && (recipe.address !== null || recipe.targetLog !== null);
  return isMeant && servers.length === 0 ? [tellNone(endpoint)] : [];
}

function judgePlain({ argv, speculative, unread = [] }: Server): readonly Judged[] {
  // A value that is no JSON, and what only the shell knows, are told by other rows.
  if (speculative === 'broken' || mayHold(unread, '--speculative-config')) return [];
  return [
    refused(`the server at port ${lastFlag(argv, '--port')?.value ?? '8000'} gives out no hidden states`, {
      needed: '`--speculative-config` with the method `extract_hidden_states`, and `--kv-transfer-config`',
      advice: "Start it by speculators' `launch_vllm.py MODEL -- FLAGS`, which adds both.",
    }),
  ];
}

function tellNone({ url }: Endpoint): Judged {
  return unknown(`no target server was found in the script, and the trainer asks ${code(url)}`, {
    advice:
      'Look at its GPUs, model and layers yourself, or start it in the script as `vllm serve` or `launch_vllm.py`.',
  });
}
