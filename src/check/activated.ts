/** The virtual environments that a prelude activates. */

/**
 * Folders, in its order: `/opt/venv` of `source /opt/venv/bin/activate` and `. ~/venv/bin/activate`; conda's own takes the name of an environment
 * behind it (`source /opt/conda/bin/activate vllm`). One with a variable in it is left out.
 */
export function activatedBy(prelude: string | null): readonly string[] {
  if (prelude === null) return [];
  return [...prelude.matchAll(ACTIVATION)].flatMap(({ groups = {} }) => {
    const path = groups.quoted ?? groups.single ?? groups.plain ?? '';
    const name = groups.name ?? 'base';
    if (/[$`*?]/.test(path + name)) return [];
    if (name === 'base') return [path];
    return [name.includes('/') ? name : `${path}/envs/${name}`];
  });
}

/** A home's ~ counts only outside quotes. */
const ACTIVATION =
  /(?:^|[\n;&|{(])[ \t]{0,40}(?:source|\.)[ \t]{1,40}(?:"(?<quoted>[^"\n]{1,300})\/bin\/activate"|'(?<single>[^'\n]{1,300})\/bin\/activate'|(?<plain>[^\s"'\\;&|]{1,300})\/bin\/activate(?=[\s;&|)]|$))(?:[ \t]{1,40}(?<name>[^\s"'\\;&|#()]{1,200}))?/g;
