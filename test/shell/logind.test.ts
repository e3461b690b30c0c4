import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLaunch, renderLaunch } from '../../src/shell/launch.ts';
import { LAUNCHER } from '../../src/shell/launcher.ts';
import { READ_LOGIND } from '../../src/shell/logind.ts';
import { line } from '../../src/shell/script.ts';
import { makeFolder } from '../support/folder.ts';
import { withText } from '../support/launch-parts.ts';
import { exitOf, makeSpec } from '../support/local-launch.ts';
import { findShells, runIn } from '../support/shells.ts';

const SESSION = '0::/user.slice/user-0.slice/session-7.scope\n';
const ALL = 'KillUserProcesses=yes\nKillExcludeUsers=\n';

type Files = Readonly<Record<string, string | null>>;

/** A host's files below a folder; null is a link to /dev/null. */
function makeRoot(files: Files): string {
  const root = makeFolder('root');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (text === null) symlinkSync('/dev/null', join(root, name));
    else writeFileSync(join(root, name), text);
  }
  return root;
}

/** Short names of the files, as they stand on a host. */
function filesOf({ cgroup = SESSION, ...more }: Readonly<Record<string, string | null>>): Files {
  const named = Object.entries(more).map(([name, text]) => [
    name.replace(/^(etc|run|local|lib)/, (where) => FOLDERS[where] ?? where),
    text,
  ]);
  return { 'proc/self/cgroup': cgroup, ...Object.fromEntries(named) };
}

const FOLDERS: Readonly<Record<string, string>> = {
  etc: 'etc/systemd/logind.conf',
  run: 'run/systemd/logind.conf',
  local: 'usr/local/lib/systemd/logind.conf',
  lib: 'usr/lib/systemd/logind.conf',
};

const HOSTS: readonly (readonly [what: string, files: Readonly<Record<string, string | null>>, by: string | null])[] = [
  ['a run in a session that is killed', { etc: ALL }, 'etc'],
  [
    'cgroups of the first version',
    { cgroup: '12:pids:/\n1:name=systemd:/user.slice/user-0.slice/session-7.scope\n', etc: ALL },
    'etc',
  ],
  ['a run outside of a session', { cgroup: '0::/system.slice/ssh.service\n', etc: ALL }, null],
  ['no files at all', {}, null],
  ['no /proc', { cgroup: '', etc: ALL }, null],
  ['root, who is excluded', { etc: 'KillUserProcesses=yes\n' }, null],
  ['other users excluded instead of root', { etc: 'KillUserProcesses=1\nKillExcludeUsers=ops dev\n' }, 'etc'],
  ['a user among the excluded', { etc: 'KillUserProcesses=on\nKillExcludeUsers=ops root dev\n' }, null],
  ['lists that grow', { etc: `${ALL}KillExcludeUsers=ops\nKillExcludeUsers=root\n` }, null],
  ['a list that was cleared', { etc: 'KillUserProcesses=true\nKillExcludeUsers=root\nKillExcludeUsers=\n' }, 'etc'],
  ['only others are killed', { etc: `${ALL}KillOnlyUsers=ops\n` }, null],
  [
    'this user is killed, others not',
    { etc: 'KillExcludeUsers=\nKillUserProcesses=no\nKillOnlyUsers=ops root\n' },
    'etc',
  ],
  ['blanks and no last line end', { etc: '[Login]\n  KillExcludeUsers =\n  KillUserProcesses =  yes ' }, 'etc'],
  ['comments', { etc: '#KillUserProcesses=no\n; KillUserProcesses=yes\nKillExcludeUsers=\n' }, null],
  ['what is built in', { lib: '#KillUserProcesses=yes\n', etc: 'KillExcludeUsers=\n' }, 'lib'],
  [
    'a setting over what is built in',
    { lib: '#KillUserProcesses=yes\n', etc: 'KillExcludeUsers=\nKillUserProcesses=no\n' },
    null,
  ],
  ['a main file that hides another', { lib: ALL, etc: 'KillExcludeUsers=\n' }, null],
  ['a drop-in over the main file', { etc: ALL, 'lib.d/10.conf': 'KillUserProcesses=no\n' }, null],
  [
    'the drop-in with the last name',
    { 'etc.d/10.conf': 'KillUserProcesses=no\n', 'lib.d/20 b.conf': ALL },
    'lib.d/20 b.conf',
  ],
  ['a drop-in of the same name in /etc', { 'etc.d/10.conf': 'KillUserProcesses=no\n', 'run.d/10.conf': ALL }, null],
  [
    'a drop-in of /run over one of /usr/local',
    { 'run.d/10.conf': ALL, 'local.d/10.conf': 'KillUserProcesses=no\n' },
    'run.d/10.conf',
  ],
  ['a masked drop-in', { 'etc.d/10.conf': null, 'lib.d/10.conf': ALL }, null],
];

describe.each(findShells())('in $name', (shell) => {
  test('whether a host kills what a session leaves behind is read as logind reads it', async () => {
    const roots = HOSTS.map(([, short]) => makeRoot(filesOf(short)));
    const text = `LC_ALL=C\n${READ_LOGIND}while :; do vigil_path; printf '%s\\n' "$(vigil_logind "$vigil_w")"; done\n`;
    const { output, stderr } = await runIn(shell, { name: 'logind', text, input: roots.map(line).join('') });
    const said = output.split('\n').slice(0, -1);
    const expected = HOSTS.map(([, , by], index) => {
      const file = by === null ? null : Object.keys(filesOf({ [by]: '' })).at(-1);
      return file === null ? '' : `root ${roots[index]}/${file}`;
    });
    const byName = (rows: readonly string[]) => rows.map((row, index) => [HOSTS[index]?.[0], row]);
    expect(byName(said)).toEqual(byName(expected));
    expect(stderr).toBe('');
  });

  test('a run that a host would kill starts, and its start carries the warning', async () => {
    const root = makeRoot(filesOf({ etc: ALL }));
    const spec = makeSpec();
    const text = LAUNCHER.replace("$(vigil_logind '')", `$(vigil_logind '${root}')`);
    const { output } = await runIn(shell, withText(renderLaunch(spec, 'c1'), 'launcher', text));
    await exitOf(spec);
    const outcome = parseLaunch(output);
    if (outcome?.kind !== 'started') throw new Error(output);
    expect(outcome.started.warnings).toEqual([
      `systemd-logind on this host kills what an SSH session leaves behind (KillUserProcesses or KillOnlyUsers in ${root}/etc/systemd/logind.conf), and this run belongs to Vigil's: it will be killed when that connection breaks or Vigil restarts. Ask an admin of the host to set KillUserProcesses=no, or KillExcludeUsers=root root, under [Login] in /etc/systemd/logind.conf, and to restart systemd-logind; then launch again. Lingering (loginctl enable-linger) does not help: it keeps services of the user, not what runs in a session.`,
    ]);
  });
});
