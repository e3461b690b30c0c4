/** `npm run --silent history`: all that is kept of runs that ended, as JSON lines. See src/export-history/arguments.ts. */

import { once } from 'node:events';
import { exportHistory } from './export-history/command.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Who reads the output has seen enough, as `head` does.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output could not be written (${error.message}); is the disk full?\n`);
  process.exit(1);
});

process.exitCode = await exportHistory(process.argv.slice(2), process.env, {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  warn: (text) => process.stderr.write(text),
});
