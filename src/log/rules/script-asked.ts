/** What run scripts print that ask and answer in one line: "up? no (20 s)", "target ready? yes, after 76 s". */

import { pidIn, readyIn } from './script-ready.ts';
import { waiting } from './script-wait.ts';
import { NAME, PLACE, secondsTaken } from './script-words.ts';
import { type TrainingRule, when } from './training-rule.ts';

/** Spelt out with their marks: rows are found by words of three letters. */
const QUESTION = ['up', 'ready', 'there', 'alive', 'healthy', 'reachable', 'listening', 'answering', 'bereit']
  .flatMap((word) => [`${word}\\?`, `${word}:`, `${word}=`, `${word} yet\\?`, `${word} now\\?`])
  .join('|');
/** Of the target by its name, or of nobody else. */
const ASKED = `^(?!\\+|echo )(?:(?:[^?]{0,60}[ :>|([])?(${NAME})${PLACE}[:,]? (?:is |it )?|(?:(?:and|is|are|it|now|still) ){0,3})(?:${QUESTION}) ?(?:[-=:.>→…]{1,4} ?)?`;

export const SCRIPT_ASKED_RULES: readonly TrainingRule[] = [
  {
    sample: 'target up? yes, after 76 s',
    pattern: new RegExp(`${ASKED}(?:(?:yes|yep|yup|ja|oui|s[ií]|ok|true|200)(?![\\w-])|[✓✔✅])`, 'i'),
    unless: /\bbut\b/i,
    only: 'line',
    find: ({ 0: { length }, 1: name, input = '' }) => {
      const found = [...readyIn(secondsTaken(input.slice(length))), ...pidIn(input)];
      return name === undefined ? when('awaited', found) : found;
    },
  },
  {
    sample: 'target up? no (20 s)',
    pattern: new RegExp(`${ASKED}(?:(?:no|nope|not yet|nein|noch nicht|non|false|000|40\\d|50\\d)(?!\\w)|[✗✘❌])`, 'i'),
    unless: /\b(?:giv(?:e|es|ing) up|gave up|abort\w{0,3}|exit\w{0,3})\b/i,
    only: 'line',
    find: ({ 0: { length }, 1: name, input = '' }) => {
      const found = waiting(input.slice(length));
      return name === undefined ? when('awaited', found) : found;
    },
  },
];
