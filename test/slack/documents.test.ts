/** The manifest and the docs say what the code declares. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { slashOf } from '../../src/report/words.ts';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { KINDS } from '../../src/slack/kinds.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

const Manifest = z.object({
  features: z.object({ slash_commands: z.array(z.record(z.string(), z.unknown())) }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    interactivity: z.object({ is_enabled: z.literal(true) }),
    socket_mode_enabled: z.literal(true),
  }),
});

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = Manifest.parse(parse(read('slack-manifest.yaml')));

test('the manifest holds the slash commands that the code answers, and no other', () => {
  const declared = SLASH_COMMANDS.map(({ name, description, usageHint }) => {
    return { command: name, description, usage_hint: usageHint, should_escape: true };
  });
  expect(manifest.features.slash_commands).toEqual(declared);
});

test('the manifest asks for no more scopes than are used', () => {
  const scopes = [
    'channels:history',
    'channels:read',
    'chat:write',
    'commands',
    'groups:history',
    'groups:read',
    'users:read',
  ];
  expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(scopes);
});

test('each kind of run has a slash command with the verb that starts one, and the threads name the same', () => {
  for (const { slash, start } of Object.values(KINDS)) {
    const verbs = SLASH_COMMANDS.find(({ name }) => name === slash)?.verbs ?? [];
    expect(verbs.map(({ name }) => name)).toContain(start);
  }
  expect([slashOf(sampleRun({})), slashOf(sampleTraining({}))]).toEqual([KINDS.serve.slash, KINDS.train.slash]);
});

test.each(SLASH_COMMANDS)('the usage hint of $name names its verbs', ({ usageHint, verbs }) => {
  const hinted = usageHint.split(' | ').map((part) => part.split(' ')[0]);
  expect(hinted).toEqual(verbs.map(({ name }) => name));
});

test('each command has its heading and its usage in docs/commands.md, and no heading is without one', () => {
  const docs = read('docs/commands.md');
  const commands = SLASH_COMMANDS.flatMap((slash) => slash.verbs.map((verb) => ({ slash: slash.name, ...verb })));
  const headings = [...docs.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual(commands.map(({ slash, name }) => `${slash} ${name}`));
  for (const { slash, usage } of commands) expect(docs).toContain(`\`${slash} ${usage}\``);
});
