const packages = '/root/vllm-env/lib/python3.12/site-packages/';

/** A Python 3.12 traceback. Frames are [file, line, function, code]; a file without `/` in front is in the packages. */
export function renderTraceback(frames, exception) {
  const lines = ['Traceback (most recent call last):'];
  for (const [file, line, name, code] of frames) {
    const path = /^\/|\.pyx$/.test(file) ? file : packages + file;
    lines.push(`  File "${path}", line ${line}, in ${name}`);
    // Compiled modules have no source to show.
    if (code !== undefined) lines.push(`    ${code}`, ...renderCarets(code));
  }
  return [...lines, exception].join('\n');
}

/** Carets under the call that was running; Python leaves them out where they would span the whole line. */
function renderCarets(code) {
  const before =
    code.match(/^(?:[\w.,() ]+ ?= ?|return (?!await)|(?:async )?with )(?=(?:await )?\S*\()/)?.[0].length ?? 0;
  return before === 0 ? [] : [`    ${' '.repeat(before)}${'^'.repeat(code.length - before)}`];
}
