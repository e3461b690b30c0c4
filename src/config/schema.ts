/**
 * The shape of vigil.yaml. Every scalar arrives as text. A message is what stands behind "expected": `…; do …`.
 * A new key gets its row here, its reader, a paragraph in docs/configuration.md and a line in vigil.example.yaml (a test looks).
 */

import { z } from 'zod';
import { CATEGORIES } from '../categories.ts';

export const TopKeys = strictMap({
  instance: text(
    /^[a-z][a-z0-9-]{0,30}$/,
    'a name of a–z, 0–9 and -, beginning with a letter, at most 31; write instance: vigil',
  ),
  hosts: z.record(z.string(), z.unknown(), 'a map of host names; write hosts: and one entry per host'),
  recipes: z.record(z.string(), z.unknown(), 'a map of recipe names; write recipes: and one entry per recipe'),
  // Read one by one by diagnoses.ts, so that one wrong row hides no mistake in another.
  diagnoses: z
    .array(z.unknown(), 'a list of rows; write - pattern: …, title: … and advice: …, or leave the key out')
    .optional(),
});

const CATEGORY = `one of ${CATEGORIES.join(', ')}; write one of these, or leave the key out`;

export const DiagnosisKeys = strictMap({
  pattern: text(
    /^.{1,300}$/s,
    'a regular expression of 1 to 300 characters; write a part of the error that is always the same',
  ),
  title: text(/^\P{Cc}{1,120}$/u, 'one line of 1 to 120 characters; write what it is in a few words'),
  advice: text(/^(?:\P{Cc}|\n){1,1000}$/u, '1 to 1000 characters; write what to do'),
  category: z.enum(CATEGORIES, CATEGORY).optional(),
  kind: z.enum(['serve', 'train'], 'serve or train; write one of them, or leave the key out for both').optional(),
});

/** Host and recipe names: what people type behind `/vllm launch` or `/dflash train`, so nothing that reads as an option. */
export const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'a name of a–z, 0–9, dot, _ and -, beginning with a letter or digit; rename it')
  .refine((name) => name !== 'last', 'another name: `last` means the last run in commands; rename it');

const PersonOrGroup = text(
  /^[UWS][A-Z0-9]{1,20}$/,
  'the id of a Slack user (U… or W…) or user group (S…); copy it in Slack: the profile, ⋮, "Copy member ID", or the group, ⋮, "Copy group ID"',
);
const People = z
  .union(
    [z.literal('anyone'), z.array(PersonOrGroup)],
    'anyone or a list of ids of Slack users and user groups; write [U…, S…], or leave the key out for nobody',
  )
  .optional();

const CHANNEL =
  'a Slack channel id (C… or G…), names can change; open the channel in Slack, click its name, the id stands at the bottom of "About"';
const LocalPath = text(/^(?!-----)\P{Cc}+$/u, 'the path of a file; write the path, never a key itself');
const LOG_PATH = 'the path of a file on the host, absolute or below ~/; write it from / or ~/ on, to the file name';
const PYTHON =
  'the path of a Python on the host, absolute or below ~/; write the one that runs it, /opt/venv/bin/python for example';
const REMOTE_PATH = 'an absolute path on the host, or one below ~/; write it from / or ~/ on';
const FILE = /^~?\/\P{Cc}*(?!\/)\P{Cc}$/u;
const RemoteFile = text(FILE, LOG_PATH);
const Channel = text(/^[CG][A-Z0-9]{1,20}$/, CHANNEL);

export const MOST_GLOBS = 20;
const globs = (key: string) => {
  const expected = `a list of globs of logs on the host, at most ${MOST_GLOBS}; write ${key}: [/workspace/*/logs/run.log]`;
  const glob = text(
    FILE,
    'a glob of logs on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
  );
  return z.array(glob, expected).min(1, expected);
};

export const PatrolKeys = strictMap({
  logs: globs('logs'),
  every: wholeNumber({
    min: 5,
    max: 3600,
    expected: 'whole seconds from 5 to 3600; write every: 60, or leave the key out',
  }).optional(),
  channel: Channel.optional(),
});

export const SecretReference = strictMap({
  secret: text(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    "the name of a variable of Vigil's own environment; write {secret: NAME}",
  ).refine(
    (name) => !/^(?:SLACK_\w+_(?:TOKEN|SECRET)|REDIS_URL)$/.test(name),
    "a variable that Vigil doesn't need itself: its own tokens never go to a host; use a variable of its own for this secret",
  ),
});

export const HostKeys = strictMap({
  address: text(
    /^[A-Za-z0-9:][A-Za-z0-9.:_-]*$/,
    'a host name or an IP address alone; write the user under user and the port under port',
  ).optional(),
  user: text(/^[A-Za-z0-9_][\w.-]*\$?$/, 'a user name on the host; write user: root').optional(),
  port: wholeNumber({ min: 1, max: 65_535, expected: 'a port from 1 to 65535; write port: 22' }).optional(),
  key: LocalPath.optional(),
  known_hosts: z
    .union(
      [LocalPath, z.array(LocalPath).min(1)],
      'the path of a known_hosts file or a list of such; write ~/.ssh/known_hosts',
    )
    .optional(),
  passphrase: SecretReference.optional(),
  jump: text(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'the name of another host of this file; write its name alone').optional(),
  alias: text(/^[A-Za-z0-9][\w.-]*$/, 'a Host of ~/.ssh/config; write its name alone').optional(),
  state_dir: text(/^~?\/\P{Cc}*$/u, REMOTE_PATH).optional(),
  keep_runs: wholeNumber({ min: 1, max: 3650, expected: 'whole days, 1 to 3650; write keep_runs: 30' }).optional(),
  channel: Channel,
  rights: strictMap({ see: People, launch: People, force: People, stop: People, watch: People }).optional(),
  patrol: PatrolKeys.optional(),
  watch_logs: globs('watch_logs').optional(),
});

