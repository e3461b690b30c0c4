const intervalSeconds = 10;

/** The periodic lines, every 10 s while tokens flow; returns when told to by the pace's halt (never else), at once without statistics. */
export async function logThroughput({ api, args, metrics, pace }) {
  if (!args.hasStats) return pace.never();
  let before = metrics.read();
  let hadTokens = false;
  for (;;) {
    await pace.wait(intervalSeconds);
    const now = metrics.read();
    const hasTokens = now.generated > before.generated;
    // The first idle interval is told once more.
    if (hasTokens || hadTokens) logInterval({ api, metrics, before, now });
    hadTokens = hasTokens;
    before = now;
  }
}

function logInterval({ api, metrics, before, now }) {
  const rate = (name) => ((now[name] - before[name]) / intervalSeconds).toFixed(1);
  api.info(
    'loggers.py:271',
    `Engine 000: Avg prompt throughput: ${rate('prompt')} tokens/s, Avg generation throughput: ${rate('generated')} tokens/s, ` +
      `Running: ${now.running} reqs, Waiting: ${now.waiting} reqs, GPU KV cache usage: ${now.running > 0 ? '1.4' : '0.0'}%, Prefix cache hit rate: 0.0%`,
  );
  const drafts = now.drafts - before.drafts;
  if (metrics.slots === 0 || drafts === 0) return;
  const accepted = now.accepted - before.accepted;
  const drafted = now.drafted - before.drafted;
  const positions = now.positions.map((count, position) => ((count - before.positions[position]) / drafts).toFixed(3));
  api.info(
    'metrics.py:101',
    `SpecDecoding metrics: Mean acceptance length: ${(1 + accepted / drafts).toFixed(2)}, ` +
      `Accepted throughput: ${rate('accepted')} tokens/s, Drafted throughput: ${rate('drafted')} tokens/s, ` +
      `Accepted: ${accepted} tokens, Drafted: ${drafted} tokens, Per-position acceptance rate: ${positions.join(', ')}, ` +
      `Avg Draft acceptance rate: ${((100 * accepted) / drafted).toFixed(1)}%`,
  );
}
