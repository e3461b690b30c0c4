/** Reads a script as bash would run it, command by command, and runs nothing. */

import { declare, leadingAssignments } from './assignments.ts';
import { runBuiltin } from './builtins.ts';
import { expandWord } from './expand.ts';
import { Flow } from './flow.ts';
import { Scope } from './scope.ts';
import { isShellText, readShellCall } from './shell-call.ts';
import { substitute } from './substitute.ts';
import type { Token } from './token.ts';
import { tokenize } from './tokenize.ts';
import { known, type Value } from './value.ts';
import { peel } from './wrappers.ts';

/** A command with its words as the process would get them. */
export interface ShellCommand {
  readonly words: readonly Value[];
  /** What the recipe and the script give it. */
  readonly environment: ReadonlyMap<string, Value>;
  readonly folder: Value;
  /** A file was read in before that can't be looked at: it may have set anything. */
  readonly isOpen: boolean;
  /** Of a function that nobody calls, as far as can be seen: a trap's, as a rule. */
  readonly isLoose: boolean;
}

export interface Shell {
  /** Texts of scripts, by their paths as commands name them. */
  readonly scripts: ReadonlyMap<string, string>;
  visit(command: ShellCommand): void;
}

/** Commands that are looked at, loops once: no training has so many. */
const MOST_COMMANDS = 5000;
const DEEPEST = 12;

export class Runner {
  readonly #shell: Shell;
  readonly #functions = new Map<string, readonly Token[]>();
  readonly #called = new Set<string>();
  #left = MOST_COMMANDS;
  #isLoose = false;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** The script has more commands than are looked at. */
  get isCutOff(): boolean {
    return this.#left <= 0;
  }

  runText(text: string, scope: Scope, depth: number): void {
    this.#runTokens(tokenize(text), scope, depth);
  }

  /** Functions that nobody called: what they run is read too, with arguments that nobody knows. */
  runUncalled(scope: Scope): void {
    this.#isLoose = true;
    for (const [name, body] of [...this.#functions]) {
      if (this.#called.has(name)) continue;
      const own = scope.copy();
      own.positional = null;
      this.#runTokens(body, own, 1);
    }
  }

  /** A command with all its words: a function, a builtin, another script, or a program. */
  runWords(words: readonly Value[], { scope, prefix, depth }: Call): void {
    const { words: own, assignments } = peel(words);
    const [program] = own;
    if (program === undefined || depth > DEEPEST) return;
    const body = this.#functions.get(program.text);
    if (body !== undefined) {
      this.#call(program.text, { body, words: own.slice(1), scope, depth });
      return;
    }
    if (runBuiltin(own, scope)) return;
    if (program.text === 'eval') {
      this.runText(
        own
          .slice(1)
          .map(({ text }) => text)
          .join(' '),
        scope,
        depth + 1,
      );
      return;
    }
    const environment = new Map([...scope.passedOn(), ...prefix, ...assignments]);
    if (program.text === 'source' || program.text === '.') this.#source(own.slice(1), scope, depth);
    else if (!this.#runScript(own, { environment, scope, depth })) {
      const { folder, isOpen } = scope;
      this.#shell.visit({ words: own, environment, folder, isOpen, isLoose: this.#isLoose });
    }
  }

  #runTokens(tokens: readonly Token[], scope: Scope, depth: number): void {
    const flow = new Flow(tokens, scope, {
      define: (name, body) => this.#functions.set(name, body),
      spend: () => this.#spend(),
    });
    for (let next = flow.next(); next !== null && this.#spend(); next = flow.next()) {
      const isOver = this.#runSimple(next.tokens, { scope: next.scope, prefix: [], depth });
      if (isOver && next.isCertain) return;
    }
  }

  #spend(): boolean {
    this.#left -= 1;
    return this.#left > 0;
  }

  /** True for the end of the script, or of the function. */
  #runSimple(tokens: readonly Token[], { scope, depth }: Call): boolean {
    const assignments = leadingAssignments(tokens, scope);
    const rest = tokens.slice(assignments.length);
    const prefix = assignments.map(({ name, values }) => [name, values[0] ?? known('')] as const);
    if (rest.length === 0) {
      for (const { name, values } of assignments) scope.set(name, values);
      return false;
    }
    const [first] = rest;
    if (first?.kind === 'word' && declare(rest, first.source, scope)) return false;
    const run = (script: string): string | null => substitute(script, scope);
    const words = rest.flatMap((token) => (token.kind === 'word' ? expandWord(token.parts, scope, run) : []));
    const name = words[0]?.text ?? '';
    if (name === 'exit' || name === 'return') return true;
    this.runWords(words, { scope, prefix, depth });
    return name === 'exec' && words.length > 1;
  }

  #call(name: string, { body, words, scope, depth }: Calling): void {
    this.#called.add(name);
    const before = scope.positional;
    scope.positional = words;
    this.#runTokens(body, scope, depth + 1);
    scope.positional = before;
  }

  /** `bash x.sh`, `./x.sh` and `bash -c '…'`, where the text is there. */
  #runScript(words: readonly Value[], { environment, scope, depth }: Starting): boolean {
    const call = readShellCall(words);
    const [program] = words;
    const path = call === null ? program?.text : call.script?.text;
    const text = call?.text ?? this.#shell.scripts.get(path ?? '');
    if (text === undefined || !isShellText(text)) return false;
    const child = new Scope(call === null ? (program ?? known('')) : (call.script ?? known('bash')), {
      environment: Object.fromEntries(
        [...environment].filter(([, { unknown }]) => unknown === null).map(([name, value]) => [name, value.text]),
      ),
    });
    for (const [name, value] of environment) {
      if (value.unknown === null) continue;
      child.set(name, [value]);
      child.export(name);
    }
    child.folder = scope.folder;
    child.positional = call === null ? words.slice(1) : call.words;
    this.runText(text, child, depth + 1);
    return true;
  }

  /** A file that can't be looked at may set anything; what activates an environment sets nothing of a training's. */
  #source([file, ...words]: readonly Value[], scope: Scope, depth: number): void {
    const path = file?.text ?? '';
    const text = this.#shell.scripts.get(path);
    if (text !== undefined) this.#call(path, { body: tokenize(text), words, scope, depth });
    else if (!HARMLESS.test(path)) scope.isOpen = true;
  }
}

interface Call {
  readonly scope: Scope;
  /** `A=b` before the command. */
  readonly prefix: readonly (readonly [string, Value])[];
  readonly depth: number;
}

interface Calling {
  readonly body: readonly Token[];
  readonly words: readonly Value[];
  readonly scope: Scope;
  readonly depth: number;
}

interface Starting {
  readonly environment: ReadonlyMap<string, Value>;
  readonly scope: Scope;
  readonly depth: number;
}

const HARMLESS = /(?:^|\/)(?:activate|conda\.sh|mamba\.sh|\.bashrc|\.bash_profile|\.profile)$/;
