import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { note, readNote } from '../../src/flow/note.ts';
import { launchRequest } from '../../src/place/request.ts';
import { sampleConfig } from '../support/sample-config.ts';

const ORDER = { host: 'kpro5', recipe: 'dflash', trigger: '1.2.abc', by: 'U0ALICE', channel: 'C0OPS' };

function withBudgets(budgets: Readonly<Record<string, number>>): Config {
  const config = sampleConfig();
  const recipe = config.recipes.dflash;
  if (recipe === undefined) throw new Error('the sample has it');
  return { ...config, recipes: { ...config.recipes, dflash: { ...recipe, budgets } } };
}

test('a launch takes the recipe’s budgets with it, and a Vigil that lost its Redis finds them again', () => {
  const request = launchRequest(withBudgets({ loading: 300 }), ORDER, 1);
  expect(request.budgets).toEqual({ loading: 300 });
  const kept = { request, home: 'C0OPS', placement: null };
  expect(readNote(note(kept))).toEqual(kept);
  expect(launchRequest(withBudgets({}), ORDER, 1)).not.toHaveProperty('budgets');
});
