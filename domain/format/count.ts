import { formatPrice } from './price.ts';

/** '12,345': a count with grouped thousands. */
export function groupedCount(count: number): string {
  return formatPrice(count, 0);
}

/** '1 day', '1,200 days'. @param noun  in the singular, with a regular plural */
export function counted(count: number, noun: string): string {
  return `${groupedCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
