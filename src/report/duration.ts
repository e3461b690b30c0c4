/** `0.4 s`, `12 s`, `1 min 42 s`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(whole, 60, 'min', 's');
  if (whole < 86_400) return pair(Math.round(whole / 60), 60, 'h', 'min');
  return pair(Math.round(whole / 3600), 24, 'd', 'h');
}

function pair(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  return `${Math.floor(amount / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
