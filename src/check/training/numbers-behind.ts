/** The numbers behind a flag that takes several (`--target-layer-ids 2 18 33`); null without it, or where other words stand there. */
export function numbersBehind(argv: readonly string[], flag: string): readonly number[] | null {
  const at = argv.findLastIndex((word) => word.replaceAll('_', '-').split('=', 1)[0] === flag);
  if (at === -1) return null;
  const own = argv[at]?.includes('=') ? [argv[at]?.slice((argv[at]?.indexOf('=') ?? 0) + 1) ?? ''] : [];
  const end = argv.findIndex((word, index) => index > at && word.startsWith('-'));
  const words = [...own, ...argv.slice(at + 1, end === -1 ? argv.length : end)];
  const isRight = words.length > 0 && words.every((word) => /^\d{1,6}$/.test(word));
  return isRight ? words.map(Number) : null;
}
