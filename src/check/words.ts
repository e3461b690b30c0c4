/** How a finding says sizes, shares, names and who holds something. */

import { list } from '../list.ts';
import { createMask } from '../log/mask.ts';
import { shownCommand } from '../log/shown-command.ts';

const MOST = 160;
const mask = createMask([]);

/** In back quotes, as one line without any of its own, what looks like a secret hidden; cut in the middle, since paths differ at their ends. */
export function code(text: string): string {
  const plain = mask(text)
    .replace(/[\p{Cc}`]/gu, ' ')
    .trim();
  const half = MOST / 2;
  return `\`${plain.length > MOST ? `${plain.slice(0, half)} … ${plain.slice(-half)}` : plain}\``;
}

/** A value as compact JSON. */
export function value(found: unknown): string {
  return code(JSON.stringify(found) ?? 'nothing');
}

/** `2 GPUs`, `1 GPU`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** The first few, and how many more there are. */
export function some(words: readonly string[], most = 3): string {
  if (words.length <= most) return list(words);
  return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
}

/** `32,768`. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

/** Of 0 to 1: `41 %`, `1.1 %`, `below 0.1 %`, `0 %`. */
export function percent(share: number): string {
  const value = share * 100;
  if (!Number.isFinite(value)) return 'an unknown share';
  if (value > 0 && value < 0.1) return 'below 0.1 %';
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}

/** `44.0 GiB`, `812 MiB`, `135 bytes`. */
export function size(bytes: number): string {
  const unit = UNITS.find(({ from }) => bytes >= from);
  if (unit === undefined) return count(Math.max(0, Math.round(bytes)), 'byte');
  const amount = bytes / unit.from;
  const isRough = amount >= 100 || unit.name === 'KiB' || (unit.name === 'MiB' && amount >= 10);
  return `${amount.toFixed(isRough ? 0 : 1)} ${unit.name}`;
}

/** `21.2`: the number alone, of MiB. */
export function gib(mib: number): string {
  return (mib / 1024).toFixed(1);
}

const UNITS = [
  { name: 'TiB', from: 1024 ** 4 },
  { name: 'GiB', from: 1024 ** 3 },
  { name: 'MiB', from: 1024 ** 2 },
  { name: 'KiB', from: 1024 },
];

/** `3 h`, `2 days`: how long ago, in one unit. */
export function age(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** A process as the host tells of it; what it doesn't tell is null. */
export interface Party {
  readonly pid: number;
  /** It may hold secrets. */
  readonly command: string;
  readonly user: string | null;
  /** Host time of its start, ms. */
  readonly since: number | null;
  readonly run: string | null;
}

/** `pid 4242 (`python train.py`, user bob, for 3 h, run `vigil-kpro5-3`)`; `now` is host time. */
export function party({ pid, command, user, since, run }: Party, now: number): string {
  const words = [
    ...(command === '' ? [] : [code(shownCommand(command).slice(0, 80))]),
    ...(user === null ? [] : [`user ${user}`]),
    ...(since === null ? [] : [`for ${age((now - since) / 1000)}`]),
    ...(run === null ? [] : [`run ${code(run)}`]),
  ];
  return `pid ${pid}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;
}
