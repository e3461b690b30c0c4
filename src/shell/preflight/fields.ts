/** How the probes tell what they found: `KEY VALUE` with a NUL behind each, the last one `told`. */

export interface Field {
  readonly key: string;
  readonly value: string;
}

/** null when the answer isn't whole. */
export function readFields(output: string): readonly Field[] | null {
  const rows = output.split('\0');
  if (rows.at(-2) !== 'told ' || rows.at(-1) !== '') return null;
  return rows.slice(0, -2).map((row) => {
    const at = row.indexOf(' ');
    return { key: row.slice(0, at), value: row.slice(at + 1) };
  });
}

/** What stands behind each field `key`, up to the next one, by its value (the number of what was asked). */
export function groupsOf(fields: readonly Field[], key: string): ReadonlyMap<number, readonly Field[]> {
  const groups = new Map<number, Field[]>();
  let group: Field[] = [];
  for (const field of fields) {
    if (field.key === key) {
      group = [];
      groups.set(Number(field.value), group);
    } else group.push(field);
  }
  return groups;
}

/** What was told of each of the paths, by the path as it was asked for; what `read` makes null of is left out. null when the answer isn't whole. */
export function looksOf<Value>(
  output: string,
  paths: readonly string[],
  { key, read }: { readonly key: string; readonly read: (group: readonly Field[]) => Value | null },
): ReadonlyMap<string, Value> | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const looks = [...groupsOf(fields, key)].flatMap(([index, group]): [string, Value][] => {
    const [path, look] = [paths[index], read(group)];
    return path === undefined || look === null ? [] : [[path, look]];
  });
  return new Map(looks);
}

export function firstOf(fields: readonly Field[], key: string): string | null {
  return fields.find((field) => field.key === key)?.value ?? null;
}

export function allOf(fields: readonly Field[], key: string): readonly string[] {
  return fields.flatMap((field) => (field.key === key ? [field.value] : []));
}

/** `vigil_say KEY VALUE` prints one; `vigil_size FILE` puts its bytes into $vigil_bytes (wc would read all of a file on small systems). */
export const SAY = `
vigil_say() { printf '%s %s\\0' "$1" "$2"; }
vigil_size() {
  vigil_bytes=$(stat -L -c %s -- "$1" 2>/dev/null) || vigil_bytes=$(wc -c <"$1") || vigil_bytes=0
  vigil_bytes=$((vigil_bytes))
}
`;
