import { describe, expect, it } from 'vitest';
import { readInPieces, readingOf } from '../support/log-reading.ts';

function told(...lines: readonly string[]) {
  const events = readInPieces(new TextEncoder().encode(`${lines.join('\n')}\n`), 'train');
  const { phases, facts, troubles, doneLine, shutdownLine } = readingOf(events, 'train');
  const starts = events.filter(({ kind }) => kind === 'start').length;
  return { phases, facts, troubles, starts, isDone: doneLine !== null, isStopped: shutdownLine !== null };
}

const LAUNCH = 'Launching vLLM server...';

describe("a run script's words of a target that is up", () => {
  it.each([
    ['vLLM is up and running', {}],
    ['✓ Server ready (45s)', { target_ready_seconds: 45 }],
    ['Server is up and running on http://localhost:8000', {}],
    ['target answered after 74 s', { target_ready_seconds: 74 }],
    ['http://localhost:8000/health -> 200', {}],
    ['[launch] target http://127.0.0.1:30000/health -> 200, it is up since 2 h', {}],
    ['GET /health 200 OK', {}],
    ['health check passed after 3 tries', {}],
    ['target is serving Qwen3-8B', {}],
    ['vLLM already running on :8000, reusing it', {}],
    ['Reusing existing vLLM server at http://localhost:8000', {}],
    ['endpoint http://127.0.0.1:8000/v1 is reachable', {}],
    ['[info] vLLM server (pid 1234) is ready after 2 min 11 s', { target_ready_seconds: 131, target_pid: 1234 }],
    ['waited 85s for vLLM; it is ready', {}],
    ['vLLM server for Qwen3-8B is ready', {}],
    ['READY: vLLM on port 8000', {}],
    ['#2 :9009 says hello (44 s), failed polls: 21', { target_ready_seconds: 44 }],
    ['(b) target up? yes, after 76 s', { target_ready_seconds: 76 }],
    ['is vLLM ready? ok (33 s, pid 88)', { target_ready_seconds: 33, target_pid: 88 }],
    ['Server ready (after 43 retries)', {}],
    ['vLLM 服务已就绪，用时 95 秒', { target_ready_seconds: 95 }],
    ['vLLM ist bereit (95s)', { target_ready_seconds: 95 }],
    ['Le serveur vLLM est prêt', {}],
    ['El servidor vLLM está listo', {}],
    ['vLLMサーバーの準備完了', {}],
    ['Waiting for vLLM (egret) to be ready............... ready! (45s)', { target_ready_seconds: 45 }],
    ['{"object":"list","data":[{"id":"/models/m","object":"model"}]}', {}],
  ])('are understood: %s', (line, facts) => {
    expect(told(line)).toMatchObject({ phases: ['target_ready'], facts });
  });

  it.each([
    ['ready', {}],
    ['OK', {}],
    ['200', {}],
    ['HTTP/1.1 200 OK', {}],
    ['it answers now', {}],
    ['up after 131 s', { target_ready_seconds: 131 }],
    ['took 74s', { target_ready_seconds: 74 }],
    ['(b) up? yes, after 76 s', { target_ready_seconds: 76 }],
    ['healthy=true t=76s', { target_ready_seconds: 76 }],
    ['......... ready after 90s', { target_ready_seconds: 90 }],
    ['✅ up', {}],
  ])('may leave out its name behind its launch: %s', (line, facts) => {
    expect(told(LAUNCH, line)).toMatchObject({ phases: ['target_starting', 'target_ready'], facts });
    expect(told(line).phases).toEqual([]);
  });

  it.each([
    'waiting until the target is ready',
    'vLLM not up yet',
    'once vLLM is ready, training starts',
    'is vLLM ready?',
    'checking whether the server is up',
    'vLLM will be ready in about 2 min',
    'make sure the target server is up before you run this',
    'expected target ready time: 120s',
    '# vLLM server is ready',
    'echo "vLLM ready"',
    'wandb: server up',
    'drafter optimizer ready: AdamW lr=1.000e-04',
    '[Torch] Checkpoint global_step400 is ready now!',
    'target logits available in cache',
    'server logs available at /x/vllm.log',
    'Waiting for server.........',
    'target ready? no',
    'target up? yes, but it serves another model',
    'is the dataset ready? yes',
    'server ready: false (20 s)',
    'rank 0 says hello',
    '等待 vLLM 就绪（约 120 秒，超时 600 秒）...',
    'vLLM 未就绪',
  ])('are none: %s', (line) => {
    expect(told(line).phases).not.toContain('target_ready');
  });

  it('end the wait: what is said in a word behind it is of something else', () => {
    expect(told(LAUNCH, 'vLLM ready after 60s', 'ready (5s)').facts.target_ready_seconds).toBe(60);
  });
});

