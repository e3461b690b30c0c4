/**
 * Python's logging through rich: `[time] LEVEL message … place`, the message wrapped in its own column, the line padded
 * to the width. Without a terminal the width is COLUMNS, else 80.
 */

const timeWidth = '[00:00:00] '.length;
const levelWidth = 'WARNING  '.length;
const usualWidth = 80;

/** One process's console; the time is left blank while it is the same second. */
export function createConsole() {
  const width = readWidth(process.env.COLUMNS);
  let last = '';
  const record = (level) => (message, place) => {
    const now = `[${clock(new Date())}]`;
    const [first, ...rest] = wrap(message, width - timeWidth - levelWidth - place.length - 1);
    const head = `${(now === last ? '' : now).padEnd(timeWidth)}${level.padEnd(levelWidth)}`;
    last = now;
    const indent = ' '.repeat(timeWidth + levelWidth);
    const lines = [`${(head + first).padEnd(width - place.length)}${place}`, ...rest.map((line) => indent + line)];
    process.stdout.write(lines.map((line) => `${line.padEnd(width)}\n`).join(''));
  };
  return { width, info: record('INFO'), warning: record('WARNING') };
}

/** Text in lines of at most `width`: cut at blanks; a word that is longer than a line begins on a new one and is chopped. */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === '' || line.length + 1 + word.length <= width)
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
    while (lines.at(-1).length > width) lines.splice(-1, 1, lines.at(-1).slice(0, width), lines.at(-1).slice(width));
  }
  return lines;
}

/** tqdm's bar as rich draws it into a file: once, when it is over. */
export function renderBar({ title, total, seconds, width }) {
  const head = `${title} 100% `;
  const tail = ` ${total}/${total}  [ ${elapsed(seconds)} < 0:00:00 , 0 it/s ]`;
  return `${head}${'━'.repeat(Math.max(1, width - head.length - tail.length))}${tail}\n`;
}

function readWidth(text = '') {
  return /^\d+$/.test(text) ? Number(text) : usualWidth;
}

function clock(date) {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function elapsed(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
