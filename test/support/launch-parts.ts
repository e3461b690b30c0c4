/** The scripts of a launch and a stop, of which a test may run another text. */

import { LAUNCHER } from '../../src/shell/launcher.ts';
import { prefixed, type Script } from '../../src/shell/script.ts';

/** The launch script, the launcher that it starts (with the child in it), or the script of a stop. */
export type Part = 'launch' | 'launcher' | 'void';

export function textOf(script: Script, part: Part): string {
  return part === 'launcher' ? LAUNCHER : script.text;
}

export function withText(script: Script, part: Part, text: string): Script {
  if (part !== 'launcher') return { ...script, text };
  const [before, after] = script.input.split(prefixed(LAUNCHER));
  if (after === undefined) throw new Error('the launcher is not where it was');
  return { ...script, input: before + prefixed(text) + after };
}
