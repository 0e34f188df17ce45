/** Writes figures into existing rows, only those that changed, and bypasses React. */
import { formatAmount } from '#domain/format/amount.ts';
import { formatPrice } from '#domain/format/price.ts';
import type { BookLevel } from '#domain/market/book/order-book.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { writeText } from '../../ui/browser/write-text.ts';
import { basisPoints, fineDecimals, middleOf, sizeDecimals } from './book-labels.ts';
import type { BookFrame } from './order-book-api.ts';

interface Row {
  element: HTMLElement;
  /** Of price, size and total; empty in a row without figures. */
  cells: readonly HTMLElement[];
  shown: { price?: number; size?: number; total?: number };
}

const NOTHING = {} as const;

/**
 * @param root  contains rows with `data-row="ask-0"` and so on, the bars of each side, and the line between the sides
 * @returns a function that paints one frame
 */
export function createBookPainter(root: HTMLElement, symbol: MarketSymbol): (frame: BookFrame) => void {
  const rows = { ask: rowsOf(root, 'ask'), bid: rowsOf(root, 'bid') };
  const middle = root.querySelector<HTMLElement>('[data-middle]');
  const spread = root.querySelector<HTMLElement>('[data-spread]');
  const fine = fineDecimals(symbol);
  let decimalsOfSize = 0;

  function paintSide(side: 'ask' | 'bid', levels: readonly BookLevel[], most: number): void {
    let total = 0;
    const shares = rows[side].map((row, i) => {
      const level = levels[i];
      if (level === undefined) {
        clearRow(row);
        return 0;
      }
      total += level.size;
      paintRow(row, side, level, total);
      return total / most;
    });
    // On the page the best ask is the lowest row.
    if (side === 'ask') shares.reverse();
    // One element draws all bars of a side: eighty elements that change their width cost a third of each frame.
    root.querySelector<HTMLElement>(`[data-bars=${side}]`)?.style.setProperty('clip-path', outlineOf(shares));
  }

  function paintRow(row: Row, side: string, level: BookLevel, total: number): void {
    const { element, shown } = row;
    const [priceCell, sizeCell, totalCell] = row.cells;
    if (shown.price !== level.price) {
      if (shown.price === undefined) element.setAttribute('data-side', side);
      // Smaller numbers are written with an exponent.
      const isPlain = level.price >= 1e-6;
      element.setAttribute('data-price', isPlain ? String(level.price) : level.price.toFixed(symbol.bookDecimals));
      if (priceCell) writeText(priceCell, formatPrice(level.price, symbol.bookDecimals));
    }
    if (sizeCell && shown.size !== level.size) writeText(sizeCell, formatAmount(level.size, decimalsOfSize));
    if (totalCell && shown.total !== total) writeText(totalCell, formatAmount(total, decimalsOfSize));
    row.shown = { price: level.price, size: level.size, total };
  }

  return (frame) => {
    decimalsOfSize = sizeDecimals(frame.bids[0]?.price ?? 0);
    const most = Math.max(sumOf(frame.asks, rows.ask.length), sumOf(frame.bids, rows.bid.length));
    paintSide('ask', frame.asks, most);
    paintSide('bid', frame.bids, most);
    const between = middleOf(frame);
    writeText(middle, formatPrice(between.middle, fine));
    writeText(spread, `${formatPrice(between.spread, fine)} (${basisPoints(between.spread, between.middle)})`);
  };
}

function rowsOf(root: HTMLElement, side: 'ask' | 'bid'): Row[] {
  const elements = [...root.querySelectorAll<HTMLElement>(`[data-row^="${side}-"]`)];
  // Best first: on the page the best price of this side is the lowest row.
  if (side === 'ask') elements.reverse();
  return elements.map((element) => ({
    element,
    cells: [...element.querySelectorAll<HTMLElement>('span')],
    shown: NOTHING,
  }));
}

/** @param shares  of the width, from the top row down. @returns a shape for `clip-path`: bars that end at the right */
function outlineOf(shares: readonly number[]): string {
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  const corners = shares.flatMap((share, i) =>
    [i, i + 1].map((row) => `${percent(1 - share)} ${percent(row / shares.length)}`),
  );
  return `polygon(100% 0%, ${corners.join()}, 100% 100%)`;
}

function clearRow(row: Row): void {
  row.element.removeAttribute('data-side');
  row.element.removeAttribute('data-price');
  for (const cell of row.cells) writeText(cell, '');
  row.shown = NOTHING;
}

function sumOf(levels: readonly BookLevel[], count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += levels[i]?.size ?? 0;
  return sum > 0 ? sum : 1;
}
