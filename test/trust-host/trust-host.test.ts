import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { trustHost } from '../../src/trust-host/command.ts';
import { makeFolder } from '../support/folder.ts';
import { type SshClient, useSshClient } from '../support/ssh-client.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

const folder = makeFolder('trust');
const config = join(folder, 'vigil.yaml');
let client: SshClient;
let gate: Sshd;
let gpu: Sshd;
let file: string;
let number = 0;

beforeAll(async () => {
  client = await useSshClient(folder);
  [gate, gpu] = await Promise.all([startSshd({ name: 'gate' }), startSshd({ name: 'gpu' })]);
});

afterAll(() => Promise.all([gate.stop(), gpu.stop()]));

/** A known_hosts file that isn't there yet, in a folder that isn't either. */
beforeEach(() => {
  number += 1;
  file = join(folder, String(number), 'known_hosts');
});

afterEach(() => client.configure(''));

const printOf = ({ folder: keys }: Sshd) =>
  execFileSync('ssh-keygen', ['-lf', join(keys, 'host.pub')], { encoding: 'utf8' }).split(' ')[1] ?? '';

/** What ssh itself finds in the file for the host. */
function keysFor(sshd: Sshd): string {
  const { stdout } = spawnSync('ssh-keygen', ['-F', `[127.0.0.1]:${sshd.port}`, '-f', file], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => row.split(' ').slice(1, 3).join(' '))
    .join('\n');
}

const publicKey = async ({ folder: keys }: Sshd) =>
  (await readFile(join(keys, 'host.pub'), 'utf8')).split(' ').slice(0, 2).join(' ');

function entry({ host: { connect } }: Sshd, more: Record<string, unknown> = {}): Record<string, unknown> {
  if (connect.kind !== 'address') throw new Error('a host with an address');
  const { address, port, user, key } = connect;
  return { address, port, user, key, known_hosts: file, channel: 'C0GPU', ...more };
}

/** Runs the command against these hosts; `answer` is what a person types, null: nobody is there. */
async function trust(words: readonly string[], hosts: Record<string, unknown>, answer: string | null = null) {
  const recipes = { r: { argv: ['vllm'], gpus: '1', environment: { K: { secret: 'NOT_SET' } } } };
  await writeFile(config, stringify({ instance: 'vigil', hosts, recipes }));
  let told = '';
  const questions: string[] = [];
  const write = (text: string) => {
    told += text;
  };
  const code = await trustHost(
    words,
    { VIGIL_CONFIG: config },
    {
      isInteractive: answer !== null,
      ask: async (question) => {
        questions.push(question);
        return answer ?? '';
      },
      write,
      warn: write,
    },
  );
  return { code, told: told.replaceAll(folder, 'FOLDER'), questions };
}

test('a key that a person has compared is added, for its owner only, and then there is nothing to do', async () => {
  const hosts = { gpu: entry(gpu) };
  const first = await trust(['gpu'], hosts, 'yes');
  expect(first.told).toBe(
    [
      `gpu (127.0.0.1, port ${gpu.port})`,
      `  shows  ${printOf(gpu)} (ssh-ed25519)`,
      `  known  no key for [127.0.0.1]:${gpu.port} in FOLDER/${number}/known_hosts`,
      `  added to FOLDER/${number}/known_hosts`,
      '',
    ].join('\n'),
  );
  expect(first.code).toBe(0);
  expect(keysFor(gpu)).toBe(await publicKey(gpu));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  const second = await trust(['gpu'], hosts, 'yes');
  expect(second).toMatchObject({ code: 0, questions: [] });
  expect(second.told).toContain('known  yes: nothing to do');
  expect(await readFile(file, 'utf8')).toBe(text);
});

test.each(['no', 'y', '', 'YES'])('the answer %j adds nothing', async (answer) => {
  const { code, told } = await trust(['gpu'], { gpu: entry(gpu) }, answer);
  expect(code).toBe(1);
  expect(told).toContain('Nothing was added.');
  await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
});

test('a script says the fingerprint that was compared; without it, and with another, nothing is added', async () => {
  const hosts = { gpu: entry(gpu) };
  const alone = await trust(['gpu'], hosts);
  expect(alone.code).toBe(1);
  expect(alone.told).toContain(
    `nobody is there to ask. Compare the fingerprint with the owner's, then run: npm run trust-host -- gpu --yes ${printOf(gpu)}`,
  );
  const wrong = await trust(['gpu', '--yes', printOf(gate)], hosts);
  expect(wrong.code).toBe(1);
  expect(wrong.told).toContain(`gpu shows ${printOf(gpu)}, expected was ${printOf(gate)} (--yes)`);
  expect(keysFor(gpu)).toBe('');
  expect((await trust(['gpu', '--yes', printOf(gpu)], hosts)).code).toBe(0);
  expect(keysFor(gpu)).toBe(await publicKey(gpu));
});