export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable (letters, digits, _); rename it')
  .refine((name) => name !== 'VIGIL_RUN', 'another name: VIGIL_RUN marks the processes of a run; remove it');

const DEVICE = /^(?:\d{1,3}|GPU-[\da-f-]{4,}|MIG-[\w/-]{4,})$/i;
const GPUS =
  'a number of GPUs (1 to 64) or a list of device names as CUDA_VISIBLE_DEVICES takes them; write gpus: 2 or gpus: [0, 1]';

export const TargetKeys = strictMap({
  log: RemoteFile.optional(),
  port: wholeNumber({
    min: 1,
    max: 65_535,
    expected: "a port from 1 to 65535; write the target server's, or leave the key out",
  }).optional(),
});

export const ExpectationKeys = strictMap({
  file: RemoteFile,
  path: text(
    /^\P{Cc}{1,1000}$/u,
    'where the value stands in the JSON, 1 to 1000 characters; write dflash_config.target_layer_ids',
  ),
  // Read by expectations.ts from the tree itself: there quotes matter.
  value: z.unknown().optional(),
});

/** Phases in which a log may be silent for a while; in `ready`, an engine that has requests may stand still. */
const BUDGET_PHASES = [
  'configuring',
  'connecting',
  'downloading',
  'loading',
  'compiling',
  'kv_cache',
  'capturing',
  'verifying',
  'ready',
  'target_starting',
  'preparing',
  'training',
  'checkpointing',
] as const;

const Budget = wholeNumber({
  min: 1,
  max: 86_400,
  expected: 'whole seconds, 1 to 86400; write the longest silence that is usual in this phase, 300 for example',
}).optional();

const BudgetKeys = strictMap(
  Object.fromEntries(BUDGET_PHASES.map((phase) => [phase, Budget])) as Record<
    (typeof BUDGET_PHASES)[number],
    typeof Budget
  >,
);

const number = (expected: string) => text(/^\d{1,9}(?:\.\d{1,6})?$/, expected).transform(Number);

/** What a server's verification demands. */
export const FloorKeys = strictMap({
  acceptance_length: number(
    'a number of tokens, 1 or more; write the mean acceptance length below which the drafter is of no use, 2.0 for example',
  )
    .refine(
      (value) => value >= 1,
      'a number from 1 on: 1 is a drafter of which nothing is accepted; write 2.0 for example',
    )
    .optional(),
  tokens_per_second: number('a number of tokens a second; write the least that is of use, 60 for example').optional(),
});

export const RecipeKeys = strictMap({
  kind: z.enum(['serve', 'train'], 'serve or train; write kind: train for a training, or leave the key out').optional(),
  // Read by argv.ts from the tree itself: there quotes matter.
  argv: z.unknown().optional(),
  environment: z
    .record(
      z.string(),
      z.union([z.string(), SecretReference], 'text or {secret: NAME}; put the text in quotes'),
      'a map of variables; write NAME: text or NAME: {secret: NAME}',
    )
    .optional(),
  prelude: text(/^[^\0]*$/, 'shell text without NUL bytes; write it as a block: prelude: |').optional(),
  directory: text(/^~?\/\P{Cc}*$/u, REMOTE_PATH).optional(),
  log: RemoteFile.optional(),
  gpus: z.union(
    [
      wholeNumber({ min: 1, max: 64, expected: GPUS }),
      z.array(text(DEVICE, 'a device: its number, or GPU-… or MIG-… with its UUID; see nvidia-smi -L')).min(1),
    ],
    GPUS,
  ),
  port: wholeNumber({
    min: 1,
    max: 65_535,
    expected: "a port from 1 to 65535; write argv's --port, or leave the key out",
  }).optional(),
  target: TargetKeys.optional(),
  stop_grace: wholeNumber({
    min: 1,
    max: 86_400,
    expected: 'whole seconds, at most 86400; write stop_grace: 60',
  }).optional(),
  // Read by expectations.ts from the tree itself: there quotes matter.
  expect: z.unknown().optional(),
  versions: z
    .record(
      z.string(),
      z.string('versions as text; write them in quotes, ">=0.22,<0.26"'),
      'a map of Python packages; write vllm: ">=0.22,<0.26"',
    )
    .optional(),
  python: text(FILE, PYTHON).optional(),
  budgets: BudgetKeys.optional(),
  floor: FloorKeys.optional(),
  resume: z
    .enum(['true', 'false'], 'true or false; write resume: true, or leave the key out for a training from the start')
    .transform((word) => word === 'true')
    .optional(),
});

function text(pattern: RegExp, expected: string) {
  return z.string(expected).regex(pattern, expected);
}

function wholeNumber({ min, max, expected }: { min: number; max: number; expected: string }) {
  return text(/^\d{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** A map that refuses unknown keys; that issue's message is the known ones, for the nearest word. */
function strictMap<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : `a map of ${known}; write it as key: value lines`),
  });
}
