/** Why a log that somebody named is not watched: what was found, what was expected, what to do. */

import type { LogRefusal } from '../host/log.ts';

interface Refused {
  readonly host: string;
  /** As it was typed. */
  readonly path: string;
  readonly globs: readonly string[];
  readonly why: LogRefusal;
  /** Where it really leads, where it could be opened. */
  readonly real: string | null;
}

/** Nothing may be watched on that host. */
export function noWatchLogs(host: string): string {
  return `Refused: vigil.yaml names no log of ${host} that may be watched. Whoever keeps that file can add hosts.${host}.watch_logs, a list of globs such as \`[~/logs/*.log]\`.`;
}

export function refusalWords({ host, path, globs, why, real }: Refused): string {
  const found = `\`${path}\` on ${host}`;
  const leads = real === null || real === path ? found : `${found} leads to \`${real}\`, which`;
  switch (why) {
    case 'missing':
      return `There is no file ${found}, or the user that Vigil logs in as may not look into its folder. Check the path. ${allowed(host, globs)}`;
    case 'unreadable':
      return `Refused: ${found} may not be read by the user that Vigil logs in as. Let that user read it (\`setfacl -m u:USER:r FILE\` there), or name another log.`;
    case 'folder':
      return `Refused: ${found} is a folder. Name the log in it.`;
    case 'pipe':
      return `Refused: ${found} is a pipe or a socket, and only a regular file can be followed. Have the output written to a file, by \`tee\` for example.`;
    case 'device':
      return `Refused: ${found} is a device, and only a regular file can be followed. Name the log's file.`;
    case 'kernel':
      return `Refused: ${leads} is a file of the kernel, no log. Name the log's file.`;
    case 'outside':
      return `Refused: ${leads} is no log that may be watched. ${allowed(host, globs)} Whoever keeps vigil.yaml can add a glob that matches ${real === null || real === path ? 'it' : 'that path'}.`;
    default:
      return why satisfies never;
  }
}

function allowed(host: string, globs: readonly string[]): string {
  return `hosts.${host}.watch_logs of vigil.yaml allows ${globs.map((glob) => `\`${glob}\``).join(', ')}.`;
}
