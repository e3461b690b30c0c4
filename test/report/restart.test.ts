import { expect, test } from 'vitest';
import { renderCard } from '../../src/report/card.ts';
import { plainMessage } from '../support/plain.ts';
import { sampleRun, VIEW } from './sample-run.ts';

const WAITING = { ahead: [], count: null, holders: [], why: null, after: [] };

function shown(...run: Parameters<typeof sampleRun>): string {
  return plainMessage(renderCard(sampleRun(...run), VIEW));
}

test('both cards of a restart name the other run', () => {
  const again = { run: 'r2', name: 'kpro5-2', trigger: '1.1' };
  expect(shown({}, { again })).toContain('Restart of kpro5-2');
  expect(shown({ phase: 'stopped', restartedAs: { run: 'r4', name: 'kpro5-4' } })).toContain('Restarted as kpro5-4');
});

test('what Vigil launched can be restarted from its card, live or ended, until another run has its place', () => {
  expect(shown({})).toContain('[Stop] [Restart]');
  expect(shown({ phase: 'failed' })).toMatch(/^\[Restart\] \[Log\]/m);
  expect(shown({ phase: 'failed', waiting: WAITING })).toContain('[Restart]');
  for (const change of [{ waiting: WAITING }, { stopBy: 'U0BOB' }, { restartedAs: { run: 'r4', name: 'kpro5-4' } }])
    expect(shown(change)).not.toContain('[Restart]');
  const found = { process: null, size: 0, trigger: null, answered: false };
  expect(shown({ phase: 'failed' }, { found })).not.toContain('[Restart]');
});

test('what a stop left is told by the state of the card', () => {
  const stop = { proven: false, evidence: ['Still running: pid 7. On the host: `kill -9 7`.'] };
  expect(shown({ phase: 'stopped', stop: { ...stop, isGone: true } })).toContain('Stopped, not proved');
  expect(shown({ phase: 'stopped', stop: { ...stop, isGone: false } })).toContain('Told to stop, not all gone');
  const card = renderCard(sampleRun({ phase: 'stopped', stop }), VIEW);
  expect(JSON.stringify(card.blocks)).toContain('On the host: `kill -9 7`.');
});
