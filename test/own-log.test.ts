import { expect, test } from 'vitest';
import { openLog } from '../src/own-log.ts';
import { KEY_BODY, KEY_LINES, SAMPLES } from './support/secrets.ts';

const OWN = 'Own-v4lue"of=the\\run';

function logged(level = 'trace') {
  const lines: string[] = [];
  const log = openLog({ level, secrets: [OWN] }, { write: (line) => void lines.push(line) });
  return { log, lines };
}

test.each(SAMPLES)('$shape is not written, wherever it stands', ({ secret, line }) => {
  const { log, lines } = logged();
  const error = new Error(`failed: ${line}`, { cause: new Error(line) });
  log.error({ err: Object.assign(error, { data: { error: line, list: [line] } }) }, 'it failed');
  log.child({ run: line }).warn(line);
  expect(lines).toHaveLength(2);
  for (const written of lines) {
    expect(JSON.stringify(JSON.parse(written))).toBe(written.trim());
    expect(written).not.toContain(secret);
    expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
});

test('neither are values of its own, keys of several lines, and what lets anybody speak in our name', () => {
  const { log, lines } = logged();
  log.info(
    { body: { token: 'abc', response_url: 'https://x.example/y', trigger_id: '1.2', nested: { botToken: 'abc' } } },
    OWN,
  );
  log.info(KEY_LINES.join('\n'));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    body: { token: '[hidden]', response_url: '[hidden]', trigger_id: '[hidden]', nested: { botToken: '[hidden]' } },
    msg: '[masked]',
  });
  for (const part of KEY_BODY) expect(lines[1]).not.toContain(part);
});

test('all else is written as it is', () => {
  const { log, lines } = logged('warn');
  log.info('not at this level');
  log.warn({ run: 'kpro5-1', max_tokens: 5, isOpen: true }, 'told');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    run: 'kpro5-1',
    max_tokens: 5,
    isOpen: true,
    msg: 'told',
  });
});
