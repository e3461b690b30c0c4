import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { holds } from '../../src/pids.ts';
import { begin } from '../support/processes.ts';
import { findShells } from '../support/shells.ts';
import { hasExited, logOf, NEVER, noted, openStopLab, PATIENT, type Subject } from '../support/stop-lab.ts';

/** Waits for signals, a minute at most. */
const IDLE = 'i=0; while [ $((i += 1)) -lt 600 ]; do sleep 0.1; done';
/** A worker ends well when its server tells it to, and with a traceback when TERM comes from elsewhere. */
const WORKER = `
trap 'echo Traceback of a worker; exit 1' TERM
trap 'exit 0' USR1
echo $$ >$1/$2
${IDLE}
`;
const SERVER = `
$1/worker $1 one & one=$!
$1/worker $1 two & two=$!
trap 'kill -USR1 $one $two; wait $one; wait $two; echo shut down; exit 0' TERM
until [ -s $1/one ] && [ -s $1/two ]; do sleep 0.01; done
echo $$ >$1/up
${IDLE}
`;
/** A rank takes its time to save, and dies of a second TERM. */
const RANK = `
trap 'echo "$2: saving"; trap "echo $2: lost its checkpoint; exit 1" TERM; sleep 1; echo "$2: saved"; exit 0' TERM
sleep 61 &
echo $$ >$1/$2
${IDLE}
`;
const TRAINER = `
setsid $1/rank $1 rank-0 & setsid $1/rank $1 rank-1 &
trap 'wait; exit 1' TERM
echo $$ >$1/up
wait
`;
const STUBBORN = `trap '(trap "" TERM; ${IDLE}) & echo $! >$1/child' TERM; echo $$ >$1/up; ${IDLE}; ${IDLE}`;

/** A process that has left its parent, its session and its environment; it keeps the log open. */
const LOST = `(cd /; exec env -i setsid sh -c '${IDLE}') & echo $! >$1/daemon.pid`;

const GONE = ['proved', 'All N processes are gone.'];
const CLOSED = 'Port N is closed.';

const fileOf = ({ spec }: Subject, name: string): string => join(spec.argv[1] ?? '', name);

// Each stop waits for looks, graces and proofs: all at once.
describe.concurrent.each(findShells().filter(({ name }) => name !== 'bash'))('on a host with $name', async (shell) => {
  const lab = await openStopLab(shell);
  afterAll(() => lab.close());

  test('a server that ends its workers leaves no traceback of theirs', async () => {
    const server = await lab.start({ text: SERVER, others: { worker: WORKER } });
    await noted(server, 'up');
    expect(await lab.stop(server)).toEqual([...GONE, 'Exit code 0.', CLOSED]);
    expect(logOf(server)).toBe('shut down\n');
  });

  test('ranks with sessions of their own save their checkpoint, and their loaders are gone with them', async () => {
    const training = await lab.start({ text: TRAINER, others: { rank: RANK }, kind: 'train' });
    for (const name of ['up', 'rank-0', 'rank-1']) await noted(training, name);
    expect(await lab.stop(training)).toEqual([...GONE, 'Exit code 1.']);
    const said = logOf(training)
      .split('\n')
      .filter((line) => line.startsWith('rank-'));
    expect(said.sort()).toEqual(['rank-0: saved', 'rank-0: saving', 'rank-1: saved', 'rank-1: saving']);
  });

  test('who ignores TERM, and starts another at each, is ended by force', async () => {
    const stubborn = await lab.start({ text: STUBBORN, stopGrace: 0.5 });
    await noted(stubborn, 'up');
    expect(await lab.stop(stubborn)).toEqual([
      ...GONE,
      'TERM was not enough within 0.5 s: N of them were ended by KILL.',
      'Ended by signal 9 (KILL).',
      CLOSED,
    ]);
    expect(existsSync(fileOf(stubborn, 'child'))).toBe(true);
    expect(await lab.host.tree({ ...stubborn.spec, started: stubborn.started }, NEVER)).toEqual([]);
  });
});

