import { expect, test } from 'vitest';
import { entryOf } from '../../src/history/entry-of.ts';
import { OOM, sampleRun, sampleTraining, T0 } from '../report/sample-run.ts';
import { CONFIG, setUp } from './set-up.ts';

const FAILED = {
  phase: 'failed',
  failure: { kind: 'ended', exit: { code: 1, signal: null, at: T0 }, during: 'loading', cause: OOM, tail: [] },
} as const;

/** With a failed run, a live one that is well, one that only the history knows, one on a host that Alice may not see, and a training. */
function world() {
  const made = setUp();
  const root = { channel: 'C0OPS', ts: '9.000001' };
  made.desk.summaries.push(
    { run: sampleRun(FAILED), root },
    { run: sampleRun({}, { id: 'r4', name: 'kpro5-4' }), root },
    { run: sampleTraining(FAILED, { id: 'r7', host: 'kpro5', name: 'kpro5-7' }), root },
  );
  made.desk.entries.push(
    entryOf(sampleRun(FAILED, { id: 'r1', name: 'kpro5-1' }), T0),
    entryOf(sampleRun(FAILED, { id: 'r9', name: 'kpro6-9', host: 'kpro6' }), T0),
  );
  return made;
}

const TEXT =
  'Don’t use —gpu-memory-utilization 0.95 here – “0.85” is enough; see <https://wiki/x|wiki/x> or ask <@U0BOB|bob>';
const MEANT = 'Don’t use --gpu-memory-utilization 0.95 here – “0.85” is enough; see wiki/x or ask @bob';

test('a note is kept as it was typed, and the answer says where it is shown', async () => {
  const { type, desk } = world();
  const answer = await type(`note kpro5-3 ${TEXT}`);
  expect(desk.notes.get(OOM.fingerprint)).toMatchObject({ text: MEANT, by: 'U0ALICE' });
  expect(desk.notedOf).toEqual(['vigil-kpro5-1a2b']);
  expect(answer).toContain('Noted for what is wrong with kpro5-3 (dflash on kpro5). The cards that tell of it show it');
  expect(answer).toContain(MEANT);
});

test.each(["don't", '--enforce-eager "helps', 'a  b'])('%j is text like any other', async (text) => {
  const { type, desk } = world();
  await type(`note kpro5-3 ${text}`);
  expect(desk.notes.get(OOM.fingerprint)?.text).toBe(text);
});

test('a note that is replaced is told, with who wrote it', async () => {
  const { type } = world();
  await type('note kpro5-3 first');
  const answer = await type('note kpro5-3 second');
  expect(answer).toMatch(/second.*It takes the place of what was noted by Alice, .*first/s);
});

test('without a text the note is shown, also to who may only see the host', async () => {
  const { type } = world();
  expect(await type('note kpro5-3', { user: 'U0BOB' })).toContain(
    'Nothing is noted for what is wrong with kpro5-3 (dflash on kpro5). /vllm note RUN TEXT notes what helps.',
  );
  await type('note kpro5-3 lower it');
  expect(await type('note kpro5-3', { user: 'U0BOB' })).toMatch(
    /Noted for what is wrong with kpro5-3 .*by Alice.*lower it/s,
  );
});

test('to note something needs the right to launch on the host', async () => {
  const { type, desk } = world();
  expect(await type('note kpro5-3 x', { user: 'U0BOB' })).toContain('Refused: you (U0BOB) may not launch on kpro5.');
  expect(await type('note kpro5-1 x', { user: 'U0BOB' })).toContain('Refused: you (U0BOB) may not launch on kpro5.');
  expect(desk.notes.size).toBe(0);
});

test('a run of which only the history is left takes a note; one that the caller may not see is not told of', async () => {
  const { type, desk } = world();
  expect(await type('note KPRO5-1 x')).toContain('Noted for what is wrong with kpro5-1');
  expect(desk.notedOf).toEqual(['r1']);
  expect(await type('note kpro6-9 x')).toContain('There is no run “kpro6-9”.');
});

test('a run with nothing wrong takes none, and the answer says what a note belongs to', async () => {
  const { type, desk } = world();
  expect(await type('note kpro5-4 x')).toContain('Nothing is wrong with kpro5-4 that another run could have, too.');
  expect(desk.notes.size).toBe(0);
});

test('a run of the other kind is answered with the line that takes it', async () => {
  const { type, desk } = world();
  expect(await type('note kpro5-7 x')).toContain('To copy: /dflash note kpro5-7');
  expect(await type('note kpro5-7 x', { command: '/dflash' })).toContain('Noted for what is wrong with kpro5-7');
  expect(desk.notes.size).toBe(1);
});

test('a note that is too long, and one of no run, are told', async () => {
  const { type } = world();
  expect(await type(`note kpro5-3 ${'x'.repeat(1001)}`)).toContain(
    'The note has 1001 characters, and at most 1000 are kept.',
  );
  expect(await type('note')).toContain('The run is missing');
});

test.each(['\u200b', '\u202e \u2066', '\u00a0', '\u200d'])(
  'a note of which nothing is to be seen (%j) takes the place of none',
  async (text) => {
    const { type, desk } = world();
    await type('note kpro5-3 first');
    await type(`note kpro5-3 ${text}`);
    expect(desk.notes.get(OOM.fingerprint)?.text).toBe('first');
  },
);

test('a note keeps its lines, emoji and every script, and none of it can mention, link or format its way out', async () => {
  const { type, desk } = world();
  const text = `1. \`--enforce-eager\`\n2. ask 👩‍💻\n\`\`\`<!channel> @here <https://x|y> *b*\`\`\` می‌خواهم`;
  await type(`note kpro5-3 ${text}`);
  expect(desk.notes.get(OOM.fingerprint)?.text).toBe(text.replace('<https://x|y>', 'y'));
});

test('what looks like a secret is not kept', async () => {
  const { type, desk } = world();
  await type('note kpro5-3 export HF_TOKEN=hf_abcdefghijklmnop first');
  expect(desk.notes.get(OOM.fingerprint)?.text).toBe('export HF_TOKEN=[masked] first');
});

test("a recipe's own secrets are kept nowhere, whatever they look like", async () => {
  const { dflash, ...others } = CONFIG.recipes;
  if (dflash === undefined) throw new Error('the recipes of set-up.ts have other names');
  const recipes = { ...others, dflash: { ...dflash, secrets: ['correct-horse-battery'] } };
  const { type, desk } = setUp({ config: { ...CONFIG, recipes } });
  desk.summaries.push({ run: sampleRun(FAILED), root: null });
  await type('note kpro5-3 export KEY as correct-horse-battery, then restart');
  expect(desk.notes.get(OOM.fingerprint)?.text).toBe('export KEY as [masked], then restart');
});
