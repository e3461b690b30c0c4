/** The logs of a host that people may have watched, and who may. */

import { expect, test } from 'vitest';
import { HOST, load, mistakes, vigilYaml } from './yaml.ts';

test('the logs that may be watched are globs on the host; none by default, and nobody may', () => {
  const host = (lines: string) => load(vigilYaml({ host: `${HOST}\n${lines}` })).hosts.kpro5;
  expect(host('watch_logs: [/w/*/run.log, ~/x.log]')?.watchLogs).toEqual(['/w/*/run.log', '~/x.log']);
  expect(host('')).toMatchObject({ watchLogs: [], rights: { watch: [] } });
  expect(host('rights: {watch: [U0ALICE]}')).toMatchObject({ rights: { see: [], watch: ['U0ALICE'] } });
});

const EXPECTED = 'a list of globs of logs on the host, at most 20; write watch_logs: [/workspace/*/logs/run.log]';

test.each([
  ['/w/run.log', `7:17 hosts.kpro5.watch_logs: found "/w/run.log", expected ${EXPECTED}`],
  ['[]', `7:17 hosts.kpro5.watch_logs: found an empty list, expected ${EXPECTED}`],
  [
    '[logs/*.log]',
    '7:18 hosts.kpro5.watch_logs[0]: found "logs/*.log", expected a glob of logs on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
  ],
  [
    `[${Array(21).fill('/w').join(', ')}]`,
    '7:17 hosts.kpro5.watch_logs: found 21 globs, expected at most 20; let one with * stand for several',
  ],
])('watch_logs: %s is told exactly', (value, expected) => {
  expect(mistakes(vigilYaml({ host: `${HOST}\nwatch_logs: ${value}` }))).toEqual([`vigil.yaml:${expected}`]);
});
