import { mkdir } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { acceptOnly } from './authentication.ts';
import { serveByHand, trainByHand } from './by-hand.ts';
import { endLeftovers } from './disk/leftovers.mjs';
import { type LayOutOptions, layOut, readStarts, type Start, writeScenario } from './folder.ts';
import { forwardToLoopback, forwardToSocketFile } from './forwarding.ts';
import { makeKeys, writeKnownHosts } from './keys.ts';
import { type Occupant, occupy } from './occupant.ts';
import { endProcesses } from './processes.ts';
import { serveSession } from './session.ts';

export interface HostOptions extends LayOutOptions {
  /** The port on 127.0.0.1; by default a free one. */
  readonly port?: number;
}

export interface RehearsalHost {
  readonly address: '127.0.0.1';
  readonly port: number;
  readonly user: string;
  readonly keyPath: string;
  readonly knownHostsPath: string;
  readonly bin: string;
  readonly home: string;
  /** The stand-in's own ledger: one entry for each `vllm` and each `torchrun` that ran. */
  starts(): Promise<Start[]>;
  /** For the starts from now on (a replay ends with it); servers that already run keep theirs. The disk is made anew. */
  setScenario(name: string, options?: Pick<LayOutOptions, 'silence'>): Promise<void>;
  /** Somebody starts ~/dflash/train.sh in a shell of the host; resolves when it has ended. */
  trainByHand(port: number): Promise<void>;
  /** Somebody starts a server in a shell of the host, with its log at ~/logs/NAME; resolves with its pid. */
  serveByHand(port: number, name: string): Promise<number>;
  /** Somebody's process takes `mib` of a GPU, as nvidia-smi shows it by the name `title`; it ends with the host at the latest. */
  occupy(what: { readonly gpu: number; readonly mib: number; readonly title: string }): Promise<Occupant>;
  /** Cuts every SSH connection like a network failure; processes go on, new connections are taken. */
  dropConnections(): void;
  /** Ends the server and every process that was started through it, by pid. */
  stop(): Promise<void>;
}

const user = 'rehearsal';

/**
 * A GPU host to rehearse on: an SSH server on loopback that takes only a key made for it and runs each exec as a real
 * local process, with stand-ins for `vllm` and `nvidia-smi` first on the PATH. A folder can be used again: its keys stay.
 */
export async function startHost(options: HostOptions): Promise<RehearsalHost> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const layout = await layOut(options);
  const keys = await makeKeys(join(options.folder, 'keys'));
  const sockets = new Set<Socket>();

  const ssh = new ssh2.Server({ hostKeys: [keys.hostPrivate] }, (client) => {
    // A connection that is cut mid-way is a rehearsed event, not a fault of this server.
    client.on('error', () => undefined);
    client.on('authentication', acceptOnly({ user, publicKey: keys.userPublic }));
    client.on('session', (accept) => serveSession(accept(), { layout, user }));
    client.on('tcpip', forwardToLoopback);
    client.on('openssh.streamlocal', forwardToSocketFile);
    // sshd, too, answers keepalive@openssh.com by a failure: any answer proves life.
    client.on('request', (_accept, reject) => reject?.());
  });

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    ssh.injectSocket(socket);
  });
  const port = await listen(listener, options.port ?? 0);
  const knownHostsPath = await writeKnownHosts(join(options.folder, 'known_hosts'), port, keys.hostPublic);

  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const cards = options.gpus === undefined ? {} : { gpus: options.gpus };
  return {
    address: '127.0.0.1',
    port,
    user,
    keyPath: keys.userPath,
    knownHostsPath,
    bin: layout.bin,
    home: layout.home,
    starts: () => readStarts(layout),
    setScenario: (scenario, { silence = options.silence } = {}) =>
      writeScenario(layout, {
        ...cards,
        ...(silence === undefined ? {} : { silence }),
        scenario,
        speed: options.speed,
      }),
    trainByHand: (port) => trainByHand({ layout, user, port }),
    serveByHand: (port, name) => serveByHand({ layout, user, port, name }),
    occupy: (what) => occupy({ layout, user }, what),
    dropConnections,
    stop: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      dropConnections();
      await closed;
      await endLeftovers(layout.folder);
      await endProcesses(options.folder);
    },
  };
}

function listen(listener: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', () => {
      const address = listener.address();
      if (address === null || typeof address === 'string') return reject(new Error('the SSH server has no TCP port'));
      return resolve(address.port);
    });
  });
}
