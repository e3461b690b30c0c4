// @ts-check
import { fileURLToPath } from 'node:url';

/**
 * The machine that is made ready. Tests hand in a folder as `root` and a PATH of stand-ins.
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} env
 * @property {string} root '/' except in tests: every absolute path below is taken inside it
 * @property {string} platform as process.platform
 * @property {number} uid 0 = root
 * @property {string} repo the clone
 * @property {(line: string) => void} say
 * @property {((question: string) => Promise<boolean>) | null} ask null = nobody is there to ask
 */

/** @returns {Machine} */
export function thisMachine() {
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
  return {
    env: process.env,
    root: '/',
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    repo: fileURLToPath(new URL('../..', import.meta.url)),
    say: (line) => console.log(`prepare: ${line}`),
    ask: isAttended ? askOnTerminal : null,
  };
}

/** @param {string} question */
async function askOnTerminal(question) {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`prepare: ${question} [Y/n] `);
    return /^(y|yes|)$/i.test(answer.trim());
  } catch {
    return false; // Ctrl-C or Ctrl-D at the question: not a yes
  } finally {
    terminal.close();
  }
}
