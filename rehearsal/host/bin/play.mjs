/** What a training script is while a log is replayed: plays the run.log to its output and the target's log beside it. */
import { onOwnerGone } from '../stand-in/owner.mjs';
import { createPace } from '../stand-in/pace.mjs';
import { replay } from '../stand-in/replay.mjs';
import { readScenario } from '../stand-in/state.mjs';
import { openAside } from '../trainer/aside.mjs';

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const folder = process.env.REHEARSAL_HOST;
const { replay: played, speed } = readScenario(folder);
onOwnerGone(folder, () => process.exit(1));
const aside = played.aux === null ? null : openAside(played.aux);
const pace = createPace(speed);
const never = async () => undefined;
const player = { pace, claimPort: never, listen: never, exit: (code) => process.exit(code) };
await replay(player, { log: played.log, exit: played.exit, onShare: (share) => aside?.playTo(share) });
