import type { Waiting } from '../run/holder.ts';

/** `2nd in line`. */
export function placeWords({ ahead }: Waiting): string {
  return `${ordinal(ahead.length + 1)} in line`;
}

function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}
