/** A place among a script's tokens. */

import { bareText, type Token } from './token.ts';

/** Tokens that are told ahead: a script can begin thousands of loops and end none. */
const MOST_AHEAD = 2000;

export class Walk {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** undefined at the end. */
  peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  /** What is still to come. */
  rest(): readonly Token[] {
    return this.#tokens.slice(this.#at, this.#at + MOST_AHEAD);
  }

  step(count = 1): void {
    this.#at += count;
  }

  /** Up to the first of which `isThere` says so, which is left; what was passed over. */
  skipTo(isThere: (token: Token) => boolean): readonly Token[] {
    const from = this.#at;
    for (let token = this.peek(); token !== undefined && !isThere(token); token = this.peek()) this.#at += 1;
    return this.#tokens.slice(from, this.#at);
  }

  skipLines(): void {
    while (isOperator(this.peek(), '\n')) this.#at += 1;
  }

  /** A function's `{ … }` or `( … )`: what stands inside. */
  takeBody(): readonly Token[] {
    this.skipLines();
    const isGroup = bareText(this.peek()) === '{';
    let open = 0;
    const body = this.skipTo((token) => {
      if (isGroup ? bareText(token) === '{' : isOperator(token, '(')) open += 1;
      if (isGroup ? bareText(token) === '}' : isOperator(token, ')')) open -= 1;
      return open === 0;
    });
    this.step();
    return body.slice(1);
  }

  end(): void {
    this.#at = this.#tokens.length;
  }
}

export function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}
