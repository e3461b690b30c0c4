/** `npm run trust-host HOST`: shows a host's key, and adds it to known_hosts once somebody has compared it. See src/trust-host/arguments.ts. */

import { createInterface } from 'node:readline';
import { trustHost } from './trust-host/command.ts';

process.exitCode = await trustHost(process.argv.slice(2), process.env, {
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  // Ctrl-C and Ctrl-D close the line: no answer.
  ask: (question) =>
    new Promise((resolve) => {
      const line = createInterface({ input: process.stdin, output: process.stdout });
      line.once('close', () => resolve(''));
      line.question(question, (answer) => {
        resolve(answer);
        line.close();
      });
    }),
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
});
