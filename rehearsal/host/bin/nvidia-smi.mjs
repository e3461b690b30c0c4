/** The stand-in for `nvidia-smi`: RTX A6000 cards, used by the living processes of the host's stand-ins. */

import { createCards, cudaVersion, driverVersion, readApps, readCards, UnknownField } from '../stand-in/cards.mjs';
import { renderCsv } from '../stand-in/csv.mjs';
import { readScenario, readServers } from '../stand-in/state.mjs';

const folder = process.env.REHEARSAL_HOST;
if (folder === undefined) {
  console.error('REHEARSAL_HOST is not set: run this through the bin folder of a rehearsal host.');
  process.exit(2);
}
const options = new Map(process.argv.slice(2).map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
const scenario = readScenario(folder);
const { othersMib = [] } = await import(`../scenarios/${scenario.scenario}.mjs`);
const servers = readServers(folder);
// They come while a server loads: before that a launch would be refused for them.
const isOthersTime = scenario.replay === null && servers.some(({ mib }) => mib > 0);
const cards = createCards({ count: scenario.gpus, servers, othersMib: isOthersTime ? othersMib : [] });

try {
  process.stdout.write(answer());
} catch (error) {
  if (!(error instanceof UnknownField)) throw error;
  process.stdout.write(`${error.message}\n`);
  process.exitCode = 2;
}

function answer() {
  if (options.has('-L')) return cards.map((card) => `GPU ${card.index}: ${card.name} (UUID: ${card.uuid})\n`).join('');
  if (options.has('--version'))
    return `NVIDIA-SMI version  : ${driverVersion}\nNVML version        : ${driverVersion.replace(/\.\d+$/, '')}\nDRIVER version      : ${driverVersion}\nCUDA Version        : ${cudaVersion}\n`;
  const format = (options.get('--format') ?? 'csv').split(',');
  const shape = { hasHeader: !format.includes('noheader'), hasUnits: !format.includes('nounits') };
  const gpu = options.get('--query-gpu');
  if (gpu !== undefined) return renderCsv(readCards(cards, gpu.split(',')), shape);
  const apps = options.get('--query-compute-apps');
  if (apps !== undefined) return renderCsv(readApps(cards, apps.split(',')), shape);
  const border = `+${'-'.repeat(89)}+\n`;
  const versions = `NVIDIA-SMI ${driverVersion}`.padEnd(34) + `Driver Version: ${driverVersion}`.padEnd(31);
  const rows = cards.map((card) => {
    const memory = `${card.used}MiB / ${card.total}MiB`;
    return row(
      `${String(card.index).padStart(3)}  ${card.name.padEnd(30)}${memory.padStart(24)}${`${card.utilization}%`.padStart(10)}`,
    );
  });
  return `${border}${row(`${versions}CUDA Version: ${cudaVersion}`)}${border}${rows.join('')}${border}`;
}

function row(text) {
  return `| ${text.padEnd(87)} |\n`;
}
