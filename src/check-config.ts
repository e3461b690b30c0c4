/** `npm run check-config [-- FILE]`: exit 0 and a summary, 1 and the mistakes, 2 on misuse. Starts nothing and connects nowhere. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readEnvironment } from './config/environment.ts';
import { readConfig } from './config/load.ts';
import { renderSummary } from './config/summary.ts';
import { ConfigError } from './errors.ts';

const USAGE = `Usage: npm run check-config [-- [--without-secrets] [FILE]]
  FILE               the file to check (default: VIGIL_CONFIG, else ./vigil.yaml)
  --without-secrets  don't ask that the variables behind {secret: NAME} are set here
`;

process.exitCode = main(process.argv.slice(2), process.env);

function main(words: string[], variables: NodeJS.ProcessEnv): number {
  const asked = readArguments(words);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  try {
    const path = asked.file ?? readEnvironment(variables).configPath;
    const config = readConfig(path, { variables, missing: asked.withoutSecrets ? 'empty' : 'mistake' });
    process.stdout.write(renderSummary(path, config, existsSync));
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const count = error.mistakes.length;
    process.stderr.write(`${error.message}\n${count} mistake${count === 1 ? '' : 's'}.\n`);
    return 1;
  }
}

/** What was asked, or what is wrong with it. */
function readArguments(words: string[]): { file: string | undefined; withoutSecrets: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { 'without-secrets': { type: 'boolean', default: false } },
    });
    if (positionals.length > 1) return `found ${positionals.length} files, expected one at most`;
    return { file: positionals[0], withoutSecrets: values['without-secrets'] };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
