/** What vllm-project/speculators logs (0.3 to 0.7), in the order of a run: trainer.py, train.py, data_generation_offline.py. */

import { fact, phase } from './rule.ts';
import { epochs, sign, type TrainingRule } from './training-rule.ts';

const preparing = () => [phase('preparing')];

export const SPECULATORS_RULES: readonly TrainingRule[] = [
  { sample: 'EAGLE Offline Data Generation', pattern: /^EAGLE Offline Data Generation/, find: generates },
  { sample: 'Processing 5000 samples', pattern: /^Processing \d+ samples/, only: 'record', find: generates },
  { sample: 'Processing 120/5000 samples', pattern: /^Processing \d+\/\d+ samples$/, find: generates },
  {
    sample: 'Done preparing data',
    pattern:
      /^(?:Done preparing data$|Writing dataset to \S|Rendering conversations via vLLM|Loaded \d+ samples$|Kept \d+ samples after filtering|(?:⚠ )?Dataset files already exist)/,
    find: preparing,
  },
  {
    sample: 'All samples for this rank already processed!',
    pattern: /^(?:All samples (?:for this rank )?|At least max_samples )already processed!/,
    find: () => [phase('preparing'), sign('generated')],
  },
  {
    sample: 'Saved 4998 new data points to ./output/falcon/hidden_states',
    pattern: /^Saved (\d+) new data points/,
    find: ([, count = '']) => [sign('generated'), fact('hidden_states_ok', Number(count))],
  },
  {
    sample: 'Skipped 2 samples due to errors: [1733, 2911]',
    pattern: /^Skipped (\d+) samples due to errors/,
    find: ([, count = '']) => [fact('hidden_states_failed', Number(count))],
  },
  {
    sample: 'Data generation complete!',
    pattern: /^Data generation complete/,
    isPrompt: true,
    find: () => [sign('generated')],
  },
  {
    sample: 'Data generation failed: Connection error.',
    pattern: /^Data generation failed/,
    // The traceback in the record says more.
    find: ({ input = '' }) => [sign('generated'), ...(input.includes(' Traceback (most') ? [] : [sign('fails')])],
  },
  {
    sample: 'Started distributed with local_rank=1, dp_size=4, sp_size=1',
    pattern: /^Started distributed with local_rank=(\d+)(?:.*?world_size=(\d+))?(?:.*?dp_size=(\d+), sp_size=(\d+))?/,
    find: ([, rank = '0', world = '0', dp = '0', sp = '1']) => [
      sign('sets up'),
      phase('preparing'),
      { kind: 'ranks', count: Math.max(Number(rank) + 1, Number(world), Number(dp) * Number(sp)) },
    ],
  },
  {
    sample: "No vocab mappings found, and can't generate new ones because either token_freq_path='x' doesn't exist",
    pattern: /^(?:No vocab mappings|Loading vocab mappings|Caching vocab mapping)/,
    isPrompt: true,
    find: preparing,
  },
  {
    sample: "No previous training checkpoint found in 'out/checkpoints'. Starting fresh training run.",
    pattern: /^No previous (?:training )?checkpoint found/,
    isPrompt: true,
    find: () => [sign('runs'), phase('preparing')],
  },
  {
    sample: 'Found checkpoint at /data/kestrel/checkpoints/1.',
    pattern: /^Found checkpoint at '?(.+?)'?\.?$/,
    find: ([, path = '']) => [sign('runs'), phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample: 'Restored best_val_loss=4.118902 from checkpoint',
    pattern: /^Restored best_val_loss=([\d.e+-]+)/,
    find: ([, loss = '']) => [phase('preparing'), fact('best_val_loss', Number(loss))],
  },
  {
    sample: 'Muon optimizer: 36 2D params via Muon, 17 params via AdamW.',
    pattern: /^Muon optimizer:/,
    isPrompt: true,
    find: preparing,
  },
  {
    sample: 'Training epoch 3/5 started',
    pattern: /^Training epoch (\d+)\/(\d+) started/,
    isPrompt: true,
    find: ([, epoch = '', total = '']) => [
      sign('generated'),
      sign('validated'),
      sign('epoch'),
      ...epochs(Number(epoch) - 1, total),
    ],
  },
  {
    sample: 'Training epoch 3/5 completed',
    pattern: /^Training epoch (\d+)\/(\d+) completed/,
    isPrompt: true,
    find: ([, epoch = '', total = '']) => [
      sign('epoch over'),
      ...epochs(Number(epoch), total),
      ...(epoch === total ? [sign('last epoch')] : []),
    ],
  },
  {
    sample: 'Validation epoch 1/3 started',
    pattern: /^Validation epoch \d+\/\d+ started/,
    isPrompt: true,
    find: () => [phase('training'), sign('validates')],
  },
  {
    sample: 'Validation epoch 1/3 completed',
    pattern: /^Validation epoch \d+\/\d+ completed/,
    isPrompt: true,
    find: () => [phase('training'), sign('validated')],
  },
  {
    sample: 'Saving checkpoint to /workspace/out/checkpoints/0',
    pattern: /^Saving checkpoint to\b/,
    only: 'record',
    isPrompt: true,
    find: () => [phase('checkpointing')],
  },
  {
    sample: "Interrupt checkpoint saved to 'out/checkpoints/interrupted'",
    pattern: /^(?:Interrupt c|C)heckpoint saved to '?(.+?)'?\.?$/,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Updated checkpoint_best -> 2 (loss_epoch=2.520417)',
    pattern: /^Updated checkpoint_best -> (\S+)(?: \(loss_epoch=([\d.e+-]+)\))?/,
    find: ([, best = '', loss]) => [
      fact('best_checkpoint', /^\d+$/.test(best) ? Number(best) : best),
      ...(loss === undefined ? [] : [fact('best_val_loss', Number(loss))]),
    ],
  },
  {
    sample: 'Received SIGTERM — interrupting training to save checkpoint. Send again to force immediate exit.',
    pattern: /^(?:Received SIG(?:TERM|INT)\b.*interrupting|Training interrupted\b)/,
    isPrompt: true,
    find: () => [sign('interrupts')],
  },
  {
    sample: 'Destroyed distributed process group',
    pattern: /^Destroyed distributed process group/,
    isPrompt: true,
    find: () => [sign('closes')],
  },
  {
    sample: 'Request aborted (attempt 1/4): Connection error.. Retrying in 2s...',
    pattern:
      /^Request (?:aborted|failed|timed out)\b.*(?:[Cc]onnection (?:error|refused|reset|aborted)|ConnectError|RemoteDisconnected|[Dd]isconnected|All connection attempts failed)/,
    find: () => [sign('fails')],
  },
];

function generates() {
  return [phase('preparing'), sign('generates')];
}
