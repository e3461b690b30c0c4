/** The frames of a traceback, and which of them tell something: where own code and vllm's went, and what raised. */

/** At most so many are shown; more don't help on a phone, and the whole traceback stands in the log. */
const MOST_OWN = 4;
const MOST_ALONE = 4;
/** Lines of code that are shown of one frame. */
const MOST_CODE = 2;

/** Frames that every traceback of its kind passes through: decorators, bootstraps of threads and processes, event loops, launchers. */
const WRAPPERS: readonly string[] = [
  'vllm/tracing/',
  'vllm/entrypoints/cli/main.py',
  'vllm/utils/func',
  'vllm/v1/serial_utils',
  'torch/utils/_device',
  'torch/utils/_contextlib',
  'torch/nn/modules/module',
  'torch/_dynamo/eval_frame',
  'torch/distributed/c10d_logger',
  'torch/distributed/run.py',
  'torch/distributed/launcher/',
  'torch/distributed/elastic/',
  'ray/_private/',
  'ray/util/tracing/',
  'uvicorn/',
  'uvloop/',
  'starlette/',
  'fastapi/',
  'anyio/',
  'click/',
  'typer/',
  'accelerate/commands/',
  'pydantic/_internal/',
];
/** Of Python's own library. */
const STDLIB =
  /(?:^|\/)(?:contextlib|functools|threading|runpy|typing|selectors|socketserver)\.py$|\/(?:multiprocessing|multiprocess|concurrent|asyncio|importlib|unittest)\/|^<(?:frozen |string>|stdin>)/;
/** What people who run a server or a training wrote, or chose to run: where the failure meets them. */
const OWN_PACKAGES = /^(?:vllm|sglang|speculators)\//;

export interface Frame {
  /** own = the user's or the engine's; library = other packages'; wrapper = says nothing. */
  readonly origin: 'own' | 'library' | 'wrapper';
  readonly lines: readonly string[];
}

/** The frame whose `File` line this is, or null. */
export function frameOf(line: string): Frame | null {
  const start = line.startsWith('  File "') ? 8 : line.startsWith('> File "') ? 8 : -1;
  const end = start === -1 ? -1 : line.indexOf('"', start);
  if (end === -1) return null;
  const path = line.slice(start, end);
  const file = withoutPackages(path);
  return { origin: originOf(file, file !== path), lines: [`  File "${file}${line.slice(end)}`] };
}

/** The frame with one more line of its own: code, but neither the marks under it nor loguru's drawings. */
export function withCode(frame: Frame, line: string): Frame {
  if (/^\s*[\^~]+\s*$/.test(line) || /^\s*[│└]/.test(line) || frame.lines.length > MOST_CODE) return frame;
  return { ...frame, lines: [...frame.lines, line] };
}

/** The places of those worth showing: the last own ones, what the last of them called, and what raised. */
export function telling(frames: readonly Frame[]): readonly number[] {
  const places = [...frames.keys()].filter((place) => frames[place]?.origin !== 'wrapper');
  if (places.length === 0) return [...frames.keys()].slice(-MOST_ALONE);
  const own = places.filter((place) => frames[place]?.origin === 'own');
  if (own.length === 0) return places.slice(-MOST_ALONE);
  const called = places.find((place) => place > (own.at(-1) ?? 0));
  const kept = new Set([...own.slice(-MOST_OWN), called, places.at(-1)]);
  return places.filter((place) => kept.has(place));
}

function withoutPackages(path: string): string {
  for (const folder of ['/site-packages/', '/dist-packages/']) {
    const at = path.lastIndexOf(folder);
    if (at !== -1) return path.slice(at + folder.length);
  }
  return path;
}

function originOf(file: string, isPackage: boolean): Frame['origin'] {
  if (STDLIB.test(file) || WRAPPERS.some((part) => file.startsWith(part))) return 'wrapper';
  if (isPackage) return OWN_PACKAGES.test(file) ? 'own' : 'library';
  if (/\/bin\/[^/]+$/.test(file)) return 'wrapper';
  return /\/lib\/python3[^/]*\//.test(file) ? 'library' : 'own';
}
