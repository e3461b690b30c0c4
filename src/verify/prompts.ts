/**
 * The fixed prompts by which speed and acceptance are measured: real text of four kinds, since drafters do well on code and badly on prose. Figures of
 * different days can be compared only while these stay as they are.
 */

export interface Prompt {
  readonly name: string;
  readonly text: string;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'prose',
    text:
      'Explain to somebody who has never seen the sea why the tide comes in and goes out twice a day, and why it is ' +
      'higher on some days than on others. Write two short paragraphs in plain words.',
  },
  {
    name: 'code',
    text:
      'Write a Python function `merge_intervals(intervals)` that takes a list of [start, end] pairs in any order and ' +
      'returns the list with overlapping pairs merged, sorted by start. Add a docstring and three assert statements.',
  },
  {
    name: 'arithmetic',
    text:
      'A bakery sells 18 loaves an hour from 7:00 to 12:00 and 11 loaves an hour from 12:00 to 17:00. It bakes 160 ' +
      'loaves in the morning. How many loaves are left when it closes, and by how much would it have to bake more to ' +
      'sell 12 more each day? Work it out step by step.',
  },
  {
    name: 'list',
    text:
      'List the planets of the solar system from the Sun outwards, one a line. For each one give its diameter in ' +
      'kilometres, how long its year is, and one thing that it is known for.',
  },
];
