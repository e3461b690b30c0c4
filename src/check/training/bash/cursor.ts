/** A place in a text that is read from left to right, each character once. */

export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(offset = 0): string {
    return this.text[this.at + offset] ?? '';
  }

  startsWith(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  /** Takes `word` where it stands next. */
  skip(word: string): boolean {
    if (!this.startsWith(word)) return false;
    this.at += word.length;
    return true;
  }

  /** What a sticky pattern fits here, taken; null where it doesn't. */
  take(sticky: RegExp): string | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found === undefined || found === '') return null;
    this.at += found.length;
    return found;
  }

  /** Up to `end`, which is taken too; to the text's end where there is none. */
  until(end: string): string {
    const found = this.text.indexOf(end, this.at);
    const stop = found === -1 ? this.text.length : found;
    const taken = this.text.slice(this.at, stop);
    this.at = Math.min(this.text.length, stop + end.length);
    return taken;
  }
}
