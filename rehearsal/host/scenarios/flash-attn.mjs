/** Somebody's flash-attn 4 lies in the environment: made for Blackwell, and only a part of the package that this vLLM looks for. */
import { addPackage } from '../disk/packages.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { endFailedLoad, loadFrames } from '../startup/fail-load.mjs';

const frames = [
  ...loadFrames,
  [
    'vllm/model_executor/model_loader/utils.py',
    61,
    'initialize_model',
    'model = model_class(vllm_config=vllm_config, prefix=prefix)',
  ],
  ['vllm/model_executor/models/qwen3_next.py', 268, '__init__', 'self.rotary_emb = get_rope('],
  ['vllm/model_executor/layers/rotary_embedding/__init__.py', 136, 'get_rope', 'rotary_emb = RotaryEmbedding('],
  ['vllm/model_executor/layers/rotary_embedding/base.py', 65, '__init__', 'self.apply_rotary_emb = ApplyRotaryEmb('],
  [
    'vllm/model_executor/layers/rotary_embedding/common.py',
    138,
    '__init__',
    'from flash_attn.ops.triton.rotary import apply_rotary',
  ],
];

/** A vLLM of the time when a part of flash_attn was taken for the whole. */
export function prepare({ home }) {
  addPackage(home, { name: 'vllm', version: '0.23.0' });
  addPackage(home, {
    name: 'flash-attn-4',
    folder: 'flash_attn',
    version: '4.0.0b5',
    files: ['cute/__init__.py', 'cute/interface.py'],
  });
}

export async function run(server) {
  await configure(server);
  await connect(server);
  server.workers[0].info('gpu_model_runner.py:4756', `Starting to load model ${server.args.model}...`);
  await server.pace.work(1);
  const traceback = renderTraceback(frames, "ModuleNotFoundError: No module named 'flash_attn.ops'");
  for (const worker of server.workers) {
    worker.error('multiproc_executor.py:874', `WorkerProc failed to start.\n${traceback}`);
  }
  await endFailedLoad(server);
}
