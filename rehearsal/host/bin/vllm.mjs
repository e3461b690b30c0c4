/** The stand-in for `vllm`: logs, processes and answers as vLLM has them since 0.20; what happens is the host's scenario. */
import { parseCommand, UsageError } from '../stand-in/arguments.mjs';
import { onOwnerGone } from '../stand-in/owner.mjs';
import { createPace } from '../stand-in/pace.mjs';
import { replay } from '../stand-in/replay.mjs';
import { Server } from '../stand-in/server.mjs';
import { usualServing } from '../stand-in/serving.mjs';
import { appendStart, readScenario } from '../stand-in/state.mjs';
import { installedVersion } from '../stand-in/version.mjs';

const folder = process.env.REHEARSAL_HOST;
if (folder === undefined) {
  console.error('REHEARSAL_HOST is not set: run this through the bin folder of a rehearsal host.');
  process.exit(2);
}
// A reader that went away is no reason to end: a log's owner may close it at any time.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const argv = process.argv.slice(2);
appendStart(folder, 'vllm', argv);

try {
  const command = parseCommand(argv);
  if (command.kind === 'version') {
    process.stdout.write(`${installedVersion(folder)}\n`);
  } else {
    await serve(command.args);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function serve(args) {
  const scenario = readScenario(folder);
  const pace = createPace(scenario.speed);
  const { silence } = scenario;
  const { run, serving } = await import(`../scenarios/${scenario.scenario}.mjs`);
  const isQuiet = scenario.replay !== null;
  const server = new Server({ args, folder, pace, silence, isQuiet, serving: { ...usualServing, ...serving } });
  onOwnerGone(folder, () => void server.exit(1));
  return isQuiet ? replay(server, scenario.replay) : run(server);
}
