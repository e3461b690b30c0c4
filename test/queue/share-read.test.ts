import { expect, test } from 'vitest';
import { shareRead } from '../../src/queue/share-read.ts';

/** A look that ends when it is told to, with what stood there when it began. */
function slowRead() {
  const looks: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const world = { value: 0 };
  const read = () => {
    const seen = world.value;
    return new Promise<number>((resolve, reject) => looks.push({ end: () => resolve(seen), fail: reject }));
  };
  return { world, looks, ask: shareRead(read) };
}

test('those who ask during a look share the next one, which sees what was written before they asked', async () => {
  const { world, looks, ask } = slowRead();
  const first = ask();
  world.value = 1;
  const later = [ask(), ask(), ask()];
  expect(looks).toHaveLength(1);
  looks[0]?.end();
  expect(await first).toBe(0);
  await Promise.resolve();
  expect(looks).toHaveLength(2);
  looks[1]?.end();
  expect(await Promise.all(later)).toEqual([1, 1, 1]);
  void ask();
  expect(looks).toHaveLength(3);
});

test('a look that fails fails for all who wait, and who asks after that has a new one', async () => {
  const { looks, ask } = slowRead();
  const asked = [ask(), ask(), ask()];
  looks[0]?.fail(new Error('Redis is away'));
  for (const answer of asked) await expect(answer).rejects.toThrow('Redis is away');
  const again = ask();
  looks[1]?.end();
  expect(await again).toBe(0);
});
