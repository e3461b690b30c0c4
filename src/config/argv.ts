/** A recipe's argv: a list in YAML -> the very words that reach exec. */

import type { Tree } from './document.ts';
import { toJson } from './json-argument.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';

/** Linux's MAX_ARG_STRLEN: one word of argv, or NAME=value, with its closing NUL (execve(2)). */
const MAX_WORD_BYTES = 128 * 1024;

/** Words byte for byte: a scalar is one word as typed, a map is one JSON argument. Mistakes are added; the words stand where they can. */
export function readArgv(tree: Tree | null, path: Path, mistakes: Mistakes): readonly string[] {
  if (tree?.kind !== 'list' || tree.items.length === 0) {
    mistakes.addExpected(path, 'a list of words, the program first; write argv: [vllm, serve, MODEL, …]');
    return [];
  }
  const words = tree.items.map((item, index) => readWord(item, [...path, index], mistakes));
  const [program] = tree.items;
  if (program?.kind !== 'scalar' || program.text === '') {
    mistakes.addExpected([...path, 0], 'the program; write its name or path as the first word');
  }
  return words;
}

function readWord(tree: Tree, path: Path, mistakes: Mistakes): string {
  if (tree.kind === 'list') {
    const advice = "write its words as elements of argv, or a JSON list as quoted text: '[1, 2]'";
    mistakes.add(path, `found a list, expected a word or a map; ${advice}`);
    return '';
  }
  if (tree.kind === 'map') {
    const word = toJson(tree, path, mistakes);
    refuseFlagAsKey(tree, path, mistakes);
    refuseUnusable(word, path, mistakes);
    return word;
  }
  refuseUnusable(tree.text, path, mistakes);
  const twoWords = tree.isPlain ? /^(?<flag>--?[A-Za-z][\w.-]*)\s+\S/.exec(tree.text)?.groups?.flag : undefined;
  if (twoWords !== undefined) {
    const advice = `write ${twoWords} and its value as two elements, or quote the whole if it is one word`;
    mistakes.add(
      path,
      `found ${showText(tree.text)}, which would be one word with a space in it, expected one word; ${advice}`,
    );
  }
  return tree.text;
}

/** `- --speculative-config: {…}` reads well and means a JSON object with the key "--speculative-config". */
function refuseFlagAsKey(tree: Tree & { kind: 'map' }, path: Path, mistakes: Mistakes): void {
  const flag = tree.entries.find((entry) => entry.key.startsWith('-'));
  if (flag === undefined) return;
  const advice = `write - ${flag.key.split(/[=:]/, 1)[0]} as one element and its value as the next`;
  mistakes.add(path, `found a map with the flag ${showText(flag.key)} as its key, expected a word or a map; ${advice}`);
}

/** What no process can be given as one word. */
export function refuseUnusable(word: string, path: Path, mistakes: Mistakes): void {
  if (word.includes('\0')) mistakes.add(path, 'found a NUL byte, expected text without one; remove \\0');
  if (/\p{Surrogate}/u.test(word)) {
    mistakes.add(
      path,
      'found half a surrogate pair (\\ud800–\\udfff), expected Unicode text; write the character itself',
    );
  }
  const bytes = Buffer.byteLength(word) + 1;
  if (bytes <= MAX_WORD_BYTES) return;
  const expected = `at most ${MAX_WORD_BYTES - 1} (Linux takes no longer argument); put it in a file on the host`;
  mistakes.add(path, `found ${bytes - 1} bytes, expected ${expected}`);
}
