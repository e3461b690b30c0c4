/** CUDA graphs: each bar is one line of `\r` pieces; another rank's record may land in the middle of it. */
import { renderBar } from '../stand-in/bars.mjs';
import { writeBare } from '../stand-in/log.mjs';

const stepSeconds = 0.22;
const graphMib = 297;

export async function capture(server) {
  const { workers, core, pace } = server;
  await drawBar(server, { title: 'Capturing CUDA graphs (mixed prefill-decode, PIECEWISE)', total: 11, gluedAt: 6 });
  await drawBar(server, { title: 'Capturing CUDA graphs (decode, FULL)', total: 8, gluedAt: null });
  server.useMemory(server.mib + graphMib);
  workers[0].info('gpu_model_runner.py:6242', 'Graph capturing finished in 5 secs, took 0.29 GiB');
  for (const worker of [...workers].reverse()) {
    worker.info(
      'gpu_worker.py:619',
      'CUDA graph pool memory: 0.29 GiB (actual), 0.31 GiB (estimated), difference: 0.02 GiB (6.9%).',
    );
  }
  core.info('core.py:299', 'init engine (profile, create kv cache, warmup model) took 39.11 s (compilation: 12.39 s)');
  await pace.work(1);
  core.info('vllm.py:844', 'Asynchronous scheduling is enabled.');
}

async function drawBar({ workers, pace }, { title, total, gluedAt }) {
  const [first, second] = workers;
  first.open(renderBar({ title, done: 0, total, seconds: 0 }));
  for (let done = 1; done <= total; done += 1) {
    await pace.work(stepSeconds);
    writeBare(renderBar({ title, done, total, seconds: done * stepSeconds }));
    if (done === gluedAt)
      second?.warning('op.py:241', 'Priority not set for op rms_norm, using native implementation.');
  }
  writeBare(`${renderBar({ title, done: total, total, seconds: total * stepSeconds })}\n`);
}
