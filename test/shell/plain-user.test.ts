import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRecall, renderRecall } from '../../src/shell/recall.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launch, launchStarted, logOf, makeSpec } from '../support/local-launch.ts';
import { asNobody, makeNobodysFolder } from '../support/plain-user.ts';
import { findShells, runIn } from '../support/shells.ts';

const users = findShells().flatMap((shell) => [false, true].map((hidepid) => asNobody(shell, { hidepid })));

describe.each(users)('in $name', (shell) => {
  const ownSpec = (more = {}) => makeSpec({ path: join(makeNobodysFolder('own'), 'a/run'), directory: '/', ...more });

  test('a launch starts once, and how it is and ends is known', async () => {
    const spec = ownSpec({ argv: ['sh', '-c', 'id -u; until [ -e "$GO" ]; do sleep 0.05; done; exit 3'] });
    const waiting = { ...spec, environment: { GO: join(spec.path, 'go') } };
    const started = await launchStarted(shell, waiting);
    expect((await launch(shell, waiting, 'c2')).outcome).toEqual({ kind: 'already', started });
    expect(parseRecall((await runIn(shell, renderRecall(spec))).output)).toMatchObject({ isAlive: true, started });
    writeFileSync(join(spec.path, 'go'), '');
    expect(await exitOf(spec)).toMatchObject({ code: 3 });
    expect(logOf(spec)).toBe('65534\n');
    expect(parseRecall((await runIn(shell, renderRecall(spec))).output)).toMatchObject({ isAlive: false });
    expect(statSync(spec.path).mode & 0o077).toBe(0);
  });

  test("another user's files and processes stand in the way only where they do", async () => {
    const folder = makeFolder('roots');
    const refused = await launch(shell, ownSpec({ log: join(folder, 'x.log') }));
    expect(refused.outcome).toMatchObject({
      reason: expect.stringMatching(/^The log .*x\.log can't be written \(Permission denied\)/),
    });
    const own = makeNobodysFolder('logs');
    const log = join(own, 'x.log');
    const writer = spawn('sh', ['-c', `echo ready; exec sleep 60 >>'${log}'`]);
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    writeFileSync(log, 'theirs\n');
    const spec = ownSpec({ argv: ['echo', 'own'], log });
    const started = await launchStarted(shell, spec);
    await exitOf(spec);
    writer.kill();
    expect(readFileSync(log, 'utf8')).toBe('own\n');
    expect(readFileSync(started.movedLog ?? '', 'utf8')).toBe('theirs\n');
  });
});
