import { describe, expect, test } from 'vitest';
import { splitOptions } from '../../src/slack/commands/options.ts';

const OPTIONS = {
  'dry-run': { value: null, summary: 'Start nothing' },
  pid: { value: 'N', summary: 'The process' },
};
const split = (typed: string) => splitOptions(typed.split(' ').filter(Boolean), OPTIONS);

describe('options', () => {
  test.each([
    ['kpro5 dflash', ['kpro5', 'dflash'], { dryRun: false }],
    ['kpro5 --dry-run dflash', ['kpro5', 'dflash'], { dryRun: true }],
    ['--DRY-RUN kpro5', ['kpro5'], { dryRun: true }],
    ['-dry-run kpro5', ['kpro5'], { dryRun: true }],
    ['kpro5 --dry–run', ['kpro5'], { dryRun: true }],
    ['-1 kpro5', ['-1', 'kpro5'], { dryRun: false }],
    ['kpro5 /root/v.log --pid 4242', ['kpro5', '/root/v.log'], { dryRun: false, pid: '4242' }],
    ['--pid=4242 kpro5', ['kpro5'], { dryRun: false, pid: '4242' }],
  ])('%s', (typed, words, given) => {
    expect(split(typed)).toMatchObject({ words, given });
  });

  test('are kept as typed, to be shown again', () => {
    expect(split('kpro5 --pid 4242 --dry-run').rest).toEqual(['--pid', '4242', '--dry-run']);
  });

  test.each([
    ['--pid', '--pid needs a value behind it.'],
    ['--pid --dry-run', '--pid needs a value behind it.'],
    ['--pid=', '--pid needs a value behind it.'],
    ['--dry-run=yes', '--dry-run takes no value. Leave out what stands behind it.'],
    ['--pid 1 --pid 2', '--pid is there twice. Leave one of them out.'],
    ['--dry-rnu', 'There is no option “--dry-rnu”. Did you mean `--dry-run`? Options: --dry-run and --pid.'],
    ['-dry-rnu', 'There is no option “-dry-rnu”. Did you mean `--dry-run`? Options: --dry-run and --pid.'],
    ['--constructor', 'There is no option “--constructor”. Options: --dry-run and --pid.'],
  ])('%s is refused in words', (typed, message) => {
    expect(() => split(typed)).toThrow(message);
  });
});