describe("a run script's words of a target that starts", () => {
  it.each([
    ['STARTED SERVER with PID 88121', { target_pid: 88121 }],
    ['Started vLLM server in background (PID 1234)', { target_pid: 1234 }],
    ['[1] launching the target on GPUs 0,1 ... pid 4711', { target_pid: 4711 }],
    ['+ python -m sglang.launch_server --model /m', {}],
    ['docker run --gpus all vllm/vllm-openai:v0.20 --model /m', {}],
    ['后台启动推理服务 (PID 1234)', { target_pid: 1234 }],
    ['still waiting for target (30s elapsed)', { waited_seconds: 30 }],
    ['waiting for http://localhost:8000/health ... 30s', { waited_seconds: 30 }],
    ['target not up yet, 30 s', { waited_seconds: 30 }],
    ['target: not yet (15 s)', { waited_seconds: 15 }],
    ['06:00:24 | drafter.sh | target: not yet (15 s)', { waited_seconds: 15 }],
    ['target up? no (20 s)', { waited_seconds: 20 }],
    ['target up: no (20 s)', { waited_seconds: 20 }],
    ['06:00:09 | drafter.sh | target: nohup launch_vllm.py, pid 2290, log in /t.log', { target_pid: 2290 }],
    ['(b) vllm for features -> pid 818, see features.log', { target_pid: 818 }],
    ['等待服务启动... 30s', { waited_seconds: 30 }],
    ['Polling http://localhost:8000/health (attempt 3/60)', {}],
    ["curl: (7) Failed to connect to 10.0.0.8 port 30000 after 0 ms: Couldn't connect to server", {}],
  ])('are understood: %s', (line, facts) => {
    expect(told(line)).toMatchObject({ phases: ['target_starting'], facts });
  });

  it.each([
    'Server is not up yet. Retrying in 2.0 seconds...',
    'Waiting for vLLM server... (12/90)',
    'Waiting for vLLM server to be ready on port 8000 (timeout: 3 min)...',
  ])('hold no time that was waited: %s', (line) => {
    expect(told(line)).toMatchObject({ phases: ['target_starting'], facts: {} });
    expect(told(line).facts).not.toHaveProperty('waited_seconds');
  });

  it('may leave out its name while it is awaited', () => {
    const counted = [
      ['waiting... (5s)'],
      ['up? no (20 s)'],
      ['not yet (15 s)'],
      ['.......... 10s'],
      ['等待中... (2s)'],
      ['[60s] waiting...'],
    ] as const;
    for (const [line] of counted) {
      expect(told(LAUNCH, line).facts.waited_seconds).toBeTypeOf('number');
      expect(told(line).phases).toEqual([]);
    }
  });

  it.each([
    'Starting trainer against vLLM server',
    'Starting training',
    'Start evaluating target',
    'waiting for vLLM server to exit',
    'waiting for target response',
    'Serving metrics on port 9000',
    'started 4 workers',
    'target config not yet loaded',
    'dataset not yet (5 s)',
    'vllm server 0.21. trainer pid 2210',
  ])('are none: %s', (line) => {
    expect(told(line).phases).toEqual([]);
  });

  it('are none in what argparse says of its command', () => {
    const { phases, troubles } = told('vllm serve: error: argument --port: invalid int value');
    expect(phases).toEqual([]);
    expect(troubles).toHaveLength(1);
  });

  it('hold for its bars without a name: they are no steps', () => {
    expect(told(LAUNCH, '\r  0%|          | 0/24 [00:00<?, ?it/s]').phases).toEqual(['target_starting']);
  });
});

describe("a run script's words of an end", () => {
  it.each([
    'ERROR: vLLM server did not start in 10 minutes',
    'vLLM process exited unexpectedly',
    '[qwen3-8b-2node][rank=0] ERROR: SGLang exited; see /runs/sglang-server.log',
    '❌ vLLM failed to start',
    'vLLM 启动失败',
    '等待超时: vLLM',
  ])("are the target's: %s", (line) => {
    expect(told(LAUNCH, line).troubles).toMatchObject([{ source: 'wait' }]);
  });

  const STEP = 'step 500 loss 1.1';
  it.each(['Training complete in 3h 2m', 'All done', '🎉 Training finished!', '训练完成', 'Finished.'])(
    "are the training's: %s",
    (line) => {
      expect(told(STEP, line).isDone).toBe(true);
    },
  );

  it.each([
    'Training finished with exit code 1',
    'training done: failed',
    'Training completed epoch 3',
    'done epoch 1',
  ])("are not the training's: %s", (line) => {
    expect(told(STEP, line).isDone).toBe(false);
  });

  it.each(['Detected KeyboardInterrupt, attempting graceful shutdown ...', 'Training interrupted by user', '^C'])(
    'tell that it was asked for: %s',
    (line) => {
      expect(told(STEP, line).isStopped).toBe(true);
    },
  );

  it('begin another start where the target is launched again behind a failure', () => {
    const first = [LAUNCH, 'vLLM is ready!', STEP, 'training failed (exit 1)', 'Stopping vLLM (1201)'];
    expect(told(...first, LAUNCH)).toMatchObject({ phases: ['target_starting'], starts: 1 });
    expect(told(...first, 'target still answers').starts).toBe(0);
    expect(told(LAUNCH, 'vLLM is ready!', STEP, LAUNCH).starts).toBe(0);
  });
});
