/**
 * What one process of vLLM writes. Records go to standard output; tracebacks, bars and uvicorn's lines to standard error.
 * Each line begins with `(NAME pid=N) `; a record of several lines repeats its head and ends its lines in CR LF.
 */
export function createSpeaker(name, pid) {
  const prefix = `(${name} pid=${pid}) `;
  const record = (level) => (place, message) => {
    const head = `${prefix}${level} ${stamp(new Date())} [${place}] `;
    process.stdout.write(
      `${message
        .split('\n')
        .map((line) => head + line)
        .join('\r\n')}\n`,
    );
  };
  return {
    pid,
    info: record('INFO'),
    warning: record('WARNING'),
    error: record('ERROR'),
    /** Lines without level and time, such as an uncaught exception's. */
    plain: (text) =>
      process.stderr.write(
        `${text
          .split('\n')
          .map((line) => prefix + line)
          .join('\n')}\n`,
      ),
    uvicorn: (message) => process.stderr.write(`${prefix}INFO:     ${message}\n`),
    /** Text as it is after the prefix: a bar's first piece, with no line end. */
    open: (text) => process.stderr.write(prefix + text),
  };
}

/** Text that C++ code writes to the descriptor, or the rest of a bar: no prefix, no line end. */
export function writeBare(text) {
  process.stderr.write(text);
}

/** `MM-DD HH:MM:SS` in the host's local time: vLLM's stamp has no year and no zone. */
function stamp(date) {
  const two = (number) => String(number).padStart(2, '0');
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
