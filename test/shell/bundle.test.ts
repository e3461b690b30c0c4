import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BundleReader, type Part, renderBundle } from '../../src/shell/bundle.ts';
import { line, type Script } from '../../src/shell/script.ts';
import { busybox, findShells, runIn, type Shell } from '../support/shells.ts';

const script = (text: string, input = ''): Script => ({ name: 'part', text, input });
const part = (text: string, input?: string): Part => ({ script: script(text, input), limit: 20 });

/** A part's own text, or what came instead. */
async function ask(shell: Shell, parts: readonly Part[]): Promise<unknown[]> {
  const reader = new BundleReader(parts.length);
  const { output } = await runIn(shell, renderBundle(parts));
  reader.push(Buffer.from(output));
  expect(Math.abs(Date.now() - (reader.now ?? 0))).toBeLessThan(60_000);
  return parts.map((_, index) => {
    const answer = reader.answer(index);
    return answer.kind === 'whole' ? answer.output.toString('latin1') : answer;
  });
}

/** Busybox without some of its tools. */
function lacking(...tools: string[]): Shell {
  const { path } = busybox();
  for (const tool of tools) rmSync(join(path, tool));
  return { name: `busybox without ${tools.join(' and ')}`, path };
}

const SHELLS = [...findShells(), lacking('base64'), lacking('gzip'), lacking('base64', 'gzip'), lacking('timeout')];

describe.each(SHELLS)('in $name', (shell) => {
  test('each part gets its own words and gives its own bytes', async () => {
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
    const bytes = Array.from({ length: 256 }, (_, code) => `\\${code.toString(8).padStart(3, '0')}`).join('');
    const answers = await ask(shell, [
      part(
        `vigil_word; printf '%s' "$vigil_w"; vigil_word; printf '|%s|' "$vigil_w"`,
        line(" a'\n\n\\b ") + line('ключ\n'),
      ),
      part(`printf '${bytes}'`),
      part('cat', 'what follows\n\n'),
      part(':'),
    ]);
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    expect(answers).toEqual([utf8(" a'\n\n\\b |ключ\n|"), all, 'what follows\n\n', '']);
  });

  test('parts run side by side, and long outputs come apart again', async () => {
    const long = (mark: string) =>
      part(`i=0; while [ $i -lt 3000 ]; do echo "${mark}$i ${mark.repeat(90)}"; i=$((i + 1)); done`);
    const wanted = (mark: string) =>
      Array.from({ length: 3000 }, (_, i) => `${mark}${i} ${mark.repeat(90)}\n`).join('');
    const answers = await ask(shell, [long('a'), long('b'), long('c')]);
    expect(answers.map((answer, at) => answer === wanted('abc'[at] ?? ''))).toEqual([true, true, true]);
  });

  test('a part that fails is told with its exit code, and the others are whole', async () => {
    expect(await ask(shell, [part('echo half; exit 7'), part('echo well')])).toEqual([
      { kind: 'failed', code: 7 },
      'well\n',
    ]);
  });
});

describe.each(findShells())('in $name', (shell) => {
  test('a part that hangs is told as late after its limit, also where another process still holds its output', async () => {
    const hanging = { script: script('echo begun; exec sleep 61'), limit: 1 };
    const held = { script: script('setsid sleep 2 & exec sleep 61'), limit: 1 };
    const parts = [hanging, held, part('echo well')];
    const reader = new BundleReader(parts.length);
    let raw = '';
    await runIn(shell, renderBundle(parts), {}, (child) => {
      child.stdout?.on('data', (bytes: Buffer) => {
        if (reader.isWhole) return;
        raw += bytes.toString();
        reader.push(bytes);
      });
    });
    expect(raw).not.toContain('end 1\n');
    expect(parts.map((_, at) => reader.answer(at))).toEqual([
      { kind: 'late' },
      { kind: 'late' },
      { kind: 'whole', output: Buffer.from('well\n') },
    ]);
  });
});

test('the answers are the same wherever the output is cut', () => {
  const { text, input } = renderBundle([part('echo one'), part('exit 3')]);
  const { stdout } = spawnSync('sh', ['-c', `vigil_word() { IFS= read -r vigil_w; }\n${text}`], { input });
  const whole = new BundleReader(2);
  whole.push(stdout);
  const cut = new BundleReader(2);
  for (const byte of stdout) cut.push(Buffer.of(byte));
  expect(cut.answer(0)).toEqual({ kind: 'whole', output: Buffer.from('one\n') });
  expect([cut.answer(0), cut.answer(1)]).toEqual([whole.answer(0), whole.answer(1)]);
});

test('without its end a part is late, though its bytes are all there', () => {
  const reader = new BundleReader(1);
  reader.push(Buffer.from('bundle hex 5\ncode 0 0\ndata 0 70 61 72 74 0a 6f 6b\n'));
  expect([reader.isWhole, reader.answer(0), reader.now]).toEqual([false, { kind: 'late' }, 5]);
  reader.push(Buffer.from('end 0\n'));
  expect([reader.isWhole, reader.answer(0)]).toEqual([true, { kind: 'whole', output: Buffer.from('ok') }]);
});

test('what a host packed badly has failed', () => {
  const reader = new BundleReader(1);
  reader.push(Buffer.from('bundle gzip-base64 5\ncode 0 0\ndata 0 AAAA\nend 0\n'));
  expect(reader.answer(0)).toEqual({ kind: 'failed', code: 0 });
});
