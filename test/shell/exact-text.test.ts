/** What is sent to a host, as exact text: constant scripts, and words that stand in data lines only. */

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { LaunchSpec } from '../../src/host/launch.ts';
import type { SampleTarget } from '../../src/host/sample.ts';
import { renderBundle } from '../../src/shell/bundle.ts';
import { renderClean } from '../../src/shell/clean.ts';
import { renderCurl } from '../../src/shell/curl.ts';
import { FACTS, renderRuns } from '../../src/shell/facts.ts';
import { renderFamily } from '../../src/shell/family.ts';
import { renderFind } from '../../src/shell/find-program.ts';
import { renderFollow } from '../../src/shell/follow.ts';
import { GPUS } from '../../src/shell/gpus.ts';
import { renderLaunch, renderVoid } from '../../src/shell/launch.ts';
import { renderListener } from '../../src/shell/listener.ts';
import { renderLook } from '../../src/shell/look.ts';
import { renderPatrol } from '../../src/shell/patrol.ts';
import { renderPeek } from '../../src/shell/peek.ts';
import { DRIVER } from '../../src/shell/preflight/driver.ts';
import { renderFiles } from '../../src/shell/preflight/files.ts';
import { renderHub } from '../../src/shell/preflight/hub.ts';
import { LEFTOVERS } from '../../src/shell/preflight/leftovers.ts';
import { renderModels } from '../../src/shell/preflight/models.ts';
import { renderPackages } from '../../src/shell/preflight/packages.ts';
import { renderRoom } from '../../src/shell/preflight/room.ts';
import { renderSaves } from '../../src/shell/preflight/saves.ts';
import { renderRas } from '../../src/shell/ras.ts';
import { renderRecall } from '../../src/shell/recall.ts';
import { renderRemember } from '../../src/shell/remember.ts';
import { renderSampler } from '../../src/shell/sample.ts';
import { EXEC_COMMAND, line, renderStdin, type Script } from '../../src/shell/script.ts';
import { renderKill, renderLeft, renderRunning, renderTerminate } from '../../src/shell/signal.ts';
import { renderStacks } from '../../src/shell/stacks.ts';
import { renderStopView } from '../../src/shell/stop-view.ts';
import { renderSweep } from '../../src/shell/sweep.ts';
import { renderTree } from '../../src/shell/tree.ts';
import { renderWork } from '../../src/shell/work.ts';
import { renderWriters } from '../../src/shell/writers.ts';

const HOSTILE = `x'; touch /pwned #"\`id\`$(id)\\n\n$HOME *`;

/** Every script, made with the word wherever a person's or a host's text may stand. */
function scriptsWith(word: string): Script[] {
  const folder = { path: `/runs/${word}`, run: word };
  const pids = [{ pid: 4242, start: 77 }];
  const address = { kind: 'unix', path: `/tmp/${word}` } as const;
  const started = {
    ...{ main: { pid: 4242, start: 77 }, session: 4240, bootId: word, init: 1, log: `/log/${word}` },
    ...{ movedLog: null, preludeShell: null, at: 0, warnings: [] },
  };
  const target: SampleTarget = { ...folder, started };
  const spec: LaunchSpec = {
    ...folder,
    ...{ argv: [word, word], environment: { NAME: word }, prelude: word, directory: word, log: word },
    ...{ aside: [word], request: word },
  };
  const position = { generation: { device: word, inode: word, sum: word, summed: 5 }, offset: 0 };
  return [
    DRIVER,
    FACTS,
    GPUS,
    LEFTOVERS,
    renderBundle([{ script: renderFind(spec), limit: 5 }]),
    renderClean({ folder: word, days: 30, keep: [word] }),
    renderCurl({ address, method: 'POST', path: '/v1', headers: { 'x-key': word }, body: word, timeoutMs: 1000 }),
    renderFamily(pids),
    renderFiles([word], word),
    renderFind(spec),
    renderFollow({ ...folder, log: word, role: 'main', real: word, from: position }, { how: 'resume' }, word),
    renderHub([{ id: word, revision: word }], { HF_HOME: word, HF_TOKEN_PATH: word }),
    renderKill(pids, 'TERM'),
    renderLaunch(spec, 'c1'),
    renderLeft(pids),
    renderListener(address),
    renderLook({ path: word, globs: [word] }),
    renderModels([word], word),
    renderPackages({ launch: spec, python: word, environments: [word] }),
    renderPatrol({ globs: [word], known: [{ path: word, device: word, inode: word, size: 1 }] }),
    renderPeek(word, { from: 0, most: 1, countsLines: true }),
    renderRas({ host: word, port: 28028 }),
    renderRecall(folder),
    renderRemember(folder, started, word),
    renderRoom([word], word),
    renderRunning(pids),
    renderRuns(word),
    renderSampler([target]),
    renderSaves([word], word),
    renderStacks(pids),
    renderStopView(target, { pids, address }),
    renderSweep(target),
    renderTerminate({ folder, pids, spared: 4240, to: 'groups' }),
    renderTree(target),
    renderVoid(folder),
    renderWork({ folders: [word], hub: [{ id: word, revision: word }], environment: { HF_HOME: word }, pids }),
    renderWriters(word),
  ];
}

const scripts = scriptsWith(HOSTILE);
const others = scriptsWith('plain');

describe.each(scripts.map((script, index) => [script.name, script, others[index]] as const))(
  '%s',
  (_, script, other) => {
    test('is the same text whatever words it is made with', () => {
      expect(script.text).toBe(other?.text);
      expect(script.text).not.toContain('touch /pwned');
    });

    test.each([['dash'], ['bash'], ['busybox', 'sh']])('is understood by %s', (...shell) => {
      const [program = '', ...words] = shell;
      const { status, stderr } = spawnSync(program, [...words, '-n'], { input: script.text, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });

    test('asks for no rights beyond those of the SSH user', () => {
      expect(script.text).not.toMatch(/\b(?:sudo|doas|pkexec|runuser|su|chown|setcap)\b/);
    });
  },
);

test('a word is one line: as it is, or in octal where a line can not hold it', () => {
  expect(line('{"method":"dflash"} $HOME *.log it\'s')).toBe('{"method":"dflash"} $HOME *.log it\'s\n');
  expect(line('a\nb\\c')).toBe('a\\0012b\\0134c\n');
  expect(line('ключ\t')).toBe('\\0320\\0272\\0320\\0273\\0321\\0216\\0321\\0207\\0011\n');
});

test('what reaches a host is one constant command, then the script with its length, then the data', () => {
  expect(EXEC_COMMAND).toBe(
    `exec sh -c 'IFS= read -r vigil_n; eval "$(dd bs=$vigil_n count=1 iflag=fullblock 2>/dev/null || dd bs=1 count=$vigil_n 2>/dev/null)"'`,
  );
  const sent = renderStdin(renderKill([{ pid: 4242, start: 77 }], 'KILL'), 'nonce');
  const [, length = '', rest = ''] = /^(\d+)\n([\s\S]*)$/.exec(sent) ?? [];
  expect(rest.slice(Number(length))).toBe('nonce\nKILL\n4242:77\n');
});
