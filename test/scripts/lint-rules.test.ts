import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const REFUSED: readonly (readonly [folder: string, imported: string])[] = [
  ['src/run', '../../rehearsal/redis.ts'],
  ['src', '../rehearsal/redis.ts'],
  ['src', '../test/support/redis.ts'],
  ['jobs', '../rehearsal/redis.ts'],
  ['src/ssh', '../../rehearsal/host/server.ts'],
  ['src/log', '../run/run.ts'],
  ['src/log', '../diagnosis/cause.ts'],
  ['src/log/rules', '../../report/card.ts'],
  ['src/log', '../tools.ts'],
  ['src/log', '../host/gpu.ts'],
  ['src/log/rules', '../../host/process.ts'],
  ['src/diagnosis', '../run/run.ts'],
  ['src/run', '../report/card.ts'],
  ['src/pulse', '../report/card.ts'],
  ['src/pulse', '../config/load.ts'],
  ['src/verify', '../run/run.ts'],
  ['src/verify/findings', '../../report/card.ts'],
  ['src/verify', 'node:fs'],
  ['src/vitals', '../run/run.ts'],
  ['src/vitals', '../ssh/host.ts'],
  ['src/history', '../report/card.ts'],
  ['src/history', 'ioredis'],
  ['src/check', '../shell/preflight/models.ts'],
  ['src/check', '../report/checklist.ts'],
  ['src/check', 'node:fs'],
  ['src/report', '../shell/command.ts'],
  ['src/shell', '../log/events.ts'],
  ['src/shell', '../config/config.ts'],
  ['src/run', '../config/load.ts'],
  ['src/log', 'node:fs'],
  ['src/log', 'node:fs/promises'],
  ['src/run', 'node:timers/promises'],
  ['src/shell', 'node:child_process'],
  ['src/diagnosis', 'node:net'],
  ['src/run', 'bullmq'],
  ['src/run', 'ioredis'],
  ['src/diagnosis', 'ssh2'],
  ['src/shell', 'node-ssh'],
  ['src/report', '@slack/bolt'],
  ['src/report', '@slack/web-api'],
  ['src/report', '../slack/thread.ts'],
  ['src/run', '../queue/journal.ts'],
  ['src/log', '../ssh/host.ts'],
  ['src/ssh', '../slack/thread.ts'],
  ['src/ssh', '../queue/redis.ts'],
  ['src/queue', '../ssh/host.ts'],
  ['src/queue', '../slack/thread.ts'],
  ['src/slack', '../queue/redis.ts'],
  ['src/slack/commands', '../../ssh/host.ts'],
  ['jobs', '../src/ssh/host.ts'],
  ['jobs', '../src/queue/work.ts'],
  ['jobs', '../src/slack/thread.ts'],
  ['jobs', 'bullmq'],
  ['src/flow', '../ssh/host.ts'],
  ['src/watch', '../queue/journal.ts'],
  ['src/patrol', '../ssh/host.ts'],
  ['src/place', '../queue/line.ts'],
  ['src/tell', '../slack/chat.ts'],
  ['src/tell', '@slack/web-api'],
  ['src/config', '../slack/app.ts'],
  ['src/config', '../run/run.ts'],
  ['rehearsal/slack', '../../src/chat.ts'],
  ['rehearsal/host', '../../src/tools.ts'],
];

const ALLOWED: readonly (readonly [folder: string, imported: string])[] = [
  ['src/log/rules', '../events.ts'],
  ['src/diagnosis', '../log/events.ts'],
  ['src/run', '../diagnosis/cause.ts'],
  ['src/run', '../vitals/vitals.ts'],
  ['src/vitals', '../verify/acceptance.ts'],
  ['src/verify', '../config/flags.ts'],
  ['src/verify/findings', '../../check/words.ts'],
  ['src/history', '../run/run.ts'],
  ['src/run', '../config/config.ts'],
  ['src/report', '../run/run.ts'],
  ['src/report', '@slack/types'],
  ['src/shell', '../tools.ts'],
  ['src/ssh', '../shell/command.ts'],
  ['src/ssh', 'ssh2'],
  ['src/queue', 'bullmq'],
  ['src/slack', '@slack/bolt'],
  ['src/slack', '../report/card.ts'],
  ['src', './slack/app.ts'],
  ['jobs', '../src/tools.ts'],
  ['jobs', '../src/run/step.ts'],
  ['src/watch', '../log/reader.ts'],
  ['src/tell', '../report/card.ts'],
  ['src/config', '../tools.ts'],
  ['rehearsal', '../src/bot.ts'],
  ['test/run', '../../rehearsal/redis.ts'],
];

const Findings = z.object({ diagnostics: z.array(z.object({ location: z.object({ path: z.string() }) })) });

const clone = mkdtempSync(join(tmpdir(), 'vigil-lint-'));
afterAll(() => rmSync(clone, { recursive: true }));

let refused: ReadonlySet<string>;

beforeAll(() => {
  copyFileSync('biome.json', join(clone, 'biome.json'));
  for (const [folder, imported] of [...REFUSED, ...ALLOWED]) {
    const path = join(clone, fileFor(folder, imported));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import type { Some } from '${imported}';\nexport type Other = Some;\n`);
  }
  refused = lint();
});

function fileFor(folder: string, imported: string): string {
  return `${folder}/${imported.replaceAll(/\W+/g, '-')}.ts`;
}

/** The files in which Biome finds a forbidden import. */
function lint(): ReadonlySet<string> {
  const words = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=none'];
  const report = join(clone, 'report.json');
  try {
    execFileSync(resolve('node_modules/.bin/biome'), [...words, '--reporter=json', `--reporter-file=${report}`, '.'], {
      cwd: clone,
      stdio: 'pipe',
    });
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error;
  }
  return new Set(
    Findings.parse(JSON.parse(readFileSync(report, 'utf8'))).diagnostics.map(({ location }) => location.path),
  );
}

test.each(REFUSED)('%s may not import %s', (folder, imported) => {
  expect(refused).toContain(fileFor(folder, imported));
});

test.each(ALLOWED)('%s may import %s', (folder, imported) => {
  expect(refused).not.toContain(fileFor(folder, imported));
});
