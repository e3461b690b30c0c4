/** `npm run --silent explain -- LOG...`: what happened in a log, for people or as JSON. See src/explain/arguments.ts. */

import { explain } from './explain/command.ts';
import { standardInput } from './explain/open-log.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Who reads the output has seen enough, as `head` does.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output could not be written (${error.message}); is the disk full?\n`);
  process.exit(1);
});

process.exitCode = await explain(process.argv.slice(2), {
  stdin: standardInput(),
  folder: (process.env.npm_lifecycle_event === 'explain' ? process.env.INIT_CWD : undefined) ?? process.cwd(),
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
});
