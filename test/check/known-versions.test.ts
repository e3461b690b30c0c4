import { expect, test } from 'vitest';
import { knownVersions } from '../../src/check/known-versions.ts';
import { packages, serving } from '../../src/check/samples.ts';
import { facts } from '../support/preflight.ts';

const DRIVER = { version: '580.159.04', cuda: '13.0', capabilities: new Map() };
const INSTALLED = packages({ vllm: '0.20.1', torch: '2.11.0+cu130', numpy: '2.3.0', xgrammar: '0.1.25' });
const told = facts({ packages: { kind: 'told', value: INSTALLED }, driver: { kind: 'told', value: DRIVER } });

test('what matters is known by name, what the recipe asks for as well, and the driver', () => {
  const subject = serving(['/models/target'], { recipe: { versions: { xgrammar: '>=0.1' } } });
  expect(knownVersions(told, subject)).toEqual({
    ...{ driver: '580.159.04', vllm: '0.20.1', torch: '2.11.0+cu130', xgrammar: '0.1.25' },
  });
});

test('nothing is claimed of a Python that may be another one, and of a host that is silent', () => {
  const { recipe } = serving(['/models/target']);
  const argv = ['conda', 'run', '-n', 'x', ...recipe.argv];
  const subject = serving(['/models/target'], { recipe: { argv, python: null } });
  expect(knownVersions(told, subject)).toEqual({ driver: '580.159.04' });
  expect(knownVersions(facts(), serving(['/models/target']))).toEqual({});
  expect(knownVersions(facts({ driver: { kind: 'told', value: null } }), serving(['/models/target']))).toEqual({});
});
