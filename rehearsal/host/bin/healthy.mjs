/** The stand-in for `curl -sf URL` in a script that waits for its server: status 0 when it answers well, else 1. */
import { isOwnerGone } from '../stand-in/owner.mjs';

const patienceMs = 5_000;

const [url = ''] = process.argv.slice(2);
// Such a script waits for ever; without this it would outlive the rehearsal.
if (isOwnerGone(process.env.REHEARSAL_HOST)) process.kill(process.ppid, 'SIGTERM');
process.exitCode = (await answers(url)) ? 0 : 1;

async function answers(asked) {
  try {
    return (await fetch(asked, { signal: AbortSignal.timeout(patienceMs) })).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}
