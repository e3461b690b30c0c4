import type { Check, Judged, Sample } from '../../check.ts';
import { passed, refused, warning } from '../../judged.ts';
import type { Subject } from '../../subject.ts';
import { code } from '../../words.ts';
import { asksTarget, endpointOf, isHere, type Pair, pairOf, portOf } from '../pair.ts';
import { training } from '../samples.ts';

/** A trainer that asks another port than its target's waits for nobody, or learns from another server. */
export const TARGET_ADDRESS: Check = {
  id: 'target-address',
  label: 'Address of the target',
  needs: [],
  concerns: (subject) => pairOf(subject)?.target != null,
  judge: (_, subject) => {
    const pair = pairOf(subject);
    return pair === null ? [] : judgePair(pair, subject);
  },
  get samples(): readonly Sample[] {
    const at = (url: string) => training({ trainer: `--vllm-endpoint ${url}` });
    const other = { target: '-- --port 8001', trainer: '--vllm-endpoint http://127.0.0.1:8001/v1' };
    const recipe = { address: { kind: 'tcp', host: '127.0.0.1', port: 8001 } } as const;
    return [
      { subject: training(), facts: {}, verdicts: ['passed'] },
      { subject: at('http://localhost:8001/v1'), facts: {}, verdicts: ['refused'] },
      { subject: at('http://localhost/v1'), facts: {}, verdicts: ['refused'] },
      { subject: at('http://gpu7:8001/v1'), facts: {}, verdicts: [] },
      { subject: training(other), facts: {}, verdicts: ['warning'] },
      { subject: training(other, { recipe }), facts: {}, verdicts: ['passed'] },
      { subject: training({ target: '-- --port $PORT' }), facts: {}, verdicts: [] },
    ];
  },
};

function judgePair({ trainer, target }: Pair, subject: Subject): readonly Judged[] {
  const { address } = subject;
  const port = target === null ? null : portOf(target);
  const endpoint = endpointOf(trainer);
  if (port === null) return [];
  if (asksTarget(trainer) && endpoint !== null) {
    if (!isHere(endpoint)) return [];
    // Several may stand behind one address that shares out the work.
    const isShared = subject.servers.length > 1;
    if (endpoint.port !== port)
      return [
        (isShared ? warning : refused)(`the trainer asks ${code(endpoint.url)}`, {
          needed: `port ${port}, where the script starts the target (\`--port\`)`,
          advice: `Write \`--vllm-endpoint http://localhost:${port}/v1\`, or \`--port ${endpoint.port}\` at the target.`,
        }),
      ];
  }
  if (address?.kind === 'tcp' && address.port !== port)
    return [
      warning(`the recipe says port ${address.port} for the target`, {
        needed: `${port}, where the script starts it`,
        advice: `Write \`target: {port: ${port}}\` in the recipe: else Vigil asks the wrong server whether it is ready.`,
      }),
    ];
  // Another trainer, or an address that nobody could read.
  return endpoint === null ? [] : [passed(`port ${port} on both sides`)];
}
