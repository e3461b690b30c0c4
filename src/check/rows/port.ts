import { addressWords } from '../../address.ts';
import type { Check, Sample } from '../check.ts';
import { impossible, passed } from '../judged.ts';
import { NOW, serving } from '../samples.ts';
import { party } from '../words.ts';

/** A server that finds its port taken ends at once. */
export const PORT: Check = {
  id: 'port',
  label: 'Port',
  needs: ['listener'],
  concerns: ({ address }) => address !== null,
  judge: ({ listener, now }, { address }) => {
    if (address === null || listener === null) return [];
    const where = addressWords(address);
    if (listener.kind === 'closed') return [passed(`${where} is free`)];
    const needed = `${where} free`;
    if (listener.kind === 'unknown') {
      const advice = `Find it as root (\`${address.kind === 'tcp' ? `ss -ltnp 'sport = :${address.port}'` : `lsof ${address.path}`}\`), and end it or take another port.`;
      return [impossible(`${where} is in use by a process that this SSH user may not see`, { needed, advice })];
    }
    const ends =
      listener.run === null
        ? `End it (\`kill ${listener.pid}\`) if nobody needs it, or give the recipe another port.`
        : `Stop that run, or give the recipe another port.`;
    return [impossible(`${where} is in use by ${party(listener, now)}`, { needed, advice: ends })];
  },
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target']);
    const holder = { pid: 77, command: 'vllm serve /m --api-key sk-12345678', user: 'bob', since: NOW - 3_600_000 };
    return [
      { subject, facts: { listener: { kind: 'closed' } }, verdicts: ['passed'] },
      { subject, facts: { listener: { kind: 'known', ...holder, run: null } }, verdicts: ['refused'] },
      { subject, facts: { listener: { kind: 'known', ...holder, run: 'vigil-kpro5-3' } }, verdicts: ['refused'] },
      { subject, facts: { listener: { kind: 'unknown' } }, verdicts: ['refused'] },
    ];
  },
};
