/** A log as its writer and those who rotate it leave it, and what each of its generations held. */

import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** One file from its beginning to its end, or to where it was begun anew. */
export interface Held {
  /** Its file's, and that of the copy that copytruncate made. */
  readonly inodes: readonly string[];
  readonly content: Buffer;
  /** It was cut, deleted, or another file was moved over it: who has not read it yet can't. */
  readonly isGone: boolean;
}

interface Growing {
  inodes: string[];
  pieces: Buffer[];
  length: number;
  isGone: boolean;
}

export class RotatedLog {
  readonly path: string;
  readonly #appends: boolean;
  readonly #generations: Growing[] = [];
  #fd: number;
  /** Of the next byte of a writer that doesn't append. */
  #at = 0;

  constructor(path: string, appends: boolean) {
    this.path = path;
    this.#appends = appends;
    this.#fd = this.#open();
  }

  get generations(): readonly Held[] {
    return this.#generations.map(({ inodes, pieces, isGone }) => ({ inodes, isGone, content: Buffer.concat(pieces) }));
  }

  get size(): number {
    return this.#current.length;
  }

  write(bytes: Buffer): void {
    if (this.#appends) writeSync(this.#fd, bytes);
    else writeSync(this.#fd, bytes, 0, bytes.length, this.#at);
    const current = this.#current;
    if (!this.#appends && this.#at > current.length) this.#grow(Buffer.alloc(this.#at - current.length));
    this.#grow(bytes);
    this.#at += bytes.length;
  }

  truncate(): void {
    truncateSync(this.path, 0);
    this.#current.isGone = true;
    this.#begin();
  }

  copyTruncate(): void {
    this.#makeRoom();
    copyFileSync(this.path, `${this.path}.1`);
    this.#current.inodes.push(inodeOf(`${this.path}.1`));
    this.truncate();
  }

  /** The writer goes on in the renamed file until `reopen`. */
  rename(): void {
    this.#makeRoom();
    renameSync(this.path, `${this.path}.1`);
  }

  /** As `create` of logrotate: an empty file for the writer to open. */
  create(): void {
    appendFileSync(this.path, '');
  }

  reopen(): void {
    closeSync(this.#fd);
    this.#fd = this.#open();
  }

  /** Another file is moved over the log, and the writer goes on there. */
  replace(bytes: Buffer): void {
    writeFileSync(`${this.path}.new`, bytes);
    this.#current.isGone = true;
    renameSync(`${this.path}.new`, this.path);
    this.reopen();
    this.#grow(bytes);
    this.#at = bytes.length;
  }

  delete(): void {
    this.#current.isGone = true;
    rmSync(this.path);
  }

  close(): void {
    closeSync(this.#fd);
  }

  get #current(): Growing {
    const current = this.#generations.at(-1);
    if (current === undefined) throw new Error('the log was never opened');
    return current;
  }

  #open(): number {
    const fd = openSync(this.path, this.#appends ? 'a' : existsSync(this.path) ? 'r+' : 'w');
    this.#begin();
    this.#at = 0;
    return fd;
  }

  #begin(): void {
    this.#generations.push({ inodes: [inodeOf(this.path)], pieces: [], length: 0, isGone: false });
  }

  #grow(bytes: Buffer): void {
    this.#current.pieces.push(bytes);
    this.#current.length += bytes.length;
  }

  /** The older logs move up by one. */
  #makeRoom(): void {
    const name = `${this.path.slice(dirname(this.path).length + 1)}.`;
    const older = readdirSync(dirname(this.path)).filter((file) => file.startsWith(name) && /\.\d+$/.test(file));
    const numbers = older.map((file) => Number(file.slice(name.length))).sort((a, b) => b - a);
    for (const number of numbers) renameSync(`${this.path}.${number}`, `${this.path}.${number + 1}`);
  }
}

function inodeOf(path: string): string {
  return String(statSync(path).ino);
}