/** Those that take long and stand for rare things: `STOPS=all` runs them too. */
const thorough = process.env.STOPS === 'all' ? test : test.skip;

describe('a stop', async () => {
  const [shell] = findShells();
  if (shell === undefined) throw new Error('no shell');
  const lab = await openStopLab(shell);
  afterAll(() => lab.close());
  const exits = (subject: Subject) => vi.waitFor(() => expect(hasExited(subject)).toBe(true), PATIENT);

  test.concurrent('asks the server that a script started, once the script is gone without a word to it', async () => {
    const script = await lab.start({ text: '$1/server $1; true', others: { server: SERVER, worker: WORKER } });
    await noted(script, 'up');
    expect(await lab.stop(script)).toEqual([...GONE, 'Ended by signal 15 (TERM).', CLOSED]);
    expect(logOf(script)).toContain('shut down\n');
    expect(logOf(script)).not.toContain('Traceback');
  });

  test.concurrent('of a start that dies at once ends the worker that still waits for the others', async () => {
    const waiting = `trap '' TERM; echo $$ >$1/up; ${IDLE}`;
    const start = await lab.start({ text: `$1/worker $1 & ${IDLE}`, others: { worker: waiting }, stopGrace: 0.5 });
    const worker = await noted(start, 'up');
    const words = await lab.stop(start);
    expect(words.slice(0, 2)).toEqual(GONE);
    expect(words[3]).toBe('Ended by signal 15 (TERM).');
    expect(await lab.runs([worker])).toBe(false);
  });

  test.concurrent('finds what started before the journal knew it, and makes void what did not', async () => {
    const unknown = await lab.start({ text: IDLE, change: (run) => ({ ...run, started: null }) });
    const [verdict, , exit, port] = await lab.stop(unknown);
    expect([verdict, exit, port]).toEqual(['proved', 'Ended by signal 15 (TERM).', CLOSED]);
    expect(await lab.stop(await lab.attempt())).toEqual([
      'proved',
      'Nothing had been started, and the launch is void on the host.',
    ]);
  });

  test.concurrent('of what ended before says so, and that nobody knows how without an exit record', async () => {
    const ended = await lab.start({ text: 'exit 3' });
    await exits(ended);
    const before = 'The process is gone. It had ended before anything was signalled.';
    expect(await lab.stop(ended)).toEqual(['proved', before, 'Exit code 3.', CLOSED]);
    const killed = await lab.start({ text: IDLE });
    process.kill(killed.started.session, 'SIGKILL');
    process.kill(killed.started.main.pid, 'SIGKILL');
    const words = await lab.stop(killed);
    expect(words[0]).toBe('proved');
    expect(words[2]).toBe('There is no exit record, since its launcher is gone too: how it ended is not known.');
  });

  test('signals nothing after a restart of host or container, whoever has the number now', async () => {
    const stranger = begin('exec sleep 61');
    const change = (part: { bootId?: string; init?: number }) =>
      lab.start({
        text: 'exit 0',
        change: (run) => ({ ...run, started: run.started && { ...run.started, main: stranger, ...part } }),
      });
    const host = await lab.stop(await change({ bootId: 'another' }));
    expect(host[1]).toBe(
      'The host has restarted since the launch (another boot id). Its processes ended with that, and nothing was signalled.',
    );
    const container = await lab.stop(await change({ init: 7 }));
    expect(container[1]).toMatch(/^The container has restarted since the launch/);
    expect([host[0], container[0], await lab.runs([stranger])]).toEqual(['proved', 'proved', true]);
  });

  test('spares a stranger that has the number since', async () => {
    const stranger = begin('exec sleep 61');
    const main = { ...stranger, start: stranger.start - 1 };
    const run = await lab.start({
      text: 'exit 0',
      change: (one) => ({ ...one, tree: [main], started: one.started && { ...one.started, main } }),
    });
    await exits(run);
    expect((await lab.stop(run)).slice(0, 2)).toEqual([
      'proved',
      'The process is gone. It had ended before anything was signalled.',
    ]);
    expect(await lab.runs([stranger])).toBe(true);
  });

  thorough('ends who left parent, session and environment after it was seen', async () => {
    const others = { daemon: `${LOST}\nuntil [ -e $1/seen ]; do sleep 0.05; done` };
    const run = await lab.start({ text: `$1/daemon $1; ${IDLE}`, others });
    const daemon = await noted(run, 'daemon.pid');
    const look = () => lab.host.tree({ ...run.spec, started: run.started }, NEVER);
    await expect.poll(async () => holds(await look(), daemon), PATIENT).toBe(true);
    writeFileSync(fileOf(run, 'seen'), '');
    expect((await lab.stop(run)).slice(0, 2)).toEqual(GONE);
    expect(await lab.runs([daemon])).toBe(false);
  });

  thorough('tells of who left them before, and does not touch it', async () => {
    const run = await lab.start({ text: `$1/daemon $1; ${IDLE}`, others: { daemon: LOST } });
    const stray = await noted(run, 'daemon.pid');
    const environ = () => readFileSync(`/proc/${stray.pid}/environ`, 'utf8');
    await expect.poll(environ, PATIENT).toBe('');
    expect(await lab.stop(run)).toMatchInlineSnapshot(`
      [
        "not gone",
        "Its log is still written by pid N (\`sh -c i=0; while [ $((i += 1)) -lt 600 ]; do sleep 0.1; done\`, user root), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: \`kill N\` on the host.",
        "All N processes are gone.",
        "Ended by signal 15 (TERM).",
        "Port N is closed.",
      ]
    `);
    expect(await lab.runs([stray])).toBe(true);
    await lab.host.kill([stray], 'KILL', NEVER);
  });

  thorough('takes a zombie that nobody reaps for gone, and says that its launcher waits', async () => {
    const run = await lab.start({ text: IDLE });
    process.kill(run.started.session, 'SIGSTOP');
    expect(await lab.stop(run)).toEqual([
      'proved',
      expect.stringMatching(/^(The process is|All N processes are) gone\.$/),
      'There is no exit record yet: its launcher (pid N) still waits for the end.',
      CLOSED,
    ]);
    process.kill(run.started.session, 'SIGCONT');
    await exits(run);
  });

  thorough('tells a port that a stranger took meanwhile from one that a stranger had before', async () => {
    const run = await lab.start({
      text: `trap 'echo >$1/asked; until [ -e $1/taken ]; do sleep 0.05; done; exit 0' TERM; echo $$ >$1/up; ${IDLE}`,
    });
    await noted(run, 'up');
    const stopping = lab.stop(run);
    await expect.poll(() => existsSync(fileOf(run, 'asked')), PATIENT).toBe(true);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(run.port, '127.0.0.1', resolve));
    writeFileSync(fileOf(run, 'taken'), '');
    const [verdict, , , port] = await stopping;
    expect([verdict, port]).toEqual([
      'proved',
      expect.stringMatching(/^Port N is free of it: another process has it now, pid N/),
    ]);
    const other = await lab.start({ text: IDLE, port: run.port });
    const [before, open] = await lab.stop(other);
    expect([before, open]).toEqual([
      'not gone',
      expect.stringMatching(/^Port N is still open: pid N .* has it, as before the stop/),
    ]);
    server.close();
  });

  thorough('never says gone of what starts itself anew and anew', async () => {
    const hop = 'sleep 0.02; echo >>$1/hops; [ -e $1/halt ] || $1/hop $1 &';
    const run = await lab.start({ text: `$1/hop $1; echo $$ >$1/up; ${IDLE}`, others: { hop }, stopGrace: 0.5 });
    await noted(run, 'up');
    const [verdict, words] = await lab.stop(run);
    const hops = () => readFileSync(fileOf(run, 'hops')).length;
    const before = hops();
    for (let looks = 0; looks < 20 && hops() === before; looks++) await lab.host.facts(NEVER);
    const goesOn = hops() > before;
    writeFileSync(fileOf(run, 'halt'), '');
    expect(verdict).toBe(goesOn ? 'not gone' : 'proved');
    expect(words).toMatch(goesOn ? /^(It starts new processes faster|Still running)/ : /gone\.$/);
  });
});
