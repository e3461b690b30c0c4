/** What a file holds, told from its first bytes and never from its name. */

export type Contents =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; readonly mark: number }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'other'; readonly what: string; readonly instead: string };

/** So many bytes are looked at. */
export const HEAD_BYTES = 64 * 1024;

const HOLES = new RegExp(`${String.fromCharCode(0)}{64,}`, 'g');

const A_LOG = 'expected the text of a log';
const MAGIC: readonly { readonly starts: readonly number[]; readonly what: string; readonly instead: string }[] = [
  packed([0x28, 0xb5, 0x2f, 0xfd], 'packed by zstd', 'zstd -dc'),
  packed([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'packed by xz', 'xz -dc'),
  packed([0x42, 0x5a, 0x68], 'packed by bzip2', 'bzip2 -dc'),
  packed([0x04, 0x22, 0x4d, 0x18], 'packed by lz4', 'lz4 -dc'),
  packed([0x50, 0x4b, 0x03, 0x04], 'a zip archive (or a PyTorch checkpoint)', 'unzip -p'),
  packed([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7z archive', '7z x -so'),
  { starts: [0x7f, 0x45, 0x4c, 0x46], what: 'binary: a program (ELF)', instead: A_LOG },
  { starts: [0x89, 0x50, 0x4e, 0x47], what: 'binary: a picture (PNG)', instead: A_LOG },
  { starts: [0xff, 0xd8, 0xff], what: 'binary: a picture (JPEG)', instead: A_LOG },
  { starts: [0x47, 0x47, 0x55, 0x46], what: 'binary: model weights (GGUF)', instead: A_LOG },
  { starts: [0x25, 0x50, 0x44, 0x46, 0x2d], what: 'a PDF', instead: A_LOG },
];

/** `head` begins at the first byte that isn't NUL; `isWhole` where nothing follows it. */
export function contentsOf(head: Uint8Array): Contents {
  if (begins(head, [0x1f, 0x8b, 0x08])) return { kind: 'gzip' };
  if (begins(head, [0xff, 0xfe])) return { kind: 'text', encoding: 'utf-16le', mark: 2 };
  if (begins(head, [0xfe, 0xff])) return { kind: 'text', encoding: 'utf-16be', mark: 2 };
  const known = MAGIC.find(({ starts }) => begins(head, starts));
  if (known !== undefined) return { kind: 'other', what: known.what, instead: known.instead };
  if (isTar(head)) return { kind: 'other', what: 'a tar archive', instead: unpack('tar -xOf FILE LOG') };
  const wide = encodingWithoutMark(head);
  if (wide !== null) return { kind: 'text', encoding: wide, mark: 0 };
  const binary = binaryShare(head);
  if (binary !== null) return { kind: 'other', what: `binary: ${binary}`, instead: A_LOG };
  return { kind: 'text', encoding: 'utf-8', mark: begins(head, [0xef, 0xbb, 0xbf]) ? 3 : 0 };
}

function packed(starts: readonly number[], what: string, command: string) {
  return { starts, what, instead: unpack(`${command} FILE`) };
}

function unpack(command: string): string {
  return `unpack it first: ${command} | npm run --silent explain -- -`;
}

function begins(head: Uint8Array, starts: readonly number[]): boolean {
  return starts.every((byte, index) => head[index] === byte);
}

function isTar(head: Uint8Array): boolean {
  return begins(head.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72]);
}

/** UTF-16 of what is mostly ASCII: each second byte is NUL. */
function encodingWithoutMark(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const even = head.filter((_, index) => index % 2 === 0);
  const odd = head.filter((_, index) => index % 2 === 1);
  if (isHighHalf(odd) && !isBinary(even)) return 'utf-16le';
  return isHighHalf(even) && !isBinary(odd) ? 'utf-16be' : null;
}

function isHighHalf(bytes: Uint8Array): boolean {
  return bytes.length > 0 && count(bytes, isNul) > bytes.length * 0.8;
}

/** In words where the bytes are no text. */
function binaryShare(head: Uint8Array): string | null {
  if (!isBinary(withoutHoles(head))) return null;
  const nuls = count(head, isNul);
  const what = nuls > head.length * 0.1 ? 'NUL' : 'no text';
  const broken = what === 'NUL' ? nuls : brokenBytes(head);
  return `${percent(broken, head)} of its first ${head.length} bytes are ${what}`;
}

/** A log may hold a few broken bytes: writers are killed in the middle of them. */
function isBinary(bytes: Uint8Array): boolean {
  return count(bytes, isNul) > bytes.length * 0.1 || brokenBytes(bytes) > bytes.length * 0.2;
}

/** A host that lost its power, and a log that was cut under its writer, leave long runs of NULs between good lines. */
function withoutHoles(head: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(head).toString('latin1').replace(HOLES, ''), 'latin1');
}

function brokenBytes(bytes: Uint8Array): number {
  const controls = count(bytes, (byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x08, 0x1b].includes(byte));
  return controls + brokenCharacters(bytes);
}

function isNul(byte: number): boolean {
  return byte === 0;
}

/** Bytes that are no UTF-8, of a head that may end in the middle of a character. */
function brokenCharacters(head: Uint8Array): number {
  const text = new TextDecoder('utf-8').decode(head.subarray(0, Math.max(0, head.length - 3)));
  return text.split('\ufffd').length - 1;
}

function count(head: Uint8Array, isWanted: (byte: number) => boolean): number {
  let found = 0;
  for (const byte of head) if (isWanted(byte)) found += 1;
  return found;
}

function percent(part: number, { length }: Uint8Array): string {
  return `${Math.round((part / length) * 100)} %`;
}
