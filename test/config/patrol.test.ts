/** A host's patrol: what it becomes, and what is said of mistakes in it. */

import { expect, test } from 'vitest';
import { HOST, load, mistakes, vigilYaml } from './yaml.ts';

test('a patrol looks every minute and tells in the channel of the host, unless it is told otherwise', () => {
  const patrol = (lines: string) => load(vigilYaml({ host: `${HOST}\npatrol: {${lines}}` })).hosts.kpro5?.patrol;
  expect(patrol('logs: [/w/*/run.log, ~/x]')).toEqual({ logs: ['/w/*/run.log', '~/x'], every: 60, channel: 'C0VIGIL' });
  expect(patrol('logs: [/a], every: 5, channel: G0T')).toEqual({ logs: ['/a'], every: 5, channel: 'G0T' });
});

/** Host lines (the first is line 4), and what is said of them behind `vigil.yaml:`. */
const HOSTS: readonly (readonly [string, readonly string[]])[] = [
  [
    `${HOST}\npatrol: {logs: [logs/*.log, "/a\\nb", /logs/], every: 4, channel: "#ops", log: x}`,
    [
      '7:21 hosts.kpro5.patrol.logs[0]: found "logs/*.log", expected a glob of logs on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '7:33 hosts.kpro5.patrol.logs[1]: found "/a\\nb", expected a glob of logs on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '7:42 hosts.kpro5.patrol.logs[2]: found "/logs/", expected a glob of logs on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '7:58 hosts.kpro5.patrol.every: found "4", expected whole seconds from 5 to 3600; write every: 60, or leave the key out',
      '7:70 hosts.kpro5.patrol.channel: found "#ops", expected a Slack channel id (C… or G…), names can change; open the channel in Slack, click its name, the id stands at the bottom of "About"',
      '7:78 hosts.kpro5.patrol.log: found an unknown key, expected one of logs, every, channel; did you mean logs?',
    ],
  ],
  [
    `${HOST}\npatrol: {logs: /w/run.log}`,
    [
      '7:20 hosts.kpro5.patrol.logs: found "/w/run.log", expected a list of globs of logs on the host, at most 20; write logs: [/workspace/*/logs/run.log]',
    ],
  ],
  [
    `${HOST}\npatrol: {logs: []}`,
    [
      '7:20 hosts.kpro5.patrol.logs: found an empty list, expected a list of globs of logs on the host, at most 20; write logs: [/workspace/*/logs/run.log]',
    ],
  ],
  [
    `${HOST}\npatrol: {logs: [${Array(21).fill('/w').join(', ')}]}`,
    ['7:20 hosts.kpro5.patrol.logs: found 21 globs, expected at most 20; let one with * stand for several'],
  ],
];

test.each(HOSTS)('a host with %j is told exactly', (host, expected) => {
  expect(mistakes(vigilYaml({ host }))).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});
