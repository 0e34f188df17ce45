import { formatPrice } from './price.ts';

/** '12,345': how many of something, thousands in groups. */
export function groupedCount(count: number): string {
  return formatPrice(count, 0);
}
