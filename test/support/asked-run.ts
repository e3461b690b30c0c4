import { Redis } from 'ioredis';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { freshPrefix, redisUrl } from './redis.ts';
import { sampleConfig } from './sample-config.ts';

/** A store of its own in the shared Redis, and one run in it that was just asked for. The caller closes the store. */
export async function askForRun(): Promise<{ store: Store; id: string }> {
  const instance = freshPrefix();
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
  const desk = openDesk({ ...store, config: { ...sampleConfig(), instance }, clock: { now: () => 1000 } });
  const answer = await desk.launch(
    { trigger: 'T', host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode: { kind: 'now' } },
    'unknown',
  );
  if (answer.kind !== 'accepted') throw new Error(`the launch was answered with ${answer.kind}`);
  return { store, id: answer.request.id };
}
