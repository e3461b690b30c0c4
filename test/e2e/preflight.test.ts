/** What a check finds before anything is started, as a person reads it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

vi.setConfig({ testTimeout: 60_000 });

const LAUNCH = '/vllm launch kpro5 dflash';
const CHECK = '/vllm check kpro5 dflash';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50 });
});

afterAll(() => theatre?.stop());

async function check(scenario: string): Promise<string> {
  await theatre.stage.host.setScenario(scenario);
  return checkWith(theatre);
}

async function checkWith(theatre: Theatre): Promise<string> {
  const before = theatre.whispers().length;
  await theatre.say(CHECK);
  await vi.waitFor(() => expect(theatre.whispers().slice(before).join('\n')).toMatch(/Checked/));
  return withoutNumbers(theatre.whisper());
}

function withoutNumbers(text: string): string {
  return text
    .replaceAll(/\b(pid|Process|kill) \d+( \d+)?/g, '$1 PID')
    .replaceAll(/\buser \w+/g, 'user USER')
    .replaceAll(/\d+(\.\d+)? ([GT]i?B) free/g, 'N $2 free');
}

describe('a check that starts nothing', () => {
  test('passes where all is well', async () => {
    expect(await check('good')).toMatchInlineSnapshot(`
      "Checked dflash on kpro5: nothing was found that refuses it. /vllm launch kpro5 dflash starts it. All 22 checks passed in TIME.
      ✅ Passed: Program and log, Port, GPUs, GPU memory, Left-over processes, Model files, Weights in GPU memory, Expected values, Drafter and target, Layers that the drafter reads, Drafter config, Draft tokens, Batched tokens, Model length, Attention heads, JSON flags, Versions, Known faults, flash-attn, Driver, Disk, Shared memory"
    `);
  });

  test('finds a drafter’s config that never reached the disk', async () => {
    expect(await check('drafter-config')).toMatchInlineSnapshot(`
      "Checked dflash on kpro5: it would be refused: Expected values. 22 checks in TIME: 1 refuses it.
      ❌ Expected values:
      • dflash_config.target_layer_ids is [1,17,33,49,63] in Qwen3.6-27B-DFlash/config.json
      Needed: [1,16,31,46,61]
      • layer_types is ["full_attention","full_attention","full_attention","full_attention","full_attention"] in Qwen3.6-27B-DFlash/config.json
      Needed: ["sliding_attention","sliding_attention","sliding_attention","sliding_attention","full_attention"]
      • sliding_window is null in Qwen3.6-27B-DFlash/config.json
      Needed: 2048
      → Correct HOME/models/Qwen3.6-27B-DFlash/config.json on the host, or expect in the recipe if the file is right.
      ✅ Passed: Program and log, Port, GPUs, GPU memory, Left-over processes, Model files, Weights in GPU memory, Drafter and target, Layers that the drafter reads, Drafter config, Draft tokens, Batched tokens, Model length, Attention heads, JSON flags, Versions, Known faults, flash-attn, Driver, Disk, Shared memory"
    `);
  });

  test('finds who is left over, what they hold and which log they still write', async () => {
    expect(await check('stale-process')).toMatchInlineSnapshot(`
      "Checked dflash on kpro5: it would be refused: In use and Program and log. 21 checks in TIME: 2 refuse it, 1 warns and 1 can't tell.
      ❌ In use: GPU 0 is used by pid PID (VLLM::Worker_TP0, user USER); GPU 1 is used by pid PID (VLLM::Worker_TP1, user USER)
      → /vllm launch kpro5 dflash --queue waits for it and starts by itself.
      ❌ Program and log: Process PID has the log HOME/dflash.log open for writing
      → Stop that process, or give the recipe another log path.
      ⚠️ Left-over processes: 2 processes without a parent: pid PID (VLLM::Worker_TP0, user USER, for TIME) and pid PID (VLLM::Worker_TP1, user USER, for TIME)
      → If nobody needs them: kill PID, then kill -9 for what stays after some seconds.
      ❔ Batched tokens: the defaults for batched tokens and sequences are not known here
      → Set --max-num-batched-tokens and --max-num-seqs.
      ✅ Passed: Port, GPUs, Model files, Expected values, Drafter and target, Layers that the drafter reads, Drafter config, Draft tokens, Model length, Attention heads, JSON flags, Versions, Known faults, flash-attn, Driver, Disk, Shared memory"
    `);
  });
});

test('a launch that a check refuses starts nothing; forced it fails as was foretold', async () => {
  await theatre.begin('flash-attn', LAUNCH);
  await theatre.until(/^Not started/, /was not started/);
  expect(theatre.reading()).toMatchInlineSnapshot(`
    "❌ Not started: dflash on kpro5 (kpro5-1)
    1 of 23 checks refuses it: flash-attn. Nothing was started.
    ❌ flash-attn: flash-attn-4 4.0.0b5, in part: it has cute and no ops
    Needed: none, or a whole flash-attn 2: vLLM 0.23.0 imports flash_attn.ops
    → Remove it: HOME/venv/bin/python -m pip uninstall flash-attn-4. vLLM needs none, it brings its own.
    Once that is put right: /vllm launch kpro5 dflash. Whoever has the right force on kpro5 can start it all the same: /vllm launch kpro5 dflash --force
    checking TIME › failed TIME, TIME after the command
    Asked by you, TIME  port N  GPUs 0 and 1
    [Restart]

    @U0YOU kpro5-1 (dflash) was not started.
    1 of 23 checks refuses it: flash-attn. Nothing was started.
    ❌ flash-attn: flash-attn-4 4.0.0b5, in part: it has cute and no ops
    Needed: none, or a whole flash-attn 2: vLLM 0.23.0 imports flash_attn.ops
    → Remove it: HOME/venv/bin/python -m pip uninstall flash-attn-4. vLLM needs none, it brings its own.
    ⚠️ Known faults: vLLM 0.23.0: it runs the drafter's sliding layers as full attention: acceptance falls the longer the text is
    Needed: about vLLM 0.25 or newer
    → Install vLLM 0.25 or newer. See vllm-project/vllm#46104 and #47914.
    ⚠️ flash-attn and GPUs: flash-attn-4 4.0.0b5 on GPUs of compute capability 8.6
    Needed: Hopper or Blackwell (9.0 and above)
    → Remove it (HOME/venv/bin/python -m pip uninstall flash-attn-4), or install flash-attn 2 if something else needs one.
    ✅ Passed: Program and log, Port, GPUs, GPU memory, Left-over processes, Model files, Weights in GPU memory, Expected values, Drafter and target, Layers that the drafter reads, Drafter config, Draft tokens, Batched tokens, Model length, Attention heads, JSON flags, Versions, Driver, Disk, Shared memory
    Once that is put right: /vllm launch kpro5 dflash. Whoever has the right force on kpro5 can start it all the same: /vllm launch kpro5 dflash --force"
  `);
  expect(await theatre.stage.host.starts()).toEqual([]);
  await theatre.begin('flash-attn', `${LAUNCH} --force`);
  await theatre.until(/^Failed/, /failed/);
  expect(theatre.threads().at(-1)?.card).toMatch(/A partial flash_attn package is in the way/);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
});

test('all that is wrong is told in one go, with what was found and what is needed', async () => {
  const broken = await openTheatre({ speed: 50, scenario: 'many-faults' });
  onTestFinished(() => broken.stop());
  expect(await checkWith(broken)).toMatchInlineSnapshot(`
    "Checked dflash on kpro5: it would be refused: Program and log, GPUs, GPU memory, Left-over processes, Model files, Expected values, Batched tokens and flash-attn. 22 checks in TIME: 8 refuse it and 1 warns.
    ❌ Program and log: Process PID has the log HOME/dflash.log open for writing
    → Stop that process, or give the recipe another log path.
    ❌ GPUs: 2 GPUs (0, 1)
    Needed: 4 = tensor 2 × data 2
    → Give CUDA_VISIBLE_DEVICES (now 0,1) 4 GPUs, or lower --tensor-parallel-size or --data-parallel-size.
    ❌ GPU memory:
    • N GiB free on GPU 0
    Needed: 42.8 GiB (0.9 of 47.5)
    • N GiB free on GPU 1
    Needed: 42.8 GiB (0.9 of 47.5)
    → GPU 0 is held by pid PID (VLLM::Worker_TP0, user USER, for TIME) with 43.1 GiB: let it end, stop it, or choose another GPU.
    → GPU 1 is held by pid PID (VLLM::Worker_TP1, user USER, for TIME) with 43.1 GiB: let it end, stop it, or choose another GPU.
    ❌ Left-over processes: 2 processes without a parent: pid PID (VLLM::Worker_TP0, user USER, for TIME) and pid PID (VLLM::Worker_TP1, user USER, for TIME); they hold 43.1 GiB of GPU 0 and 43.1 GiB of GPU 1
    Needed: none on these GPUs
    → If nobody needs them: kill PID, then kill -9 for what stays after some seconds.
    ❌ Model files:
    • model HOME/models/Qwen3.6-27B: model-00007-of-00015.safetensors is cut off at 1.1 GiB
    Needed: 3.4 GiB, as its header says
    • model HOME/models/Qwen3.6-27B: model-00015-of-00015.safetensors is a Git LFS pointer of 135 bytes, not the file itself
    → Download model-00007-of-00015.safetensors again.
    → Download model-00015-of-00015.safetensors again (git lfs pull in the folder does it too).
    ❌ Expected values:
    • dflash_config.target_layer_ids is [1,17,33,49,63] in Qwen3.6-27B-DFlash/config.json
    Needed: [1,16,31,46,61]
    • layer_types is ["full_attention","full_attention","full_attention","full_attention","full_attention"] in Qwen3.6-27B-DFlash/config.json
    Needed: ["sliding_attention","sliding_attention","sliding_attention","sliding_attention","full_attention"]
    • sliding_window is null in Qwen3.6-27B-DFlash/config.json
    Needed: 2048
    → Correct HOME/models/Qwen3.6-27B-DFlash/config.json on the host, or expect in the recipe if the file is right.
    ❌ Batched tokens: 4,096 batched tokens − 14 draft slots × 512 sequences = −3,072
    Needed: more than 0 left for prompts
    → Set --max-num-batched-tokens 32768, or --max-num-seqs to 136 or less.
    ❌ flash-attn: flash-attn-4 4.0.0b5, in part: it has cute and no ops
    Needed: none, or a whole flash-attn 2: vLLM 0.23.0 imports flash_attn.ops
    → Remove it: HOME/venv/bin/python -m pip uninstall flash-attn-4. vLLM needs none, it brings its own.
    ⚠️ flash-attn and GPUs: flash-attn-4 4.0.0b5 on GPUs of compute capability 8.6
    Needed: Hopper or Blackwell (9.0 and above)
    → Remove it (HOME/venv/bin/python -m pip uninstall flash-attn-4), or install flash-attn 2 if something else needs one.
    ✅ Passed: Port, Drafter and target, Layers that the drafter reads, Drafter config, Draft tokens, Model length, Attention heads, JSON flags, Versions, Known faults, Driver, Disk, Shared memory"
  `);
});
