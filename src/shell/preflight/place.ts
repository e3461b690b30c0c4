/** Where a path that a recipe names leads. */

/** As `vigil_path` takes it: what doesn't begin with `/` or `~/` starts in the launch's working directory, by default the home folder. */
export function placed(path: string, directory: string | null): string {
  if (directory === null || /^(?:\/|~\/|~$)/.test(path)) return path === '~' ? '~/' : path;
  return `${directory.replace(/\/$/, '')}/${path}`;
}
