/** Ready means it works: what a verification finds is told at first glance, and measured against what the recipe reached before. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHANNEL } from '../../rehearsal/demo/stage.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

vi.setConfig({ testTimeout: 60_000 });

const PATIENCE = { timeout: 50_000, interval: 50 };
const LAUNCH = '/vllm launch kpro5 dflash';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50 });
});

afterEach(async () => {
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
});

afterAll(() => theatre?.stop());

/** Types the command and waits until the thread tells what came of it. */
async function verifyAgain(command: string): Promise<void> {
  const told = () => theatre.threads().at(-1)?.replies.length ?? 0;
  const before = told();
  await theatre.say(command);
  await vi.waitFor(() => expect(told()).toBeGreaterThan(before), PATIENCE);
}

/** The newest thread as a person reads it, without the figures that a busy machine changes: its card and its last reply. */
function newest(): { card: string; reply: string } {
  const standing = theatre.stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
  const root = standing.findLast((message) => message.thread === null);
  const reply = standing.findLast((message) => message.thread === root?.ts);
  return { card: read(root), reply: read(reply) };
}

function read(message: Parameters<typeof toPlainText>[0] | undefined): string {
  if (message === undefined) return '';
  return toPlainText(message)
    .replaceAll(theatre.stage.host.home, 'HOME')
    .replaceAll(/\d+(\.\d+)? (tokens\/s|ms|s)\b/g, 'N $2')
    .replaceAll(/port \d+/g, 'port N');
}

test('a drafter that is given the wrong layers is not usable: its curve says so, and what is likely comes first', async () => {
  await theatre.begin('wrong-drafter-config', LAUNCH);
  await theatre.until(/^Not usable/, /not usable/);
  const { card, reply } = newest();
  expect(card).toMatch(/^⛔ Not usable \(drafts are not accepted\): dflash on kpro5/);
  expect(reply).toMatch(/Mean acceptance length 1\.18 over \d+ drafts: 1\.2 % of the draft tokens were accepted/);
  expect(reply).toMatch(/by position `?▂▁·{13}`?/);
  const causes = reply.split('\n').filter((line) => line.startsWith('• '));
  expect(causes[0]).toMatch(/layer/i);
  expect(reply).toMatch(/What to do:/);
});

test('a good start sets the record; a slow one is told beside it, and accepted it becomes the record', async () => {
  await theatre.begin('good', LAUNCH);
  await theatre.until(/^Ready: /, /is ready\./);
  expect(newest().reply).toMatch(/first record/);
  const good = theatre.threads().length;
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);

  await theatre.begin('slow', LAUNCH);
  await theatre.until(/^Ready with warnings \(.*speed/, /ready with warnings/);
  const name = /kpro5-\d+/.exec(newest().card)?.[0] ?? '';
  expect(newest().reply).toMatch(new RegExp(`about N tokens/s, as kpro5-${good} reached`));
  expect(newest().reply).not.toMatch(/record on this host/);

  await verifyAgain(`/vllm verify ${name} --accept`);
  expect(newest().reply).toMatch(/is the record now|new record|accepted/i);
  await vi.waitFor(() => expect(newest().card).toMatch(/^✅ Ready: /), PATIENCE);
  await verifyAgain(`/vllm verify ${name}`);
  expect(newest().card).not.toMatch(/warnings: .*speed/);
  expect(newest().reply).toMatch(new RegExp(`record \\d+ of ${name}`));
});

test('a drafter whose sliding window is lost: the first position is well, the rest is gone, and the window is named', async () => {
  await theatre.begin('sliding-window-lost', LAUNCH);
  await theatre.until(/^(Not usable|Ready with warnings) \(/, /acceptance|drafts/);
  const { reply } = newest();
  expect(reply).toMatch(/Mean acceptance length 1\.65/);
  const causes = reply.split('\n').filter((line) => line.startsWith('• '));
  expect(causes[0]).toMatch(/sliding window/i);
});
