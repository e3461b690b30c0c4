/** Flags in argv as vllm's parser takes them: dashes equal underscores, `--flag value` equals `--flag=value`, the last one wins. */

export interface Flag {
  /** As the first of the asked names. */
  readonly name: string;
  /** null where the flag is argv's last word. */
  readonly value: string | null;
  /** Index in argv of the word that holds the value (the flag's own where there is none). */
  readonly index: number;
}

/** Every use of a flag, by any of its names (`--tensor-parallel-size`, `-tp`), in argv's order. */
export function findFlags(argv: readonly string[], names: readonly [string, ...string[]]): readonly Flag[] {
  return argv.flatMap((word, index) => {
    const equals = word.indexOf('=');
    const name = flagName(equals === -1 ? word : word.slice(0, equals));
    if (!names.includes(name)) return [];
    if (equals !== -1) return [{ name: names[0], value: word.slice(equals + 1), index }];
    const value = argv[index + 1] ?? null;
    return [{ name: names[0], value, index: value === null ? index : index + 1 }];
  });
}

/** The use that counts: the last one. */
export function lastFlag(argv: readonly string[], ...names: readonly [string, ...string[]]): Flag | null {
  return findFlags(argv, names).at(-1) ?? null;
}

/** Of a variable, or a short flag, the name itself. */
export function flagName(name: string): string {
  return name.startsWith('--') ? name.replaceAll('_', '-') : name;
}
