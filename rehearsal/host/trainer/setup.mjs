/** From a rank's start to the moment before its first step. */
import { describeRun } from './checkpoints.mjs';
import { startDataWorkers } from './samples.mjs';

const dataWorkers = 2;
const modelMib = 9_840;

export async function setUp(trainer) {
  const { log, rank, world, isFirst, options, pace } = trainer;
  trainer.useMemory(612);
  await pace.work(9);
  log.info(`Started distributed with local_rank=${rank}, dp_size=${world}, sp_size=1`, 'distributed.py:163');
  await pace.work(1);
  if (isFirst) await describe(trainer);
  await pace.work(18);
  trainer.useMemory(modelMib);
  startDataWorkers(dataWorkers);
  if (!isFirst) return;
  const found = `No previous training checkpoint found in '${options.savePath}'. Starting fresh training run.`;
  log.info(found, 'trainer.py:262');
  describeRun({ savePath: options.savePath, words: options.words, world });
  log.info('Muon optimizer: 36 2D params via Muon, 17 params via AdamW.', 'optimizers.py:80');
}

async function describe({ log, options, pace }) {
  log.warning(
    `No vocab mappings found, and can't generate new ones because either token_freq_path='${options.dataPath}/token_freq.pt' doesn't exist or --draft-vocab-size is None. Using full verifier vocab`,
    'train.py:356',
  );
  log.info(
    "All 5 draft layers using sliding window attention (window=2048). To use full attention on specific layers, pass '--full-attention-indices <layer_ids>'.",
    'train.py:426',
  );
  await pace.wait(1);
  log.warning(
    'Added <|MASK|> to tokenizer, mask_token_id=248070 (tokenizer len=248071, vocab_size=248320)',
    'utils.py:49',
  );
  for (let part = 0; part < 2; part += 1) {
    await pace.wait(0.5);
    process.stderr.write(
      `${loguruStamp()} | INFO     | speculators.utils.loading:_resolve_file:150 - Loading from local directory: ${options.verifier}\n`,
    );
  }
}

/** Local time, with a date: loguru's. */
function loguruStamp() {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 23)}`;
}
