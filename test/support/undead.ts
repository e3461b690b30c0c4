/** A process whose first thread has ended while another waits on: a zombie by its state, and not dead. Runs on x86-64 only. */

import { writeFileSync } from 'node:fs';

/** Writes the program: clone(VM|FS|FILES|SIGHAND|THREAD), then exit of the one and pause of the other thread, with no library around. */
export function writeUndead(path: string): void {
  const code = Buffer.from(
    'b838000000bf000f0100488db42400f0ffff31d24d31d24d31c00f0585c07409b83c00000031ff0f05b8220000000f05ebf7',
    'hex',
  );
  const elf = Buffer.alloc(120);
  elf.write('7f454c4602010100', 0, 'hex');
  elf.writeUInt16LE(2, 16); // an executable
  elf.writeUInt16LE(62, 18); // for x86-64
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BASE + 120n, 24); // where it begins
  elf.writeBigUInt64LE(64n, 32); // the one program header, right behind
  elf.writeUInt16LE(64, 52);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(1, 56);
  elf.writeUInt32LE(1, 64); // load
  elf.writeUInt32LE(5, 68); // to be read and executed
  elf.writeBigUInt64LE(BASE, 80);
  elf.writeBigUInt64LE(BASE, 88);
  elf.writeBigUInt64LE(BigInt(120 + code.length), 96);
  elf.writeBigUInt64LE(BigInt(120 + code.length), 104);
  elf.writeBigUInt64LE(4096n, 112);
  writeFileSync(path, Buffer.concat([elf, code]), { mode: 0o755 });
}

const BASE = 0x400000n;
