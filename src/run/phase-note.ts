import type { LogPhase } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';

/** What the phases before this one came to, from the log's own facts. */
export function noteOf(phase: LogPhase, reading: Reading): string | null {
  const { facts } = reading;
  if (phase === 'loading' || phase === 'downloading') {
    const words = [
      facts.world_size === undefined ? null : `world size ${facts.world_size}`,
      facts.nccl === undefined ? null : `NCCL ${facts.nccl}`,
    ].filter((word) => word !== null);
    return words.length === 0 ? null : words.join(', ');
  }
  if ((phase === 'compiling' || phase === 'kv_cache') && facts.model_load_seconds !== undefined) {
    return `${Number(facts.model_load_seconds).toFixed(1)} s`;
  }
  if (phase === 'capturing' && facts.kv_cache_tokens !== undefined) {
    return `room for ${Number(facts.kv_cache_tokens).toLocaleString('en-US')} tokens`;
  }
  return null;
}
