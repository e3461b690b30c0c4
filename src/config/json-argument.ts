/** A map in argv -> the text of one JSON argument. Numbers keep their very text; quotes in YAML make strings. */

import type { Entry, Tree } from './document.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';

/** Compact JSON (RFC 8259), keys in the order of the file. Scalars that could mean two things are mistakes. */
export function toJson(tree: Tree, path: Path, mistakes: Mistakes): string {
  if (tree.kind === 'list') return `[${tree.items.map((item, i) => toJson(item, [...path, i], mistakes)).join(',')}]`;
  if (tree.kind === 'map') return `{${tree.entries.map((entry) => member(entry, path, mistakes)).join(',')}}`;
  if (!tree.isPlain) return JSON.stringify(tree.text);
  if (JSON_NUMBER.test(tree.text) || JSON_WORD.test(tree.text)) return tree.text;
  const advice = ambiguity(tree.text);
  if (advice !== null) {
    mistakes.add(path, `found ${tree.text === '' ? 'nothing' : showText(tree.text)}, expected a JSON value; ${advice}`);
  }
  return JSON.stringify(tree.text);
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const JSON_WORD = /^(?:true|false|null)$/;

/** `.5`, `08`, `+1`, `1.`, `1_000`, `0x1F`, `.inf`: numbers to people, to other YAML versions or to Python, but not to JSON. */
const NUMBER_LIKE = /^[-+]?(?:(?:\.\d[\d_]*|\d[\d_]*(?:\.\d*)?)(?:[eE][-+]?\d+)?|0[xob][\da-f]+|\.inf|\.nan)$/i;
const WORD_LIKE = /^(?:true|false|null|~)$/i;

function member(entry: Entry, path: Path, mistakes: Mistakes): string {
  return `${JSON.stringify(entry.key)}:${toJson(entry.value, [...path, entry.key], mistakes)}`;
}

/** What to write instead of a plain scalar that could mean two things, or null when it is plainly text. */
function ambiguity(text: string): string | null {
  if (text === '') return 'write null, or "" for the empty text; a key needs a space after its colon';
  const quoted = JSON.stringify(text);
  if (text === '~') return `write null, or ${quoted} for the text`;
  if (WORD_LIKE.test(text)) return `write ${text.toLowerCase()} for the JSON value, or ${quoted} for the text`;
  if (!NUMBER_LIKE.test(text)) return null;
  const number = asJsonNumber(text);
  return number === null
    ? `JSON has no such number: write ${quoted} for the text`
    : `write ${number} for the number, or ${quoted} for the text`;
}

function asJsonNumber(text: string): string | null {
  const bare = text
    .replaceAll('_', '')
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '.0');
  return JSON_NUMBER.test(bare) ? bare : null;
}
