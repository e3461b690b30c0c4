/**
 * Where a process keeps what it downloads and compiles, by its own environment; the SSH login's may move it, which only the host knows: it
 * chooses in the same order (src/shell/hub-cache.ts).
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that say where the hub's cache is. */
export const CHOOSES_CACHE: readonly string[] = ['HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_HOME', 'XDG_CACHE_HOME'];

/** huggingface_hub/constants.py. */
export function hubCache(environment: Environment): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME } = environment;
  return (
    HF_HUB_CACHE || HUGGINGFACE_HUB_CACHE || (HF_HOME ? `${HF_HOME}/hub` : `${cacheHome(environment)}/huggingface/hub`)
  );
}

/** torch.compile's, of vLLM (envs.py). */
export function compileCache(environment: Environment): string {
  return environment.VLLM_CACHE_ROOT || `${cacheHome(environment)}/vllm`;
}

/** huggingface_hub asks nobody then: what isn't cached isn't there. The variable that says so, or null. */
export function offlineBy(environment: Environment): string | null {
  return (
    ['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE'].find((name) => /^(?:1|on|yes|true)$/i.test(environment[name] ?? '')) ??
    null
  );
}

function cacheHome({ XDG_CACHE_HOME }: Environment): string {
  return XDG_CACHE_HOME || '~/.cache';
}
