import { describe, expect, it } from 'vitest';
import { readArguments } from '../../src/explain/arguments.ts';

const LOG = { files: ['vllm.log'], isJson: false, evidence: null, kind: null };

describe('the words after explain', () => {
  it.each([
    ['vllm.log', LOG],
    ['--json vllm.log', { ...LOG, isJson: true }],
    ['vllm.log --json', { ...LOG, isJson: true }],
    ['--alive vllm.log', { ...LOG, evidence: { alive: true, exitCode: null } }],
    ['--exited vllm.log', { ...LOG, evidence: { alive: false, exitCode: null } }],
    ['vllm.log --exited', { ...LOG, evidence: { alive: false, exitCode: null } }],
    ['--exited 1 vllm.log', { ...LOG, evidence: { alive: false, exitCode: 1 } }],
    ['--exited -9 vllm.log', { ...LOG, evidence: { alive: false, exitCode: -9 } }],
    ['--exited=-9 vllm.log', { ...LOG, evidence: { alive: false, exitCode: -9 } }],
    ['--exited 20260411123045 a', { ...LOG, files: ['a'], evidence: { alive: false, exitCode: 20260411123045 } }],
    ['--exited 1 2', { ...LOG, files: ['2'], evidence: { alive: false, exitCode: 1 } }],
    ['--exited --json 2', { ...LOG, files: ['2'], isJson: true, evidence: { alive: false, exitCode: null } }],
    ['--exited 1.log', { ...LOG, files: ['1.log'], evidence: { alive: false, exitCode: null } }],
    ['--exited -- -9', { ...LOG, files: ['-9'], evidence: { alive: false, exitCode: null } }],
    ['--kind train -', { ...LOG, files: ['-'], kind: 'train' }],
    ['--kind=serve a b', { ...LOG, files: ['a', 'b'], kind: 'serve' }],
    ['-- --json', { ...LOG, files: ['--json'] }],
  ])('%s', (words, asked) => {
    expect(readArguments(words.split(' '))).toEqual(asked);
  });

  it.each([
    ['--jsno a', 'found the unknown option --jsno (--json?), expected one of --json, --alive'],
    ['-9 a', 'found -9 without --exited, expected --exited -9'],
    ['--json  a', 'found an empty word for a LOG'],
    ['--exited=soon a', 'found --exited=soon, expected an integer such as 1'],
    ['--exited= a', 'found --exited=, expected an integer'],
    ['--kind server a', 'found --kind server, expected --kind serve or --kind train'],
    ['--kind', 'found --kind without a value'],
    ['--json=yes a', 'found --json=yes, expected --json without a value'],
    ['--alive --exited 1 a', 'found both --alive and --exited'],
    ['--json', 'found no LOG, expected the path of a log'],
    ['--exited 9', 'found no LOG (9 is the exit code; a file of that name: ./9)'],
    ['- a -', 'found - more than once'],
  ])('refuses %s and says what was expected', (words, mistake) => {
    expect(readArguments(words.split(' '))).toEqual({ mistake: expect.stringContaining(mistake) });
  });

  it.each(['--help', '-h', '--json a --help'])('shows the usage for %s', (words) => {
    expect(readArguments(words.split(' '))).toBe('help');
  });
});
