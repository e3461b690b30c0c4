/** The manifest and the docs say what the code declares. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { slashOf } from '../../src/report/words.ts';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { KINDS } from '../../src/slack/kinds.ts';
import { SCOPES } from '../../src/slack/scopes.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

const Manifest = z.object({
  features: z.object({ slash_commands: z.array(z.record(z.string(), z.unknown())) }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
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

test('the manifest asks for the scopes of which the start says what does not work without them, each with why, and for no other', () => {
  expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(Object.keys(SCOPES).toSorted());
  const lines = read('slack-manifest.yaml').split('\n');
  const first = lines.indexOf('    bot:') + 1;
  expect(
    lines.slice(first, lines.indexOf('settings:')).filter((line, index, all) => {
      const isScope = line.trim().startsWith('- ');
      const above = all[index - 1]?.trim() ?? '';
      return isScope && !above.startsWith('#') && !above.startsWith('- ');
    }),
  ).toEqual([]);
});

test('the manifest subscribes to the events that are listened for, and no other', () => {
  const source = read('src/slack/listen.ts');
  const heard = [...source.matchAll(/app\.event\('(\w+)'/g)].map((match) => match[1]);
  expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual(heard.toSorted());
});

test('each kind of run has a slash command with the verb that starts one, and the threads name the same', () => {
  for (const { slash, start } of Object.values(KINDS)) {
    const verbs = SLASH_COMMANDS.find(({ name }) => name === slash)?.verbs ?? [];
    expect(verbs.map(({ name }) => name)).toContain(start);
  }
  expect([slashOf(sampleRun({})), slashOf(sampleTraining({}))]).toEqual([KINDS.serve.slash, KINDS.train.slash]);
});

test.each(SLASH_COMMANDS)(
  'the usage hint of $name begins with what starts a run, ends with help, and is short enough to be shown',
  (slash) => {
    const hinted = slash.usageHint.split(' | ').map((part) => part.split(' ')[0] ?? '');
    expect(hinted.filter((verb) => !slash.verbs.some(({ name }) => name === verb))).toEqual([]);
    expect([hinted[0], hinted.at(-1)]).toEqual([KINDS[slash.kind].start, 'help']);
    expect(slash.usageHint.length).toBeLessThanOrEqual(50);
  },
);

const COMMANDS = SLASH_COMMANDS.flatMap((slash) => slash.verbs.map((verb) => ({ slash: slash.name, ...verb })));

test('each command has its heading and its usage in docs/commands.md, and no heading is without one', () => {
  const docs = read('docs/commands.md');
  const headings = [...docs.matchAll(/^## (\/.+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual(COMMANDS.map(({ slash, name }) => `${slash} ${name}`));
  for (const { slash, usage } of COMMANDS) expect(docs).toContain(`\`${slash} ${usage}\``);
});

test('the usage of each command names its options and no other, and so does its part of docs/commands.md', () => {
  const docs = read('docs/commands.md');
  for (const { slash, name, usage, options } of COMMANDS) {
    const [, part = ''] = docs.split(`\n## ${slash} ${name}\n`);
    const declared = Object.entries(options).map(
      ([option, { value }]) => `--${option}${value === null ? '' : ` ${value}`}`,
    );
    const named = usage.match(/--[a-z-]+(?: [A-Z]+)?/g) ?? [];
    expect(named.toSorted()).toEqual(declared.toSorted());
    for (const option of declared) expect(part.split('\n## ')[0]).toContain(option);
  }
});

test('messages can reach people directly, where nothing that they write there would be read', () => {
  expect(parse(read('slack-manifest.yaml'))).toMatchObject({
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
    },
  });
});
