import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import ssh2 from 'ssh2';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startHost } from '../../../rehearsal/host/server.ts';
import { connect, ended, open, run, startTestHost } from './connection.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 30_000 });

describe('who is let in', () => {
  test('the key made for this host is', async () => {
    const host = await startTestHost({});
    const { stdout, code } = await run(await connect(host), 'echo in');
    expect([stdout.toString(), code]).toEqual(['in\n', 0]);
    expect((await stat(host.keyPath)).mode & 0o777).toBe(0o600);
  });

  test('another key, a password and another user are not', async () => {
    const host = await startTestHost({});
    const other = ssh2.utils.generateKeyPairSync('ed25519').private;
    await expect(connect(host, { privateKey: other })).rejects.toThrow(/authentication methods failed/);
    await expect(connect(host, { password: 'x' })).rejects.toThrow(/authentication methods/);
    await expect(connect(host, { username: 'root' })).rejects.toThrow(/authentication methods failed/);
  });

  test('known_hosts holds the key that the host shows', async () => {
    const host = await startTestHost({});
    const shown: string[] = [];
    await connect(host, { hostVerifier: (key: Buffer) => shown.push(key.toString('base64')) > 0 });
    const line = `[127.0.0.1]:${host.port} ssh-ed25519 ${shown[0]}\n`;
    expect(await readFile(host.knownHostsPath, 'utf8')).toBe(line);
  });
});

describe('an exec', () => {
  test('is a real process: bytes in, bytes out, its own exit code and standard error', async () => {
    const client = await connect(await startTestHost({}));
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256)).toString('latin1');
    const { stdout, stderr, code } = await run(client, 'cat; echo told >&2; exit 7', bytes);
    expect(stdout.equals(Buffer.from(bytes))).toBe(true);
    expect([stderr, code]).toEqual(['told\n', 7]);
  });

  test('runs in a session of its own without a terminal, in a home of its own', async () => {
    const host = await startTestHost({});
    const { stdout } = await run(await connect(host), 'pwd; cut -d" " -f6,7 /proc/$$/stat; echo $$; command -v vllm');
    const [home, session, pid, vllm] = stdout.toString().trim().split('\n');
    expect(home).toBe(host.home);
    expect(session).toBe(`${pid} 0`);
    expect(vllm).toBe(`${host.bin}/vllm`);
  });

  test('delivers megabytes whole to a slow reader', async () => {
    const client = await connect(await startTestHost({}));
    const channel = await open(client, 'head -c 12000000 /dev/zero | tr "\\0" x; echo end >&2');
    const end = ended(channel);
    channel.pause();
    await new Promise((resolve) => setImmediate(resolve));
    channel.resume();
    const { stdout, stderr } = await end;
    expect(digest(stdout)).toBe(digest(Buffer.alloc(12_000_000, 'x')));
    expect(stderr).toBe('end\n');
  });

  test('can be sent a signal, and tells which one ended it', async () => {
    const client = await connect(await startTestHost({}));
    const channel = await open(client, 'echo up; sleep 600');
    const end = ended(channel);
    channel.once('data', () => channel.signal('TERM'));
    expect(await end).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  test('outlives its channel and its connection', async () => {
    const host = await startTestHost({});
    const channel = await open(await connect(host), 'echo $$; trap "" PIPE; cat; echo over >over; sleep 600');
    const [pid] = await new Promise<Buffer>((resolve) => channel.once('data', resolve)).then((chunk) => [
      Number(chunk),
    ]);
    host.dropConnections();
    await vi.waitFor(async () => expect(await readFile(`${host.home}/over`, 'utf8')).toBe('over\n'));
    expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
    const again = await run(await connect(host), 'echo again');
    expect(again.stdout.toString()).toBe('again\n');
  });

  test('many run at once over one connection', async () => {
    const client = await connect(await startTestHost({}));
    const ends = await Promise.all(Array.from({ length: 25 }, (_, index) => run(client, `echo ${index}`)));
    expect(ends.map(({ stdout }) => Number(stdout))).toEqual(Array.from({ length: 25 }, (_, index) => index));
  });
});

test('keepalives are answered', async () => {
  let answers = 0;
  const debug = (line: string) => {
    if (line.includes('Received REQUEST_FAILURE')) answers += 1;
  };
  const client = await connect(await startTestHost({}), { keepaliveInterval: 20, keepaliveCountMax: 500, debug });
  await vi.waitFor(() => expect(answers).toBeGreaterThan(4));
  expect((await run(client, 'echo alive')).stdout.toString()).toBe('alive\n');
});

test('forwarding is refused to anything but loopback', async () => {
  const client = await connect(await startTestHost({}));
  await expect(
    new Promise((resolve, reject) => {
      client.forwardOut('127.0.0.1', 0, '192.0.2.1', 80, (error, channel) =>
        error ? reject(error) : resolve(channel),
      );
    }),
  ).rejects.toThrow(/Channel open failure/);
});

test('stop ends every process that was started through the host', async () => {
  const host = await startTestHost({});
  const client = await connect(host);
  const { stdout } = await run(
    client,
    'setsid sh -c "trap \'\' TERM; echo \\$\\$; exec sleep 600 >/dev/null 2>&1"  & sleep 0.2; exit',
  );
  const pid = Number(stdout.toString());
  expect(() => process.kill(pid, 0)).not.toThrow();
  await host.stop();
  await vi.waitFor(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'Z')).toMatch(/Z/));
});

test('a host that starts again in its folder keeps its keys and its ledger', async () => {
  const host = await startTestHost({});
  const client = await connect(host);
  await run(client, 'vllm --version');
  await host.stop();
  const again = await startHost({ folder: host.folder, scenario: 'good', speed: 1, port: host.port });
  onTestFinished(() => again.stop());
  expect((await run(await connect(again), 'echo in')).stdout.toString()).toBe('in\n');
  expect(await again.starts()).toEqual([expect.objectContaining({ argv: ['--version'] })]);
  expect(await readFile(again.knownHostsPath, 'utf8')).toBe(await readFile(host.knownHostsPath, 'utf8'));
});

test('an unknown scenario is refused with the names that there are', async () => {
  await expect(startTestHost({ scenario: 'god' })).rejects.toThrow(
    /no scenario "god"; there are .*crash-after-ready.*good.*oom/,
  );
});

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
