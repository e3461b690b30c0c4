/** The order of a script's simple commands: keywords, groups and functions taken off, branches told to the scope. */

import { Blocks } from './blocks.ts';
import { setInLoop } from './loops.ts';
import type { Scope } from './scope.ts';
import { bareText, type Token } from './token.ts';
import { unknown } from './value.ts';
import { isOperator, Walk } from './walk.ts';

export interface Simple {
  readonly tokens: readonly Token[];
  /** What is set where it stands. */
  readonly scope: Scope;
  /** It runs whatever happens before it. */
  readonly isCertain: boolean;
}

/** Whoever reads the script. */
interface Reader {
  define(name: string, body: readonly Token[]): void;
  /** Takes one from what may still be read; false where nothing is left. */
  spend(): boolean;
}

export class Flow {
  readonly #walk: Walk;
  readonly #blocks: Blocks;
  readonly #reader: Reader;
  /** `&&` or `||` before what comes next. */
  #link = '';
  /** A branch for one command that stands behind `&&` or `||`. */
  #hasOwnBranch = false;

  constructor(tokens: readonly Token[], scope: Scope, reader: Reader) {
    this.#walk = new Walk(tokens);
    this.#blocks = new Blocks(scope);
    this.#reader = reader;
  }

  /** The next command; the one before it must have been carried out on its scope. null at the end. */
  next(): Simple | null {
    if (this.#hasOwnBranch) this.#blocks.scope.leaveBranch();
    this.#hasOwnBranch = false;
    for (let token = this.#walk.peek(); token !== undefined; token = this.#walk.peek()) {
      if (token.kind === 'operator') this.#operator(token.text);
      else if (token.kind === 'arithmetic') this.#arithmetic(token.names);
      else if (!this.#keyword(bareText(token))) return this.#simple();
    }
    this.#blocks.closeAll();
    return null;
  }

  #operator(text: string): void {
    this.#walk.step();
    if (text === '&&' || text === '||') this.#link = text;
    else if (text !== '\n') this.#link = '';
    if (text === '(') this.#open('subshell');
    else if (text === ')') this.#blocks.close('subshell');
    else if (text.startsWith(';;') || text === ';&') this.#pattern(false);
  }

  #arithmetic(names: readonly string[]): void {
    this.#walk.step();
    for (const name of names) if (name !== '') this.#blocks.scope.set(name, [unknown(`$${name}`)]);
  }

  /** False where a command begins. */
  #keyword(word: string | null): boolean {
    if (word === null) return false;
    const handle = KEYWORDS.get(word);
    if (handle === undefined) return this.#function(word);
    this.#walk.step();
    this[handle]();
    return true;
  }

  /** `name() { … }`: true where one is defined. */
  #function(name: string): boolean {
    if (!isOperator(this.#walk.peek(1), '(') || !isOperator(this.#walk.peek(2), ')')) return false;
    this.#walk.step(3);
    this.#reader.define(name, this.#walk.takeBody());
    return true;
  }

  pass(): void {}

  branch(): void {
    this.#open('branch');
  }

  otherwise(): void {
    this.#blocks.scope.nextBranch();
    this.#blocks.scope.coverAll();
  }

  another(): void {
    this.#blocks.scope.nextBranch();
  }

  endBranch(): void {
    this.#close('branch');
  }

  /** Behind `||` a group runs only where something failed. */
  group(): void {
    this.#open(this.#link === '' ? 'group' : 'branch');
  }

  endGroup(): void {
    this.#close(this.#blocks.innermost === 'branch' ? 'branch' : 'group');
  }

  /** A loop: what its body sets is known only behind the place where it sets it. */
  again(): void {
    this.#open('branch');
    for (const name of setInLoop(this.#walk.rest())) {
      if (name !== '') this.#blocks.scope.set(name, [unknown(`$${name}`)]);
    }
  }

  /** `for x in …` up to its end: what x is differs from round to round. */
  loop(): void {
    this.again();
    const name = bareText(this.#walk.peek());
    if (name !== null) this.#blocks.scope.set(name, [unknown(`$${name}`)]);
    this.#walk.skipTo((token) => token.kind === 'operator' || bareText(token) === 'do');
  }

  case(): void {
    this.#open('case');
    this.#walk.skipTo((token) => bareText(token) === 'in');
    this.#walk.step();
    this.#pattern(true);
  }

  endCase(): void {
    this.#close('case');
  }

  test(): void {
    this.#walk.skipTo((token) => bareText(token) === ']]');
    this.#walk.step();
  }

  named(): void {
    const name = bareText(this.#walk.peek()) ?? '';
    this.#walk.step();
    if (isOperator(this.#walk.peek(), '(')) this.#walk.step(2);
    this.#reader.define(name, this.#walk.takeBody());
  }

  #open(kind: 'branch' | 'case' | 'group' | 'subshell'): void {
    this.#link = '';
    if (!this.#blocks.isFull && this.#reader.spend()) this.#blocks.open(kind);
    else this.#walk.end();
  }

  #close(kind: 'branch' | 'case' | 'group'): void {
    this.#link = '';
    this.#blocks.close(kind);
  }

  /** The pattern of a case, up to its `)`; `*` takes all that is left. */
  #pattern(isFirst: boolean): void {
    this.#walk.skipLines();
    if (bareText(this.#walk.peek()) === 'esac') return;
    if (isOperator(this.#walk.peek(), '(')) this.#walk.step();
    const takesAll = bareText(this.#walk.peek()) === '*' && isOperator(this.#walk.peek(1), ')');
    if (!isFirst) this.#blocks.scope.nextBranch();
    if (takesAll) this.#blocks.scope.coverAll();
    this.#walk.skipTo((token) => isOperator(token, ')'));
    this.#walk.step();
  }

  #simple(): Simple {
    const tokens = this.#walk.skipTo((token) => token.kind === 'operator' || token.kind === 'arithmetic');
    const { scope } = this.#blocks;
    const link = this.#link;
    this.#link = '';
    const isChange = link === '&&' && /^(?:cd|pushd)$/.test(bareText(tokens[0]) ?? '');
    this.#hasOwnBranch = link !== '' && !isChange;
    if (this.#hasOwnBranch) scope.enterBranch();
    return { tokens, scope, isCertain: link === '' && this.#blocks.isCertain };
  }
}

type Handler = { [Key in keyof Flow]: Flow[Key] extends () => void ? Key : never }[Exclude<keyof Flow, 'next'>];

/** What each keyword does; `pass`: nothing of its own. */
const KEYWORDS: ReadonlyMap<string, Handler> = new Map([
  ['if', 'branch'],
  ['while', 'again'],
  ['until', 'again'],
  ['for', 'loop'],
  ['select', 'loop'],
  ['case', 'case'],
  ['then', 'pass'],
  ['do', 'pass'],
  ['else', 'otherwise'],
  ['elif', 'another'],
  ['fi', 'endBranch'],
  ['done', 'endBranch'],
  ['esac', 'endCase'],
  ['{', 'group'],
  ['}', 'endGroup'],
  ['[[', 'test'],
  ['!', 'pass'],
  ['time', 'pass'],
  ['coproc', 'pass'],
  ['function', 'named'],
]);
