import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CHANNEL, USER } from '../../rehearsal/demo/stage.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50 });
});

afterAll(() => theatre?.stop());

function standing() {
  return theatre.stage.slack.messages(CHANNEL.id).filter(({ deleted, byApp }) => byApp && !deleted);
}

/** What each message is for: its run and the event. Files carry no metadata. */
function keys(): string[] {
  return standing().flatMap(({ metadata }) => (metadata === null ? [] : [JSON.stringify(metadata.event_payload)]));
}

test('a launch through 429s, broken answers and lost ones is told once, whole, and to who asked at its end', async () => {
  const { faults, calls } = theatre.stage.slack;
  const before = calls().length;
  faults.loseResponse('chat.postMessage', 1);
  faults.limit('chat.postMessage', 2, 1);
  faults.loseResponse('chat.postMessage', 1);
  faults.status('chat.postMessage', 503, 1);
  faults.limit('chat.update', 2, 1);
  faults.loseResponse('chat.update', 1);
  faults.limit('conversations.replies', 1, 1);
  await theatre.begin('good', '/vllm launch kpro5 dflash');
  await theatre.until(/^Ready/, /is ready/);
  const thread = theatre.threads().at(-1);
  expect(keys()).toEqual([...new Set(keys())]);
  expect(theatre.threads()).toHaveLength(1);
  const told = ['is launched', 'NCCL up', 'Weights loaded', 'is ready'];
  expect(told.filter((words) => thread?.replies.some((reply) => reply.includes(words)))).toEqual(told);
  expect(standing().filter(({ notified }) => notified.some(({ id }) => id === USER.id))).toHaveLength(1);
  const made = calls().slice(before);
  expect(made.filter(({ method, status }) => method === 'chat.postMessage' && status === 429)).toHaveLength(2);
  expect(made.length).toBeLessThan(40);
});

test('a failure whose file is cut off at each of its steps has one file in its thread', async () => {
  const { faults } = theatre.stage.slack;
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
  for (const method of ['files.getUploadURLExternal', 'upload', 'files.completeUploadExternal', 'files.info'])
    faults.loseResponse(method, 1);
  await theatre.begin('oom', '/vllm launch kpro5 dflash');
  const files = () => standing().flatMap((message) => message.files);
  await vi.waitFor(() => expect(files()).toHaveLength(1), { timeout: 50_000, interval: 50 });
  await theatre.until(/^Failed/, /failed|log/);
  expect(files()[0]?.text).toMatch(/OutOfMemoryError/);
  expect(keys()).toEqual([...new Set(keys())]);
});
