import { afterEach, expect, test, vi } from 'vitest';
import type { Document } from 'yaml';
import type { RehearsalHost } from '../../rehearsal/host/server.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 45_000, interval: 50 };
let theatre: Theatre;
let sshd: Sshd;

afterEach(async () => {
  await theatre?.stop();
  await sshd?.stop();
});

/** The rehearsal's vllm and nvidia-smi behind Debian's sshd: only the way to the host is another. */
function behind({ host }: Sshd): (document: Document, rehearsal: RehearsalHost) => void {
  return (document, rehearsal) => {
    const { connect, stateDir } = host;
    if (connect.kind !== 'address') throw new Error('the test sshd is reached by its address');
    const { address, user, port, key, knownHosts } = connect;
    const change = { address, user, port: String(port), key, known_hosts: [...knownHosts], state_dir: stateDir };
    for (const [name, value] of Object.entries(change)) {
      document.setIn(['hosts', 'kpro5', name], document.createNode(value));
    }
    document.setIn(['recipes', 'dflash', 'argv', 0], `${rehearsal.bin}/vllm`);
    document.setIn(['recipes', 'dflash', 'directory'], rehearsal.home);
    // Nobody but the rehearsal's own server has its nvidia-smi on the PATH: there is none to choose GPUs by.
    document.setIn(['recipes', 'dflash', 'gpus'], document.createNode([0, 1]));
  };
}

test.each([
  ['by forwarding', []],
  ['by curl, where forwarding is forbidden', ['AllowTcpForwarding no']],
])('a launch, its readiness and its stop pass through a real sshd, the server reached %s', async (_, config) => {
  sshd = await startSshd({ config });
  theatre = await openTheatre({ speed: 50, adjust: behind(sshd) });
  const card = (): string | undefined => theatre.threads()[0]?.card;
  await theatre.say('/vllm launch kpro5 dflash');
  const hasBegun = () => (theatre.threads()[0]?.replies.length ?? 0) > 1;
  await vi.waitFor(() => expect([theatre.threads(), theatre.whispers(), sshd.log()]).toSatisfy(hasBegun), PATIENCE);
  await sshd.cutConnections();
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  expect(theatre.reading()).toContain('The listening socket belongs to this run.');
  await theatre.say('/vllm stop last');
  await vi.waitFor(() => expect(card()).toMatch(/^Stopped/), PATIENCE);
  expect(theatre.reading()).toMatch(/All \d+ processes are gone/);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
});
