/** The simple commands of a shell script, roughly: enough to see which programs it names and whether it puts one in the background. */

/** Words of each command (quotes taken off, expansions as written) and whether a `&` ends one of them. */
export function shellCommands(text: string): { readonly commands: readonly string[][]; readonly background: boolean } {
  const commands: string[][] = [[]];
  let background = false;
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null && !isGrammar(word)) commands.at(-1)?.push(word);
    word = null;
  };
  for (const token of text.matchAll(TOKEN)) {
    const { quoted, single, escaped, redirect, amp, end, space, plain } = token.groups ?? {};
    const part = quoted ?? single ?? escaped ?? plain;
    if (part !== undefined) {
      word = `${word ?? ''}${part}`;
      continue;
    }
    endWord();
    if (redirect !== undefined || space !== undefined) continue;
    if (amp !== undefined) background = true;
    if (amp !== undefined || end !== undefined) commands.push([]);
  }
  endWord();
  return { commands: commands.filter((words) => words.length > 0), background };
}

/** Order matters: `&&`, `>&`, `&>` and `|&` are not a `&`; a `#` begins a comment only where a word could begin. */
const TOKEN =
  /"(?<quoted>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|\\(?<escaped>.)|(?<redirect>\d*[<>]+&?\d*|&>+)|(?<end>&&|\|\|?&?|[;\n(){}`]|(?<=^|\s)#[^\n]*)|(?<amp>&)|(?<space>\s+)|(?<plain>[^\s"'\\<>&|;(){}`]+)/gs;

function isGrammar(word: string): boolean {
  return /^(?:if|then|else|elif|fi|do|done|while|until|for|!|\$)$/.test(word);
}
