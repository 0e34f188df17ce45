/** The specified rules of a trade. Without a parser: every page that trades loads this. */

/** R-PAPER-5. */
export const TRADE_SIZE = 1;
/** R-PAPER-4. */
export const AUTO_CLOSE_MS = 60_000;
/** A timer in a busy tab may be this late. */
export const LATE_CLOSE_MS = 1000;
export const TRADE_SIDES = ['long', 'short'] as const;
export type TradeSide = (typeof TRADE_SIDES)[number];

interface Entry {
  side: TradeSide;
  entryPrice: number;
}

/** In the price's unit, times the size; a short profits when the price falls. */
export function pnlOf({ side, entryPrice }: Entry, exitPrice: number): number {
  const gain = (exitPrice - entryPrice) * TRADE_SIZE;
  // Avoids -0, which would be shown with a sign.
  return side === 'long' || gain === 0 ? gain : -gain;
}

export function heldS({ openedAt, closedAt }: { openedAt: number; closedAt: number }): number {
  return (closedAt - openedAt) / 1000;
}
