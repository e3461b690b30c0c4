/**
 * How many random cases a property is tried on: a third of all, other ones each time; all in `npm run test:all`, as many as wanted by FUZZ_RUNS.
 */
export function fuzzRuns(all: number): number {
  const { FUZZ_RUNS, TEST_ALL } = process.env;
  if (FUZZ_RUNS !== undefined) return Number(FUZZ_RUNS);
  return TEST_ALL === undefined ? Math.ceil(all / 3) : all;
}
