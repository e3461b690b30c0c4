// @ts-check
/**
 * Makes a clone ready for `npm run demo` or `npm test`: dependencies, Redis, and for the tests sshd, Chromium and some small programs.
 * Says each thing that it does in one line and is silent when all is there. Plain Node: it runs before `npm ci` has.
 */
import { prepare } from './prepare/all.mjs';
import { PreparationFailed } from './prepare/failed.mjs';
import { thisMachine } from './prepare/machine.mjs';

const purpose = process.argv[2];
if (purpose !== 'demo' && purpose !== 'test') {
  console.error(
    `usage: node scripts/prepare.mjs demo|test (found ${purpose === undefined ? 'nothing' : `"${purpose}"`})`,
  );
  process.exit(2);
}

try {
  await prepare(purpose, thisMachine());
} catch (error) {
  if (!(error instanceof PreparationFailed)) throw error;
  console.error(`prepare: ${error.message}`);
  process.exitCode = error.exitCode;
}
