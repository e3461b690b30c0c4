/** What a loop's body sets, told before it is read: from the second round on those variables are others. */

import { bareText, type Token } from './token.ts';

const LOOPS: readonly string[] = ['for', 'while', 'until', 'select'];
const BEGINS = /^(?:do|then|else|elif|if|while|until|!|\{)$/;
const DECLARES = /^(?:export|declare|typeset|local|readonly|read|mapfile|readarray|getopts)$/;

/** Names, of the tokens behind `for` or `while` up to its own `done`, or to their end. */
export function setInLoop(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  let open = 1;
  let command: Token[] = [];
  const end = (): void => {
    for (const name of setBy(command)) names.add(name);
    command = [];
  };
  for (const token of tokens) {
    const word = bareText(token) ?? '';
    if (command.length === 0 && LOOPS.includes(word)) open += 1;
    if (command.length === 0 && word === 'done') open -= 1;
    if (open === 0) return names;
    if (token.kind === 'arithmetic') for (const name of token.names) names.add(name);
    if (token.kind === 'operator' || token.kind === 'arithmetic') end();
    else if (command.length > 0 || !BEGINS.test(word)) command.push(token);
  }
  end();
  return names;
}

/** `A=b` alone, not before a command; and what `export`, `read` and their like name. */
function setBy(command: readonly Token[]): readonly string[] {
  const [first, ...rest] = command;
  if (DECLARES.test(bareText(first) ?? '')) return rest.map((token) => nameOf(token, /^(?<name>[A-Za-z_]\w{0,99})/));
  const names = command.map((token) => nameOf(token, /^(?<name>[A-Za-z_]\w{0,99})(?:\[[^\]]{0,99}\])?\+?=/));
  return names.includes('') ? [] : names;
}

/** '' where it names none. */
function nameOf(token: Token, form: RegExp): string {
  if (token.kind === 'array') return token.name;
  return token.kind === 'word' ? (form.exec(token.source)?.groups?.name ?? '') : '';
}
