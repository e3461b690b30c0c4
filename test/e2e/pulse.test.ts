/** Slow is told from stuck: by what moves on the host while the log says nothing. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Document, isMap } from 'yaml';
import { openTheatre, type Theatre } from '../support/theatre.ts';

vi.setConfig({ testTimeout: 60_000 });

const PATIENCE = { timeout: 50_000, interval: 100 };
/** Seconds of silence that ask for evidence. */
const BUDGET = '2';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50, scenario: 'nccl-hang', adjust });
});

afterEach(async ({ task }) => {
  await theatre.say(task.name.startsWith('a rank of a training') ? '/dflash stop trainer' : '/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
});

afterAll(() => theatre?.stop());

/** Small budgets, and beside `dflash` a recipe that takes the same model from the hub. */
function adjust(document: Document): void {
  for (const phase of ['connecting', 'loading', 'downloading']) {
    document.setIn(['recipes', 'dflash', 'budgets', phase], BUDGET);
  }
  document.setIn(['recipes', 'drafter', 'budgets', 'training'], BUDGET);
  const dflash = document.getIn(['recipes', 'dflash']);
  if (!isMap(dflash)) throw new Error('the example has no recipe dflash');
  const hub = dflash.clone();
  if (!isMap(hub)) throw new Error('a map has become something else');
  document.setIn(['recipes', 'hub'], hub);
  document.setIn(['recipes', 'hub', 'argv', 2], 'Qwen/Qwen3.6-27B');
}

async function begin(scenario: string, command: string, silence: number): Promise<void> {
  const before = theatre.threads().length;
  await theatre.stage.host.setScenario(scenario, { silence });
  await theatre.say(command);
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(before + 1), PATIENCE);
}

/** Waits until a reply of the newest thread says so; gives back that reply. */
async function said(what: RegExp): Promise<string> {
  return vi.waitFor(() => {
    const reply = theatre
      .threads()
      .at(-1)
      ?.replies.find((text) => what.test(text));
    expect(reply).toBeDefined();
    return withoutNumbers(reply ?? '');
  }, PATIENCE);
}

function withoutNumbers(text: string): string {
  return text
    .replaceAll(/\bpid \d+/g, 'pid PID')
    .replaceAll(/\b\d+(\.\d+)?( → \d+(\.\d+)?)?(?= (s|min|CPU cores|[kMG]B|GiB)\b)/g, 'N');
}

test('silent loading is quiet, not stuck: it works, and that is said once', async () => {
  await begin('silent-loading', '/vllm launch kpro5 dflash', 9);
  expect(await said(/No log line for/)).toMatchInlineSnapshot(
    `"kpro5-1 (dflash): No log line for N s while connecting the GPUs, but it works: GPU memory N GiB. Nothing to do."`,
  );
  await theatre.until(/^Ready/, /ready/);
  const replies = theatre.threads().at(-1)?.replies.join('\n') ?? '';
  expect(replies.match(/No log line for/g)).toHaveLength(1);
  expect(replies).not.toMatch(/stuck|busy/);
});

test('ranks that never meet are stuck, and the one that is behind is named, not the one that looks busy', async () => {
  await begin('nccl-hang', '/vllm launch kpro5 dflash', 9);
  expect(await said(/stuck for/)).toMatchInlineSnapshot(
    `"kpro5-2 (dflash): stuck for N s in connecting: no log line, nothing read or written, GPU memory unchanged, N CPU cores, GPU at 100 %. Rank 1 (pid PID, GPU 1) is behind: 2 \`AllReduce\` operations launched, the others up to 3."`,
  );
  expect(theatre.threads().at(-1)?.replies.join('\n')).not.toMatch(/but it works/);
});

test('a download that stops is quiet while bytes come, then stuck', async () => {
  await begin('download-stall', '/vllm launch kpro5 hub', 6);
  expect(await said(/No log line for/)).toMatch(
    /^kpro5-3 \(hub\): No log line for N s while loading weights, but it works: downloading N MB so far, N MB\/s/,
  );
  expect(await said(/stuck for/)).toMatch(
    /stuck for N s in loading: no log line, the download stands at N MB, nothing read/,
  );
});

test('a rank of a training that sleeps is named, and not the one that waits for it', async () => {
  await begin('train-nccl-hang', '/dflash train trainer drafter', 9);
  expect(await said(/stuck for/)).toMatch(
    /stuck for N s in training: .* Rank 1 \(pid PID, GPU 1\) is behind: 90 `AllReduce`/,
  );
});
