/** The price grid of a window. Recordings don't name it, so it is read from what the forecast may use. */
import { decimalsOf } from '../../domain/format/price.ts';
import { lookbackOf, type Window } from './windows/windows.ts';

/** One unit of the last decimal of any close in the lookback. Later candles are ignored. */
export function tickSizeOf({ file, index }: Pick<Window, 'file' | 'index'>): number {
  const decimals = lookbackOf(file, index).reduce((most, { close }) => Math.max(most, decimalsOf(close)), 0);
  return Number((10 ** -decimals).toFixed(decimals));
}
