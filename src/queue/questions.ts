/** Questions and their answers on Redis: one key each, with an end. */

import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Queue } from '../journal.ts';
import type { Answer, Question, Questions, Topic } from '../questions.ts';
import type { Keys } from './keys.ts';

/** Slack takes an answer for 30 minutes; who asks waits for much less. */
const KEPT_S = 300;

interface Parts {
  readonly redis: Redis;
  readonly keys: Keys;
}

export function openQuestions({ redis, keys }: Parts): Questions {
  return {
    async read(id) {
      const [question, answer] = await redis.mget(keys.question(id), keys.answer(id));
      return question === null || question === undefined || answer !== null ? null : (JSON.parse(question) as Question);
    },
    async answer(id, answer) {
      await redis.set(keys.answer(id), JSON.stringify(answer), 'EX', KEPT_S);
    },
    async take(run, id, ms) {
      const key = keys.asking(run);
      if ((await redis.set(key, id, 'PX', ms, 'NX')) === 'OK') return true;
      return (await redis.get(key)) === id && (await redis.pexpire(key, ms)) === 1;
    },
    async leave(run, id) {
      if ((await redis.get(keys.asking(run))) === id) await redis.del(keys.asking(run));
    },
  };
}

/** Writes a question down and has it answered; its id. Adding the job is all that has it answered: who asks sees whether an answer comes. */
export async function ask({ redis, keys, queue }: Parts & { queue: Queue }, question: Question): Promise<string> {
  const id = randomUUID();
  await redis.set(keys.question(id), JSON.stringify(question), 'EX', KEPT_S);
  await queue.add('ask', id);
  return id;
}

/** null while there is none. The kind must be the question's own. */
export async function readAnswer<Kind extends Topic>({ redis, keys }: Parts, id: string): Promise<Answer<Kind> | null> {
  const json = await redis.get(keys.answer(id));
  return json === null ? null : (JSON.parse(json) as Answer<Kind>);
}
