/** `npm run bench -- WHAT`: how fast, in how much memory, at which cost; figures, no verdict. Exit code 2 for a wrong call. */

import { parseArgs } from 'node:util';
import { benchFollowing } from './following.ts';
import { benchHost } from './host.ts';
import { benchReading } from './reading.ts';
import { benchSlack } from './slack.ts';

const USAGE = `Usage: npm run bench -- reading [--json] [--bytes N]
       npm run bench -- host [--json] [--seconds N] [--processes N]
       npm run bench -- following [--json] [--seconds N]
       npm run bench -- slack [--json] [--seconds N]
  reading   the reader against grep on the same made-up log of N bytes (1,000,000,000)
  host      what the sampler costs a host, for 1, 3 and 8 runs, over N seconds (60) beside N sleeping processes (700, at most 5,000)
  following how soon a line is here, and what following costs a host, over N seconds (60)
  slack     how soon commands are acknowledged, 50 a second over N seconds (10), evenly and in bursts`;

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    bytes: { type: 'string', default: '1000000000' },
    seconds: { type: 'string' },
    processes: { type: 'string', default: '700' },
  },
  allowPositionals: true,
});
const [what] = positionals;
const usual = what === 'slack' ? '10' : '60';
const [bytes, seconds, processes] = [values.bytes, values.seconds ?? usual, values.processes].map(Number) as [
  number,
  number,
  number,
];
const isCount = (value: number, most: number) => Number.isSafeInteger(value) && value >= 1 && value <= most;
if (positionals.length === 1 && what === 'reading' && isCount(bytes, Number.MAX_SAFE_INTEGER)) {
  print(benchReading(bytes));
} else if (positionals.length === 1 && what === 'host' && isCount(seconds, 3600) && isCount(processes, 5000)) {
  print(await benchHost({ seconds, processes }));
} else if (positionals.length === 1 && what === 'following' && isCount(seconds, 3600)) {
  print(await benchFollowing(seconds));
} else if (positionals.length === 1 && what === 'slack' && isCount(seconds, 3600)) {
  print(await benchSlack(seconds));
} else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}

function print({ figures, text }: { figures: unknown; text: string }): void {
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : text);
}
