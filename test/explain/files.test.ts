import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { objectsOf, runExplain } from './run-explain.ts';

const folder = makeFolder('explain');
const START = 'INFO 05-20 14:15:53 [api_server.py:1834] vLLM API server version 0.20.1\n';
const READY = `${START}INFO:     Application startup complete.\n`;

function write(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}

async function told(...words: string[]) {
  const said = await runExplain(['--json', ...words], { folder });
  return { code: said.code, told: objectsOf(said) };
}

describe('files', () => {
  it('are told one by one: what can not be read is an error beside the others', async () => {
    const said = await told(write('a.log', READY), 'none.log', write('b.log', START));
    expect(said).toMatchObject({
      code: 1,
      told: [
        { file: 'a.log', verdict: 'ready' },
        { file: 'none.log', error: expect.stringContaining('no such file') },
        { file: 'b.log', verdict: 'starting' },
      ],
    });
  });

  it('that can not be read are named on stderr for people', async () => {
    const said = await runExplain(['none.log', 'a.log'], { folder });
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/^none\.log: there is no such file/);
    expect(said.out).toMatch(/^a\.log: a server's log/);
  });

  it('a folder is named as one', async () => {
    mkdirSync(join(folder, 'logs'));
    expect(await told('logs')).toMatchObject({ code: 1, told: [{ error: expect.stringContaining('a folder') }] });
  });

  it('a device that never ends is not read', async () => {
    expect(await told('/dev/zero')).toMatchObject({ code: 1, told: [{ error: expect.stringContaining('a device') }] });
  });

  it('an empty log is one of a process that has said nothing', async () => {
    write('empty.log', '');
    expect(await told('empty.log')).toMatchObject({ code: 0, told: [{ verdict: 'starting', phases: [], lines: 0 }] });
    expect(await told('--exited', '-9', 'empty.log')).toMatchObject({ told: [{ verdict: 'failed', exit_code: -9 }] });
    expect((await runExplain(['empty.log'], { folder })).out).toContain('Note: the log is empty.');
  });

  it('binary ones are named, never read as a log', async () => {
    const said = await told('/bin/sh', write('nuls.log', Buffer.alloc(200_000)));
    expect(said).toMatchObject({
      code: 1,
      told: [
        { error: expect.stringContaining('binary: a program') },
        { error: expect.stringContaining('200000 bytes are NUL') },
      ],
    });
  });

  it('a log that was truncated under its writer begins with NULs and is none of them', async () => {
    const name = write('sparse.log', '');
    truncateSync(join(folder, name), 3_000_000);
    writeFileSync(join(folder, name), READY, { flag: 'a' });
    expect(await told(name)).toMatchObject({ code: 0, told: [{ verdict: 'ready', lines: 2 }] });
  });

  it('holes of NULs in the middle are passed over', async () => {
    const name = write('holes.log', `${START}${'\0'.repeat(100_000)}INFO:     Application startup complete.\n`);
    expect(await told(name)).toMatchObject({ code: 0, told: [{ verdict: 'ready', lines: 2 }] });
  });

  it('are found though their names are no UTF-8, unless two could be meant', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), READY);
    expect(await told('caf\ufffd')).toMatchObject({ code: 0, told: [{ verdict: 'ready' }] });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe8])]), START);
    expect(await told('caf\ufffd')).toMatchObject({
      code: 1,
      told: [{ error: expect.stringContaining('no such file') }],
    });
  });

  it('text that is no log is doubted', async () => {
    const said = await runExplain([write('poem.txt', 'Wanderers Nachtlied\n')], { folder });
    expect(said.out).toContain('is it their log?');
  });

  it('of Windows are read: UTF-16 with its mark', async () => {
    const name = write('utf16.log', Buffer.from(`\ufeff${READY.replaceAll('\n', '\r\n')}`, 'utf16le'));
    expect(await told(name)).toMatchObject({ code: 0, told: [{ verdict: 'ready', lines: 2 }] });
  });
});

describe('gzip', () => {
  it('is told by its bytes, and all of its members are read', async () => {
    const name = write('rotated.log', Buffer.concat([gzipSync(START), gzipSync(READY.slice(START.length))]));
    expect(await told(name)).toMatchObject({ code: 0, told: [{ verdict: 'ready', lines: 2 }] });
  });

  it('that ends too early is explained as far as it goes', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `INFO 05-20 14:15:53 [x.py:1] ${index * 7919}\n`).join('');
    const packed = gzipSync(`${READY}${lines}`);
    const said = await told(write('cut.log.gz', packed.subarray(0, packed.length / 2)));
    expect(said).toMatchObject({
      code: 0,
      told: [{ verdict: 'ready', notices: [expect.stringContaining('gzip'), 'the gzip file ends too early'] }],
    });
  });

  it('that is broken or holds no text is said to be so', async () => {
    const broken = gzipSync(READY.repeat(100)).fill(0x55, 40);
    const said = await told(write('broken.gz', broken), write('zeros.gz', gzipSync(Buffer.alloc(1000))), 'a.log');
    expect(said.code).toBe(1);
    expect(JSON.stringify(said.told[0])).toContain('the gzip file is broken');
    expect(said.told[1]).toMatchObject({ error: expect.stringContaining('NUL') });
  });
});

describe('the command', () => {
  const command = ['--import', 'tsx', 'src/explain.ts'];

  it('reads standard input, and a pipe as a file', () => {
    const piped = spawnSync('node', [...command, '--json', '-'], { input: READY, encoding: 'utf8' });
    expect({ status: piped.status, out: JSON.parse(piped.stdout) }).toMatchObject({
      status: 0,
      out: { file: '-', verdict: 'ready' },
    });
    const fifo = spawnSync('bash', ['-c', `node ${command.join(' ')} --json <(cat ${join(folder, 'a.log')})`], {
      encoding: 'utf8',
    });
    expect({ status: fifo.status, out: JSON.parse(fifo.stdout) }).toMatchObject({
      status: 0,
      out: { verdict: 'ready' },
    });
  });

  it('exits with 2 and its usage on misuse, with 0 when it is asked for help', () => {
    const wrong = spawnSync('node', [...command, '--jsno', 'a.log'], { encoding: 'utf8' });
    expect(wrong).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^found the unknown option --jsno.*\nUsage: npm run/),
    });
    const help = spawnSync('node', [...command, '--help'], { encoding: 'utf8' });
    expect(help).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('Exit code: 0 all files were read'),
    });
  });

  it('begins relative paths where the person stands, not in the package', () => {
    const words = ['--prefix', process.cwd(), 'run', '--silent', 'explain', '--', '--json', 'a.log'];
    const said = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
    expect(said.stderr).toBe('');
    expect(said.stdout).toContain('"verdict":"ready"');
  });

  it('says so when its output has no place', () => {
    const full = spawnSync('bash', ['-c', `node ${command.join(' ')} ${join(folder, 'a.log')} >/dev/full`], {
      encoding: 'utf8',
    });
    expect(full).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The output could not be written \(ENOSPC/),
    });
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const child = spawn('node', [...command, ...Array.from({ length: 300 }, () => join(folder, 'a.log'))]);
    let err = '';
    child.stderr.on('data', (bytes) => {
      err += String(bytes);
    });
    child.stdout.once('data', () => child.stdout.destroy());
    await new Promise((done) => child.once('close', done));
    expect({ err, signal: child.signalCode }).toEqual({ err: '', signal: null });
  });
});
