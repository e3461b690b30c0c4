/** Why a launch is refused, in sentences for people. */

import type { LaunchSpec } from '../host/launch.ts';
import { describeLimit, findTooLong } from './weight.ts';

/** Says why this can't be sent to a host at all, or null. */
export function findObstacle(spec: LaunchSpec): string | null {
  const [program] = spec.argv;
  if (program === undefined || program === '') return 'argv is empty: the recipe must name the program to start.';
  if (program.startsWith('-')) return `argv begins with "${program}": the recipe must name the program first.`;
  const texts = [...spec.argv, ...Object.values(spec.environment), spec.prelude ?? ''];
  if (texts.some((text) => text.includes('\0')))
    return 'A value of the recipe holds a NUL byte, which no program can get.';
  const path = [spec.path, spec.directory ?? '', spec.log ?? '', ...spec.aside].find((text) => HAS_CONTROL.test(text));
  if (path !== undefined) return `The path ${JSON.stringify(path)} holds a control character: use a path without.`;
  const long = findTooLong(spec);
  if (long !== null) return long;
  const name = Object.keys(spec.environment).find(
    (key) => !VARIABLE.test(key) || key.startsWith('vigil_') || OF_THE_SHELL.includes(key),
  );
  if (name === undefined) return null;
  return `"${name}" can't be a variable's name: letters, digits and _ are allowed, no digit first, no "vigil_" in front; "_" and "SHLVL" are the shell's own.`;
}

/** `CODE DETAIL` as the scripts say it, as a sentence for people. */
export function readReason(text: string): string {
  const blank = text.indexOf(' ');
  const code = blank < 0 ? text : text.slice(0, blank);
  const detail = blank < 0 ? '' : text.slice(blank + 1).trim();
  const sentence = REASONS[code];
  return sentence === undefined ? `The launcher said "${text}", which this version doesn't know.` : sentence(detail);
}

const REASONS: Readonly<Record<string, (detail: string) => string>> = {
  setsid: () =>
    'setsid was not found on the host, and without it a run would end with the connection: install util-linux (or busybox).',
  folder: (detail) =>
    `The run folder can't be written (${detail}): let the SSH user write there, or set another state_dir for this host.`,
  claim: (detail) =>
    `The claim in the run folder can't be renamed (${detail}), which launching once rests on: set state_dir to a local folder of the SSH user.`,
  'too-long': describeLimit,
  variable: (detail) =>
    `The shell of the host can't give a program the variable ${detail} as the recipe has it, since it is one of its own: let a wrapper set it (argv: env, ${detail}=…).`,
  directory: (detail) => `The working directory ${detail} can't be entered: create it, or correct the recipe.`,
  program: (detail) =>
    detail.includes('/')
      ? `The program ${detail} is not there, or can't be run by the SSH user: correct the path in the recipe, or "chmod +x" the file.`
      : `The program "${detail}" was not found on the PATH of the SSH user: give its full path, or set it up in the recipe's prelude.`,
  'log-kind': (detail) => `The log path ${detail} is no regular file: give the recipe the path of a file.`,
  'log-held': (detail) => {
    const [pid = '?', ...path] = detail.split(' ');
    return `Process ${pid} has the log ${path.join(' ')} open for writing: stop that process, or give the recipe another log path.`;
  },
  'log-aside': (detail) =>
    `The older log can't be moved aside (${detail}): let the SSH user write in its folder, or give the recipe another log path.`,
  log: (detail) => {
    const [path, why] = detail.split('\t');
    return `The log ${path} can't be written (${why}): let the SSH user write there, or give the recipe another log path.`;
  },
};

/** A shell sets these in what it starts, whatever they were. */
const OF_THE_SHELL = ['_', 'SHLVL'];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const HAS_CONTROL = /[\u0000-\u001f\u007f]/;