test('jump hosts come first: each unknown key on the way is asked about', async () => {
  const hosts = { gpu: entry(gpu, { jump: 'gate' }), gate: entry(gate) };
  const half = await trust(['gpu', '--yes', printOf(gate)], hosts);
  expect(half.code).toBe(1);
  expect(half.told).toContain(`  added to FOLDER/${number}/known_hosts\ngpu (127.0.0.1`);
  const rest = await trust(['gpu'], hosts, 'yes');
  expect(rest).toMatchObject({ code: 0, questions: [expect.stringContaining('Type yes')] });
  expect([keysFor(gate), keysFor(gpu)]).toEqual([await publicKey(gate), await publicKey(gpu)]);
});

test('the way of an alias is gone too, and names are hidden where ~/.ssh/config wants that', async () => {
  const more = (sshd: Sshd) =>
    `HostName 127.0.0.1\nPort ${sshd.port}\nIdentityFile ${sshd.keyPath}\nUserKnownHostsFile ${file}\nHashKnownHosts yes\n`;
  await client.configure(`Host gpu\n${more(gpu)}ProxyJump gate\nHost gate\n${more(gate)}`);
  const hosts = { kpro5: { alias: 'gpu', channel: 'C0GPU' } };
  const { code, told } = await trust(['kpro5', '--yes', printOf(gate), '--yes', printOf(gpu)], hosts);
  expect(told).toMatch(/^gate \(127\.0\.0\.1.*\n[\s\S]*^kpro5 \(127\.0\.0\.1/m);
  expect(code).toBe(0);
  expect([keysFor(gate), keysFor(gpu)]).toEqual([await publicKey(gate), await publicKey(gpu)]);
  expect(await readFile(file, 'utf8')).not.toContain('127.0.0.1');
});

test('a host that can’t be reached, and a name that isn’t there, are told', async () => {
  const closed = await trust(['gpu'], { gpu: entry(gpu, { port: 1 }) }, 'yes');
  expect(closed.code).toBe(1);
  expect(closed.told).toContain("gpu can't be reached at 127.0.0.1:1");
  const unknown = await trust(['gpo'], { gpu: entry(gpu) });
  expect(unknown.code).toBe(2);
  expect(unknown.told).toContain('did you mean gpu?');
});

test('a file that can’t be written is told with the line that belongs there', async () => {
  const hosts = { gpu: entry(gpu, { known_hosts: `${config}/known_hosts` }) };
  const { code, told } = await trust(['gpu'], hosts, 'yes');
  expect(code).toBe(1);
  expect(told).toContain(`add this line to it yourself:\n[127.0.0.1]:${gpu.port} ${await publicKey(gpu)}\n`);
});

test('a changed key is shown beside the old one, which is replaced; other lines and links stay', async () => {
  const hosts = { gpu: entry(gpu) };
  await trust(['gpu'], hosts, 'yes');
  const old = printOf(gpu);
  const linked = `${file}.linked`;
  await writeFile(linked, `# mine\nother ${await publicKey(gate)}\n${await readFile(file, 'utf8')}`);
  await chmod(linked, 0o644);
  execFileSync('rm', [file]);
  await symlink(linked, file);
  await gpu.changeHostKey();
  const { code, told } = await trust(['gpu'], hosts, 'yes');
  expect(code).toBe(0);
  expect(told).toContain(
    `  shows  ${printOf(gpu)} (ssh-ed25519)\n  known  ${old} (ssh-ed25519; FOLDER/${number}/known_hosts, line 3)\n`,
  );
  expect(told).toContain('either the host was set up anew, or another machine answers in its place');
  expect(told).toContain('the old key of line 3 will be replaced');
  expect(keysFor(gpu)).toBe(await publicKey(gpu));
  expect((await readFile(linked, 'utf8')).split('\n')).toHaveLength(4);
  expect((await stat(linked)).mode & 0o777).toBe(0o600);
});

test('a revoked key is never added', async () => {
  const hosts = { gpu: entry(gpu) };
  await trust(['gpu'], hosts, 'yes');
  await writeFile(file, `@revoked * ${await publicKey(gpu)}\n`);
  const { code, told } = await trust(['gpu', '--yes', printOf(gpu)], hosts);
  expect(code).toBe(1);
  expect(told).toContain('line 1, revokes this key. The host needs a new one');
});

test.each([
  [[], 'found no HOST'],
  [['a', 'b'], 'found b behind HOST'],
  [['a', 'SHA256:x'], 'without --yes, which npm takes for itself; write: npm run trust-host -- HOST --yes SHA256:x'],
  [['a', '--yes', 'SHA256:short'], 'expected a whole fingerprint'],
  [['--nope'], "Unknown option '--nope'"],
])('%j is misuse and ends with 2', async (words, found) => {
  const { code, told } = await trust(words, { gpu: entry(gpu) });
  expect(code).toBe(2);
  expect(told).toContain(found);
  expect(told).toContain('Usage: npm run trust-host HOST');
});

test('the command by itself says what it needs', () => {
  const run = spawnSync('node', ['--import', 'tsx', 'src/trust-host.ts'], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^found no HOST/);
});
