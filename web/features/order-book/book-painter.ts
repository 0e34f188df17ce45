/** Writes figures into existing rows, only those that changed, and bypasses React. */
import { formatAmount } from '#domain/format/amount.ts';
import { formatPrice } from '#domain/format/price.ts';
import type { BookLevel } from '#domain/market/book/order-book.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { basisPoints, fineDecimals, labelDecimals, middleOf, sizeDecimals } from './book-labels.ts';
import type { BookFrame } from './order-book-api.ts';

export interface BookPainter {
  paint(frame: BookFrame): void;
  /** Removes every figure; the rows keep their places. */
  clear(): void;
}

interface Row {
  element: HTMLElement;
  bar: HTMLElement;
  figures: { price: HTMLElement; size: HTMLElement; total: HTMLElement } | null;
  shown: { price: number; size: number; total: number; share: number };
}

const NOTHING = { price: Number.NaN, size: Number.NaN, total: Number.NaN, share: 0 } as const;

/** @param root  contains rows with `data-row="ask-0"` and so on, and the line between the sides */
export function createBookPainter(root: HTMLElement, symbol: MarketSymbol): BookPainter {
  const rows = { ask: rowsOf(root, 'ask'), bid: rowsOf(root, 'bid') };
  const middle = root.querySelector<HTMLElement>('[data-middle]');
  const spread = root.querySelector<HTMLElement>('[data-spread]');
  const label = labelDecimals(symbol);
  const fine = fineDecimals(symbol);
  let decimalsOfSize = 0;

  function paintSide(side: 'ask' | 'bid', levels: readonly BookLevel[], most: number): void {
    let total = 0;
    for (const [i, row] of rows[side].entries()) {
      const level = levels[i];
      if (level === undefined) {
        clearRow(row);
        continue;
      }
      total += level.size;
      paintRow(row, side, level, total, Math.round((total / most) * 1000) / 1000);
    }
  }

  function paintRow(row: Row, side: string, level: BookLevel, total: number, share: number): void {
    const { element, bar, figures, shown } = row;
    if (shown.price !== level.price) {
      if (Number.isNaN(shown.price)) element.setAttribute('data-side', side);
      element.setAttribute('data-price', String(level.price));
      if (figures) figures.price.textContent = formatPrice(level.price, label);
    }
    if (figures && shown.size !== level.size) figures.size.textContent = formatAmount(level.size, decimalsOfSize);
    if (figures && shown.total !== total) figures.total.textContent = formatAmount(total, decimalsOfSize);
    if (shown.share !== share) bar.style.transform = `scaleX(${share})`;
    row.shown = { price: level.price, size: level.size, total, share };
  }

  return {
    paint(frame) {
      decimalsOfSize = sizeDecimals(frame.bids[0]?.price ?? 0);
      const most = Math.max(sumOf(frame.asks, rows.ask.length), sumOf(frame.bids, rows.bid.length));
      paintSide('ask', frame.asks, most);
      paintSide('bid', frame.bids, most);
      const between = middleOf(frame);
      write(middle, formatPrice(between.middle, fine));
      write(spread, `${formatPrice(between.spread, fine)} (${basisPoints(between.spread, between.middle)})`);
    },
    clear() {
      for (const row of [...rows.ask, ...rows.bid]) clearRow(row);
      write(middle, '–');
      write(spread, '–');
    },
  };
}

function rowsOf(root: HTMLElement, side: 'ask' | 'bid'): Row[] {
  const elements = [...root.querySelectorAll<HTMLElement>(`[data-row^="${side}-"]`)];
  // Best first: on the page the best price of this side is the lowest row.
  if (side === 'ask') elements.reverse();
  return elements.map((element) => {
    const [bar, price, size, total] = [...element.querySelectorAll<HTMLElement>('span')];
    const figures = price && size && total ? { price, size, total } : null;
    return { element, bar: bar ?? element, figures, shown: NOTHING };
  });
}

function clearRow(row: Row): void {
  row.element.removeAttribute('data-side');
  row.element.removeAttribute('data-price');
  row.bar.style.transform = 'scaleX(0)';
  if (row.figures) for (const cell of Object.values(row.figures)) cell.textContent = '';
  row.shown = NOTHING;
}

function write(element: HTMLElement | null, text: string): void {
  if (element !== null && element.textContent !== text) element.textContent = text;
}

function sumOf(levels: readonly BookLevel[], count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += levels[i]?.size ?? 0;
  return sum > 0 ? sum : 1;
}
