import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import { onTestFinished } from 'vitest';
import { type HostOptions, type RehearsalHost, startHost } from '../../../rehearsal/host/server.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A host that lives as long as the test. */
export async function startTestHost(options: Partial<HostOptions>): Promise<RehearsalHost & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-host-'));
  // What is registered last ends first: the folder goes even where no host came of it.
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const host = await startHost({ scenario: 'good', speed: 100, ...options, folder });
  onTestFinished(() => host.stop());
  return { ...host, folder };
}

export async function connect(host: RehearsalHost, overrides: ConnectConfig = {}): Promise<Client> {
  const key = overrides.password === undefined ? { privateKey: await readFile(host.keyPath) } : {};
  const client = new ssh2.Client();
  onTestFinished(() => {
    client.end();
  });
  await new Promise<void>((resolve, reject) => {
    // Stays: a refused or cut connection may fail once more while it closes.
    client.on('error', reject).once('ready', resolve);
    client.connect({ host: host.address, port: host.port, username: host.user, ...key, ...overrides });
  });
  return client;
}

export function open(client: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
}

export function ended(channel: ClientChannel): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let end: Pick<Ended, 'code' | 'signal'> = { code: null, signal: null };
  channel.on('data', (chunk: Buffer) => stdout.push(chunk));
  channel.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  channel.on('exit', (code: number | null, signal?: string) => {
    end = { code, signal: signal ?? null };
  });
  return new Promise((resolve) => {
    channel.on('close', () =>
      resolve({ ...end, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }),
    );
  });
}

export async function run(client: Client, command: string, stdin = ''): Promise<Ended> {
  const channel = await open(client, command);
  const end = ended(channel);
  channel.end(stdin);
  return end;
}

/** Starts `vllm serve` in the background: its output goes to vllm.log, its exit status to exit, both in the home. */
export async function launch(client: Client, { port, flags = '' }: { port: number; flags?: string }): Promise<void> {
  const spec = '{"method":"dflash","model":"/models/drafter","num_speculative_tokens":15}';
  const words = `serve /models/target --port ${port} --tensor-parallel-size 2 --speculative-config '${spec}' ${flags}`;
  const script = '(vllm "$@" >vllm.log 2>&1 </dev/null; echo $? >exit.new; mv exit.new exit) >/dev/null 2>&1 &';
  await run(client, `sh -c '${script}' vllm ${words}`);
}

/** The text of a file in the home, '' while there is none. */
export function readHome(host: RehearsalHost, name: string): Promise<string> {
  return readFile(join(host.home, name), 'utf8').catch(() => '');
}
