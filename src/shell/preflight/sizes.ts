/** Sizes and times of many files, told in one go. */

export interface Sized {
  readonly name: string;
  readonly size: number;
  /** Host time of its last write, s. */
  readonly modified: number;
}

/** Reads what `vigil_sizes` printed. */
export function readSizes(text: string): readonly Sized[] {
  return text.split('\n').flatMap((row) => {
    const [, size, modified, name] = /^(\d{1,20}) (\d{1,20}) (?:\.\/)?(.*)$/.exec(row) ?? [];
    return name === undefined ? [] : [{ name, size: Number(size), modified: Number(modified) }];
  });
}

/**
 * `vigil_sizes FILE...` prints `SIZE MODIFIED NAME` of what each leads to; links that lead nowhere have no row. Where stat is missing, ls and
 * date tell the same, file by file.
 */
export const SIZES = `
vigil_sizes() {
  [ $# -gt 0 ] || return 0
  if command -v stat >/dev/null 2>&1; then stat -L -c '%s %Y %n' -- "$@" 2>/dev/null; return 0; fi
  for vigil_one in "$@"; do
    [ -e "$vigil_one" ] || continue
    vigil_five $(ls -Lldn -- "$vigil_one" 2>/dev/null)
    printf '%s %s %s\\n' "\${vigil_w:-0}" "$(date -r "$vigil_one" +%s 2>/dev/null || echo 0)" "$vigil_one"
  done
}
vigil_five() { vigil_w=$5; }
`;
