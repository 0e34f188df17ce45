import { formatPrice } from './price.ts';

/** '12,345': a count with grouped thousands. */
export function groupedCount(count: number): string {
  return formatPrice(count, 0);
}
