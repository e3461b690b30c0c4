/** `npm run bench -- reading [--json] [--bytes N]`: how fast and in how much memory; figures, no verdict. Exit code 2 for a wrong call. */

import { parseArgs } from 'node:util';
import { benchReading } from './reading.ts';

const USAGE = `Usage: npm run bench -- reading [--json] [--bytes N]
  reading   the reader against grep on the same made-up log of N bytes (1,000,000,000)`;

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, bytes: { type: 'string', default: '1000000000' } },
  allowPositionals: true,
});
const bytes = Number(values.bytes);
if (positionals.length !== 1 || positionals[0] !== 'reading' || !Number.isSafeInteger(bytes) || bytes < 1) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const { figures, text } = benchReading(bytes);
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : text);
}
