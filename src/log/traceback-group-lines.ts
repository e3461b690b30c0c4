/** How CPython draws exception groups: a bar before each line, a rule before each sub-exception, two columns further in at each level. */

/** A line of an exception group: `text` without the bar that stands `margin` columns in, or a rule between sub-exceptions. */
export interface GroupLine {
  readonly margin: number;
  readonly text: string;
  readonly rule: 'first' | 'next' | 'end' | null;
}

const HEAD = /^ +\+ Exception Group Traceback \(most recent call last\):$/;
const BAR = /^( {2,200})\|(?: (.*))?$/;
const RULE = /^( {2,200})\+(-\+)?-{16,40}( (?:\d+|\.\.\.) -{16})?$/;

/** null where the line is none. `isInside`: a group is open, else only a group's head counts. */
export function groupLineOf(text: string, isInside: boolean): GroupLine | null {
  if (HEAD.test(text)) {
    const margin = text.indexOf('+');
    return { margin, text: text.slice(margin + 2), rule: null };
  }
  if (!isInside || !text.startsWith('  ')) return null;
  const bar = BAR.exec(text);
  if (bar !== null) return { margin: (bar[1] ?? '').length, text: bar[2] ?? '', rule: null };
  const rule = RULE.exec(text);
  if (rule === null) return null;
  const kind = rule[2] !== undefined ? 'first' : rule[3] !== undefined ? 'next' : 'end';
  return { margin: (rule[1] ?? '').length, text: '', rule: kind };
}
