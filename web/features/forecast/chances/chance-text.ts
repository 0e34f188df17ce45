/** Chances as text: for the page, and for screen readers. */

import type { SimilarPast } from '#domain/chances/chance.ts';
import { formatPercent, formatPrice } from '#domain/format/price.ts';

/** '38%'. Never 0 or 100%: until the end, neither is true. */
export function chanceText(chance: number): string {
  const percent = Math.round(chance * 100);
  if (!Number.isFinite(percent)) return '–';
  if (percent < 1) return '<1%';
  return percent > 99 ? '>99%' : `${percent}%`;
}

/** '38%', 'under 1%', 'over 99%' */
export function spokenChance(chance: number): string {
  return chanceText(chance).replace('<', 'under ').replace('>', 'over ');
}

/** Three chances that sum to 1, in whole percents that sum to 100. */
export function sharesText(first: number, second: number): [first: string, second: string, rest: string] {
  const texts = [chanceText(first), chanceText(second)] as const;
  const rest = 1 - first - second;
  const whole = 100 - Math.round(first * 100) - Math.round(second * 100);
  return [...texts, whole < 1 || rest < 0.01 ? chanceText(rest) : `${whole}%`];
}

/** '+0.31%' */
export function distanceText(line: number, price: number): string {
  return formatPercent(line / price - 1);
}

/** '64,120.0, 0.31% above the price' */
export function spokenLine(line: number, price: number | null, decimals: number): string {
  const text = formatPrice(line, decimals);
  if (price === null) return text;
  if (line === price) return `${text}, at the price`;
  const share = formatPercent(Math.abs(line / price - 1)).replace('+', '');
  return `${text}, ${share} ${line > price ? 'above' : 'below'} the price`;
}

/** Fewer scored questions say nothing. */
const LEAST_SCORED = 30;

/** How often similar chances came true; null while the server gives no counts. */
export function similarText(similar: SimilarPast | null): string | null {
  if (similar === null) return null;
  const { count, happened } = similar;
  if (count < LEAST_SCORED) return `Only ${formatPrice(count, 0)} similar chances so far, of ${LEAST_SCORED} needed.`;
  return `Of ${formatPrice(count, 0)} similar chances, ${chanceText(happened / count)} came true.`;
}

/** '1:42', '36:05', '1:00:00'. */
export function countdownText(leftMs: number): string {
  const s = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes, seconds] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, s % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** '1 minute 42 seconds' */
export function spokenCountdown(leftMs: number): string {
  const s = Math.max(0, Math.ceil(leftMs / 1000));
  const parts = [
    [Math.floor(s / 60), 'minute'],
    [s % 60, 'second'],
  ] as const;
  const shown = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}${n === 1 ? '' : 's'}`);
  return shown.length === 0 ? '0 seconds' : shown.join(' ');
}
