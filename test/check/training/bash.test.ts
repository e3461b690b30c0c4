// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell's own text

/** Which commands a script comes to, as bash would run them, without running it. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Runner } from '../../../src/check/training/bash/runner.ts';
import { Scope } from '../../../src/check/training/bash/scope.ts';
import { known } from '../../../src/check/training/bash/value.ts';

/** Commands, a word in brackets each; what only the shell knows stands in `?…?`; loose ones begin with `~`. */
function commands(script: string, environment: Readonly<Record<string, string>> = { GIVEN: 'g' }): readonly string[] {
  const seen: string[] = [];
  const runner = new Runner({
    scripts: new Map([['other.sh', 'echo other $1 $HERE; HERE=changed']]),
    visit: ({ words, isLoose }) => {
      const shown = words.map(({ text, unknown }) => (unknown === null ? `[${text}]` : `?${text}?`));
      seen.push(`${isLoose ? '~' : ''}${shown.join('')}`);
    },
  });
  const scope = new Scope(known('/w/train.sh'), { environment });
  scope.folder = known('/w');
  scope.positional = ['one', 'two words'].map(known);
  runner.runText(script, scope, 0);
  runner.runUncalled(scope);
  return seen;
}

const SCRIPTS: readonly (readonly [string, readonly string[]])[] = [
  // words and quotes
  ['a b  c # d', ['[a][b][c]']],
  ['a "b c" \'d  e\' f\\ g h#i', ['[a][b c][d  e][f g][h#i]']],
  ['a b \\\n  c', ['[a][b][c]']],
  ['a \'{"x": 1}\' "{\\"y\\": 2}"', ['[a][{"x": 1}][{"y": 2}]']],
  ["a $'b\\tc' \"\" ''", ['[a][b\tc][][]']],
  ['a "b\\c" "\\$d" \\$e', ['[a][b\\c][$d][$e]']],
  ['a\r\nb\r\n', ['[a]', '[b]']],
  // operators and redirections
  ['a; b & c && d || e | f', ['[a]', '[b]', '[c]', '[d]', '[e]', '[f]']],
  ['a > x 2>&1 <y 2>/dev/null &>> z b', ['[a][b]']],
  ['a > >(tee log) b', ['[a][b]']],
  ['cat <<EOF > x\ntorchrun train.py\nEOF\na', ['[cat]', '[a]']],
  ["cat <<-'E F'\n\tb\n\tE F\na", ['[cat]', '[a]']],
  ['( a; b ); { c; }', ['[a]', '[b]', '[c]']],
  // variables
  ['X=1; a $X ${X} "$X"3 $X_3', ['[a][1][1][13]?$X_3?']],
  ['X="a b"; c $X "$X"', ['[c][a][b][a b]']],
  ['X=$NOBODY; a $X "$X/b"', ['[a]?$NOBODY??$NOBODY/b?']],
  ['a ${P:-8000} ${P-x y} "${P:-x y}" ${GIVEN:-no} ${P:+b} ${GIVEN:+yes}', ['[a][8000][x][y][x y][g][yes]']],
  ['E=; a ${E:-d} ${E-d} "$E" $E', ['[a][d][]']],
  [': ${P:=5}; a $P', ['[:][5]', '[a][5]']],
  ['a ${P:-${Q:-"b c"}d}', ['[a][b cd]']],
  ['M=/m/target; a ${M##*/} ${M%/*} ${M%%x} ${#M}', ['[a][target][/m]?${M%%x}??${#M}?']],
  ['X=1 Y=$X a; b $X', ['[a]', '[b]?$X?']],
  ['export X=1 Y="b c"; declare -x Z=3; a $X "$Y" $Z', ['[a][1][b c][3]']],
  ['X=a; X+=b; a $X; unset X; b ${X:-c}', ['[a][ab]', '[b][c]']],
  ['read X; a $X; for i in 1 2; do b $i; done', ['[a]?$X?', '[b]?$i?']],
  ['(( N++ )); a $N $((1+2)) $? $$', ['[a]?$N??$((1+2))??$???$$?']],
  ['a $HOME/x ~/y $PWD/z', ['[a][~/x][~/y][/w/z]']],
  // arrays and arguments
  ['A=(b "c d"\n  # no\n  e); A+=(f); a "${A[@]}" ${A[1]} $A', ['[a][b][c d][e][f][c][d][b]']],
  ['A=(); a "${A[@]}" "${A[@]+"${A[@]}"}" b', ['[a][b]']],
  ['a "$@" $# $1 "$2" ${3:-x}', ['[a][one][two words][2][one][two words][x]']],
  ['shift; a "$*"; set -- b c; d $1', ['[a][two words]', '[d][b]']],
  // what runs under a condition
  ['X=1; if t; then X=2; fi; a $X', ['[t]', '[a]?$X?']],
  ['if t; then X=2; elif u; then X=2; else X=2; fi; a $X', ['[t]', '[u]', '[a][2]']],
  ['X=1; [[ -n $Y && a < b ]] && X=2; a $X', ['[a]?$X?']],
  ['X=1; t || X=1; a $X', ['[t]', '[a][1]']],
  ['X=1; t || { X=2; exit 1; }; a $X', ['[t]', '[a]?$X?']],
  ['case $1 in one) X=1 ;; *) X=2; esac; a $X', ['[a]?$X?']],
  ['case "$1" in (a|b) X=1;; *) X=1;; esac; a $X', ['[a][1]']],
  ['while t; do X=1; done; a $X', ['[t]', '[a]?$X?']],
  ['I=0; while t; do a $I; I=1; done', ['[t]', '[a]?$I?']],
  ['I=0 J=0; for i in 1 2; do ((I++)); b $I $J; J=2 c; done', ['[b]?$I?[0]', '[c]']],
  ['I=0; until t; do for j in 1; do a $I; done; read I; done', ['[t]', '[a]?$I?']],
  ['(X=1; a $X); b $X', ['[a][1]', '[b]?$X?']],
  ['t && exit 1; a; exit; b', ['[t]', '[a]']],
  // functions
  ['f() { a "$1" $#; }; f x "y z"; b $1', ['[a][x][2]', '[b][one]']],
  ['function f { X=1; }\nf\na $X', ['[a][1]']],
  ['run() { echo "+ $*"; "$@"; }; run a "b c"', ['[echo][+ a b c]', '[a][b c]']],
  ['f() { kill $1; }; trap f EXIT; a', ['[trap][f][EXIT]', '[a]', '~[kill]?$1?']],
  ['f() { f; }; f; a', ['[a]']],
  // where it runs, and what stands around commands
  ['cd "$(dirname "$0")/out" && a "$(pwd)/x"', ['[a][/w/out/x]']],
  ['D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; a "$D" $(basename /x/y.sh .sh)', ['[a][/w][y]']],
  ['cd $NOBODY; a $PWD/x', ['[a]?$PWD/x?']],
  ['a $(date +%s)/b `date` "$(cat f)"', ['[a]?$(date +%s)/b??`date`??$(cat f)?']],
  ['env -u Y A=b nohup timeout -k 5 60 nice -n 5 a b', ['[a][b]']],
  ['exec -a x a; b', ['[a]']],
  ['exec > log; a', ['[exec]', '[a]']],
  ['bash -c \'a "$1"\' name "b c"; sh -eu -c "d $1"', ['[a][b c]', '[d][one]']],
  ['HERE=1; export HERE; bash other.sh x; a $HERE', ['[echo][other][x][1]', '[a][1]']],
  ['. other.sh y; a $HERE; bash missing.sh', ['[echo][other][y]?$HERE?', '[a][changed]', '[bash][missing.sh]']],
  ['. venv/bin/activate; a ${P:-1}; source settings.sh; b ${P:-1}', ['[a][1]', '[b]?${P:-1}?']],
  ['C="a b"; eval "$C c"; $C d', ['[a][b][c]', '[a][b][d]']],
];

test.each(SCRIPTS)('%j runs %j', (script, expected) => {
  expect(commands(script)).toEqual(expected);
});

const PIECES =
  'a b $X ${X:-b} ${ $( $(( ` " \' ( ) { } [[ ]] (( if then else fi case in esac ;; for do done f() && || | & ; < << > \\ # = A=( "$@" \n'
    .split(' ')
    .map((piece) => piece || ' ');

test('whatever stands in it, a script is read to its end without an error', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 60 }), (pieces) => {
      commands(pieces.join(' '));
      commands(pieces.join(''));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['$(', ''],
  ['${a:-', ''],
  ['"$(', ''],
  ['A=(', ''],
  ['if ', ''],
  ['f() { ', ''],
  ['( ', ''],
  ['a <<E\n', ''],
  ['X=a; ', ' b "$X$X$X"'],
  ['X="$X$X$X$X"; ', ''],
  ['f() { f; f; f; }; f; ', ''],
  ['A+=("${A[@]}" "${A[@]}" b); ', ''],
  ['eval "$0 $0"; ', ''],
])('%j many times over is read as well', (piece, end) => {
  expect(commands(`${piece.repeat(5_000)}${end}`).length).toBeLessThan(100_000);
});
