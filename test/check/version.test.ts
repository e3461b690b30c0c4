import { describe, expect, it } from 'vitest';
import { compareVersions, isFrom, isOwnBuild, parseVersion, satisfies, type Version } from '../../src/check/version.ts';

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === null) throw new Error(`${text} is no version`);
  return parsed;
}

describe('versions', () => {
  it('stand in the order that PEP 440 gives them', () => {
    const order = [
      '1.0.dev456',
      '1.0a1',
      '1.0a2.dev456',
      '1.0a12.dev456',
      '1.0a12',
      '1.0b1.dev456',
      '1.0b2',
      '1.0b2.post345.dev456',
      '1.0b2.post345',
      '1.0rc1.dev456',
      '1.0rc1',
      '1.0',
      '1.0+abc.5',
      '1.0+abc.7',
      '1.0+5',
      '1.0.post456.dev34',
      '1.0.post456',
      '1.0.15',
      '1.1.dev1',
      '1!0.1',
    ];
    for (const [index, text] of order.entries())
      for (const [other, later] of order.entries())
        expect(Math.sign(compareVersions(version(text), version(later))), `${text} and ${later}`).toBe(
          Math.sign(index - other),
        );
  });

  it.each([
    ['0.20', '0.20.0'],
    ['V1.0', '1.0'],
    ['1.0-rc.1', '1.0rc1'],
    ['1.0preview1', '1.0c1'],
    ['1.0-1', '1.0.post1'],
    ['1.0.rev2', '1.0-post2'],
    ['1.0alpha', '1.0a0'],
    ['1.0+Ubuntu-1', '1.0+ubuntu.1'],
  ])('%s is %s', (text, same) => {
    expect(compareVersions(version(text), version(same))).toBe(0);
  });

  it.each(['', 'unknown', '1.0.x', '1..0', '1.0+', 'a1.0'])('%j is none', (text) => {
    expect(parseVersion(text)).toBeNull();
  });
});

describe('specifiers', () => {
  it.each([
    ['0.20.1', '>=0.20', true],
    ['0.20.1', '>=0.20,<0.26', true],
    ['0.26.0', '>=0.20,<0.26', false],
    ['0.26.0rc1', '<0.26', false],
    ['0.25.9rc1', '<0.26', true],
    ['0.26.0rc1', '<0.26.0rc2', true],
    ['0.22.0rc1', '>=0.22', false],
    ['0.20.1+cu130', '==0.20.1', true],
    ['0.20.1+cu130', '==0.20.1+cu130', true],
    ['0.20.1+cu130', '==0.20.1+cu128', false],
    ['0.20.1+cu130', '<=0.20.1', true],
    ['0.20.1+cu130', '>0.20.1', false],
    ['0.20.1.post1', '>0.20.1', false],
    ['0.20.1.post2', '>0.20.1.post1', true],
    ['0.20.2', '> 0.20.1', true],
    ['0.20.9', '==0.20.*', true],
    ['0.20.0rc1', '==0.20.*', true],
    ['0.2', '==0.20.*', false],
    ['0.20', '==0.20.0.*', true],
    ['0.21', '!=0.20.*', true],
    ['0.20.1', '!=0.20.1', false],
    ['0.7.4', '~=0.7.0', true],
    ['0.8.0', '~=0.7.0', false],
    ['0.8', '~=0.7', true],
    ['1.0', '~=0.7', false],
    ['2.0', '===2.0', true],
  ])('%s %s is %s', (text, specifiers, expected) => {
    expect(satisfies(version(text), specifiers)).toBe(expected);
  });

  it.each(['', '0.20', '>=', '>=0.20.*', '~=1', '=>1', '>=0.20,', '>=x'])('%j is none', (text) => {
    expect(satisfies(version('1.0'), text)).toBeNull();
  });
});

it('counts a pre-release and a build to the release that it becomes', () => {
  expect(isFrom(version('0.22.0rc1.dev3+g12ab34c'), '0.22')).toBe(true);
  expect(isFrom(version('0.21.9'), '0.22')).toBe(false);
});

it.each([
  ['0.20.1', false],
  ['0.20.1+cu130', false],
  ['0.20.1+cpu', false],
  ['0.20.1.post1', false],
  ['0.20.2rc1', true],
  ['0.20.2.dev31', true],
  ['0.20.1+g8a1b2c3', true],
  ['0.20.1+fixes', true],
])("%s may hold somebody's own fixes: %s", (text, expected) => {
  expect(isOwnBuild(version(text))).toBe(expected);
});
