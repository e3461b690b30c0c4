/** What a checked vigil.yaml says, for the person who wrote it: exact argv, who may do what, where things stand. */

import { authorityOf, type ServerAddress } from '../address.ts';
import { type Config, type HostConfig, type Patrol, type Recipe, VERBS } from './config.ts';
import { showJsonPath } from './json-path.ts';
import { isHidden } from './secret-shapes.ts';

/** Plain text; secrets are named, never shown. `isThere` tells whether a file stands on this machine. */
export function renderSummary(path: string, config: Config, isThere: (file: string) => boolean): string {
  const blocks = [
    `${path} is right: instance ${config.instance}.`,
    ...Object.values(config.hosts).map((host) => renderHost(host, isThere)),
    ...Object.values(config.recipes).map(renderRecipe),
    ...renderDiagnoses(config),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderDiagnoses({ diagnoses }: Config): readonly string[] {
  if (diagnoses.length === 0) return [];
  const rows = diagnoses.map(({ title, kind }) => `  ${title}${kind === null ? '' : ` (${kind} only)`}`);
  return [[`diagnoses of your team, tried before Vigil's own:`, ...rows].join('\n')];
}

function renderHost(host: HostConfig, isThere: (file: string) => boolean): string {
  const file = (path: string): string => (isThere(path) ? path : `${path} (not on this machine)`);
  const rights = VERBS.map((verb) => `${verb}: ${who(host.rights[verb])}`).join('; ');
  const lines = [
    ...renderWay(host, file),
    `run folders in ${host.stateDir}, kept for ${host.keepRuns} days after the end; threads in ${host.channel}`,
    `who may ${rights}`,
    ...renderPatrol(host.patrol),
    ...renderWatchLogs(host.watchLogs),
  ];
  return [`host ${host.name}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function renderWay({ connect }: HostConfig, file: (path: string) => string): readonly string[] {
  const unlocked =
    connect.passphrase === null ? [] : [`passphrase of its key in the variable ${connect.passphrase.name}`];
  if (connect.kind === 'alias') return [`as ~/.ssh/config says for ${connect.alias}`, ...unlocked];
  const { user, address, port, jump, key, knownHosts } = connect;
  return [
    `${user}@${address}, port ${port}${jump === null ? '' : `, through ${jump}`}`,
    `key ${file(key)}, known hosts in ${knownHosts.map(file).join(', ')}`,
    ...unlocked,
  ];
}

function renderPatrol(patrol: Patrol | null): readonly string[] {
  if (patrol === null) return ['no patrol: trainings that people start by hand are not looked for'];
  const every = `patrol every ${patrol.every} s, threads in ${patrol.channel}; logs, one glob a line:`;
  return [every, ...patrol.logs.map((glob) => `  ${showWord(glob)}`)];
}

function renderWatchLogs(globs: readonly string[]): readonly string[] {
  if (globs.length === 0) return ['no log may be watched that somebody names'];
  return ['logs that may be watched, one glob a line:', ...globs.map((glob) => `  ${showWord(glob)}`)];
}

function who(people: 'anyone' | readonly string[]): string {
  if (people === 'anyone') return 'anyone';
  return people.length === 0 ? 'nobody' : people.join(', ');
}

function renderRecipe(recipe: Recipe): string {
  const lines = [
    `${showGpus(recipe.gpus)}; ${showServer(recipe)}; a stop waits ${recipe.stopGrace} s`,
    `log ${recipe.log ?? "in the run's folder"}; directory ${recipe.directory ?? "the SSH user's home"}; prelude ${recipe.prelude === null ? 'none' : 'yes'}`,
    ...renderResume(recipe),
    ...renderPython(recipe),
    ...renderExpectations(recipe),
    ...renderBudgets(recipe),
    ...renderEnvironment(recipe),
    'argv, one word a line:',
    ...recipe.argv.map((word) => `  ${showWord(word)}`),
  ];
  return [`recipe ${recipe.name}, kind ${recipe.kind}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function showGpus(gpus: Recipe['gpus']): string {
  return typeof gpus === 'number'
    ? `${gpus} GPU${gpus === 1 ? '' : 's'}, chosen at the start`
    : `GPUs ${gpus.join(', ')}`;
}

function showServer(recipe: Recipe): string {
  if (recipe.kind === 'serve') return `server at ${showAddress(recipe.address)}`;
  const { address, targetLog } = recipe;
  const where = [
    ...(address === null ? [] : [`at ${showAddress(address)}`]),
    ...(targetLog === null ? [] : [`log ${targetLog}`]),
  ];
  return where.length === 0 ? 'no target server named' : `target server ${where.join(', ')}`;
}

function showAddress(address: ServerAddress): string {
  return address.kind === 'unix' ? `socket ${address.path}` : `http://${authorityOf(address)}`;
}

function renderResume(recipe: Recipe): readonly string[] {
  if (recipe.kind === 'serve') return [];
  return [recipe.resume ? 'goes on from the checkpoints in its save path' : 'wants a save path without checkpoints'];
}

function renderPython({ python, versions }: Recipe): readonly string[] {
  const wanted = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    ...(python === null ? [] : [`python ${showWord(python)}`]),
    ...(wanted.length === 0 ? [] : [`versions: ${wanted.join('; ')}`]),
  ];
}

function renderExpectations({ expect }: Recipe): readonly string[] {
  if (expect.length === 0) return [];
  const rows = expect.map(({ file, path, value }) => `  ${showWord(file)} ${showJsonPath(path)} = ${value}`);
  return ['what files on the host must hold:', ...rows];
}

function renderBudgets({ budgets }: Recipe): readonly string[] {
  const phases = Object.entries(budgets).map(([phase, seconds]) => `${phase} ${seconds} s`);
  return phases.length === 0 ? [] : [`its log may be silent for: ${phases.join(', ')}`];
}

function renderEnvironment({ environment, secrets }: Recipe): readonly string[] {
  const variables = Object.entries(environment);
  if (variables.length === 0) return [];
  const shown = variables.map(([name, value]) =>
    value === '' || isHidden({ name, value }, secrets) ? `  ${name} (not shown)` : `  ${name}=${showWord(value)}`,
  );
  return ['environment:', ...shown];
}

/** As it is, unless a line could not show it: then in JSON's quotes. */
function showWord(word: string): string {
  return word === '' || word !== word.trim() || /\p{C}/u.test(word) ? JSON.stringify(word) : word;
}
