/** Does argv detach? Vigil must stay the parent of what it started: it could not see a detached server end, or stop it. */

import { baseName } from './base-name.ts';
import { shellCommands } from './shell-text.ts';

/** Programs that let their command go on without them, or hand it to another process. */
const DETACHERS = new Set(
  'tmux screen byobu dtach abduco nohup setsid systemd-run systemctl service daemonize daemon start-stop-daemon at batch sbatch pm2 supervisorctl disown'.split(
    ' ',
  ),
);

const CONTAINERS = new Set(['docker', 'podman', 'nerdctl']);
export const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh']);

interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
  /** Words before the command that are neither options nor assignments (timeout's duration, `run`). */
  readonly words: number;
}

/** Programs that run the command behind them and wait for it. To add one: its options that take a separate value, and its own words. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: ['-u', '--unset', '-C', '--chdir'], words: 0 },
  sudo: { valued: ['-u', '-g', '-p', '-C', '-h', '-r', '-t', '-T', '-U', '-D', '-R', '--user', '--group'], words: 0 },
  doas: { valued: ['-u', '-C'], words: 0 },
  nice: { valued: ['-n', '--adjustment'], words: 0 },
  ionice: { valued: ['-c', '-n', '--class', '--classdata'], words: 0 },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'], words: 0 },
  timeout: { valued: ['-s', '-k', '--signal', '--kill-after'], words: 1 },
  taskset: { valued: [], words: 1 },
  chrt: { valued: [], words: 1 },
  numactl: { valued: ['-N', '-m', '-C', '-i', '-p'], words: 0 },
  time: { valued: ['-f', '-o'], words: 0 },
  exec: { valued: ['-a'], words: 0 },
  command: { valued: [], words: 0 },
  busybox: { valued: [], words: 0 },
  conda: { valued: ['-n', '--name', '-p', '--prefix', '--cwd'], words: 1 },
  mamba: { valued: ['-n', '--name', '-p', '--prefix', '--cwd'], words: 1 },
  micromamba: { valued: ['-n', '--name', '-p', '--prefix', '--cwd'], words: 1 },
  uv: {
    valued: ['-p', '--python', '--with', '--env-file', '--project', '--directory', '--extra', '--group'],
    words: 1,
  },
  poetry: { valued: ['-C', '-P'], words: 1 },
  pixi: { valued: ['-e', '--environment', '--manifest-path'], words: 1 },
};

/** What detaches (`nohup`, `docker run -d`, `&`) and the index of its word, or null. */
export function findDetaching(argv: readonly string[]): { readonly index: number; readonly what: string } | null {
  const ampersand = argv.indexOf('&');
  if (ampersand !== -1) return { index: ampersand, what: '&' };
  let index = 0;
  while (index < argv.length) {
    const program = baseName(argv[index] ?? '');
    if (DETACHERS.has(program)) return { index, what: program };
    if (CONTAINERS.has(program)) return findDetachedContainer(argv, index, program);
    if (SHELLS.has(program)) return findInScript(argv, index, program);
    const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
    if (wrapper === undefined) return null;
    if (program === 'sudo' && argv[index + 1] === '-b') return { index: index + 1, what: 'sudo -b' };
    const behind = commandBehind(argv, index + 1, wrapper);
    if (behind.detacher !== null) return behind.detacher;
    index = behind.index;
  }
  return null;
}

/**
 * Where a wrapper's command begins. An option that isn't in the table may or may not take the next word: that word is
 * passed over, unless it detaches.
 */
function commandBehind(argv: readonly string[], from: number, wrapper: Wrapper) {
  let index = from;
  let words = wrapper.words;
  while (index < argv.length) {
    const word = argv[index] ?? '';
    if (word.startsWith('-')) {
      const split = /^(?:-S|--split-string=?)(?<text>.*)$/s.exec(word)?.groups?.text;
      if (split !== undefined) {
        const inside = findDetaching((split || (argv[index + 1] ?? '')).split(/\s+/));
        if (inside !== null) return { index, detacher: { index, what: inside.what } };
      }
      const next = argv[index + 1] ?? '';
      const isValued = wrapper.valued.includes(word);
      const mayTake = !isValued && !word.includes('=') && word !== '--' && words === 0;
      if (mayTake && DETACHERS.has(baseName(next))) {
        return { index, detacher: { index: index + 1, what: baseName(next) } };
      }
      index += isValued ? 2 : 1;
    } else if (/^[A-Za-z_]\w*=/.test(word)) {
      index += 1;
    } else if (words > 0) {
      words -= 1;
      index += 1;
    } else {
      return { index, detacher: null };
    }
  }
  return { index, detacher: null };
}

/** Options of `docker run` and `podman run` without a value; every other one takes the next word. */
const CONTAINER_SWITCHES =
  /^--(?:rm|init|privileged|interactive|tty|read-only|no-healthcheck|oom-kill-disable|publish-all|quiet|sig-proxy|replace|no-hosts|env-host|disable-content-trust|help)$/;

function findDetachedContainer(argv: readonly string[], from: number, program: string) {
  const verbAt = argv.findIndex((word, index) => index > from && /^(?:run|exec|start|up)$/.test(word));
  const verb = argv[verbAt] ?? '';
  if (verbAt === -1) return null;
  if (
    verb === 'start' &&
    !argv.slice(verbAt).some((word) => /^(?:-(?=\w*[ai])\w+|--attach|--interactive)$/.test(word))
  ) {
    return { index: verbAt, what: `${program} start` };
  }
  let index = verbAt + 1;
  while (index < argv.length) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) return null;
    // Letters behind one that takes a value (-e, -v, -p, …) are that value.
    const letters = /^-(?<letters>[A-Za-z]+)/.exec(word)?.groups?.letters ?? '';
    const switches = /^[ditPqT]*/.exec(letters)?.[0] ?? '';
    if (switches.includes('d') || /^--detach(?:=(?!false|0)|$)/.test(word)) {
      return { index, what: `${program} ${verb} ${word}` };
    }
    const isSwitch = word.includes('=') || CONTAINER_SWITCHES.test(word) || (letters !== '' && switches === letters);
    const holdsValue = letters.length > switches.length + 1;
    index += isSwitch || holdsValue ? 1 : 2;
  }
  return null;
}

/** `sh -c 'TEXT'`: TEXT's commands, and `&` between them. */
function findInScript(argv: readonly string[], from: number, program: string) {
  const optionAt = argv.findIndex((word, index) => index > from && /^-[a-z]*c$/.test(word));
  const text = argv[optionAt + 1];
  if (optionAt === -1 || text === undefined) return null;
  const { commands, background } = shellCommands(text);
  if (background) return { index: optionAt + 1, what: `& in ${program} -c` };
  const inside = commands.map(findDetaching).find((found) => found !== null);
  return inside === undefined ? null : { index: optionAt + 1, what: `${inside.what} in ${program} -c` };
}
