/** Turns good rows into bad ones for any service: cells that aren't numbers, rows out of order and repeated. */
import type { BadValue } from './faults.ts';

/** One row in this many gets a bad cell: a reader must keep the others. */
const EACH_ROW = 3;
/** Rows of candles start with their time, which stays valid; rows of order books are shorter and start with a price. */
const CANDLE_CELLS = 5;
const MAX_DEPTH = 8;
/** Placeholder for a number that JSON.stringify cannot write. */
const HUGE_MARK = '#1e400#';
const NO_VALUE = /time|date|sequence|_id$|^(channel|type)$/i;

/** @returns JSON text: one cell of each third row is bad, or every figure of a message without rows */
export function withBadValues(message: unknown, value: BadValue): string {
  const copy: unknown = structuredClone(message);
  const rows = findRows(copy);
  if (rows === null) for (const cell of figuresOf(copy)) cell.set(badValue(cell.value, value));
  for (const [i, row] of (rows ?? []).entries()) {
    const cells = i % EACH_ROW === 0 ? figuresOf(row) : [];
    const cell = cells[Math.floor(i / EACH_ROW) % Math.max(1, cells.length)];
    cell?.set(badValue(cell.value, value));
  }
  return JSON.stringify(copy).replaceAll(`"${HUGE_MARK}"`, '1e400');
}

export function withDisorder(message: unknown): unknown {
  const copy: unknown = structuredClone(message);
  const rows = findRows(copy);
  if (rows === null) return copy;
  const again = rows.slice(0, 2);
  for (let i = 1; i < rows.length; i += 2) [rows[i - 1], rows[i]] = [rows[i], rows[i - 1]];
  rows.push(...again);
  return copy;
}

/** The longest list of lists or objects in a message; the inner one on a tie. */
function findRows(message: unknown, depth = 0): unknown[] | null {
  if (typeof message !== 'object' || message === null || depth > MAX_DEPTH) return null;
  let longest = Array.isArray(message) && message.length > 0 && message.every(isCollection) ? message : null;
  for (const inner of Object.values(message)) {
    const found = findRows(inner, depth + 1);
    if (found !== null && found.length >= (longest?.length ?? 0)) longest = found;
  }
  return longest;
}

function isCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface Figure {
  value: number | string;
  set(bad: unknown): void;
}

/** Cells that hold a number or its text, except times and ids. */
function figuresOf(row: unknown, depth = 0): Figure[] {
  if (typeof row !== 'object' || row === null || depth > MAX_DEPTH) return [];
  const first = Array.isArray(row) && row.length >= CANDLE_CELLS ? 1 : 0;
  return Object.entries(row)
    .slice(first)
    .flatMap(([key, value]: [string, unknown]): Figure[] => {
      if (typeof value === 'object') return figuresOf(value, depth + 1);
      const isFigure = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
      return isFigure && !NO_VALUE.test(key) ? [{ value, set: (bad) => Reflect.set(row, key, bad) }] : [];
    });
}

function badValue(good: number | string, bad: BadValue): unknown {
  switch (bad) {
    case 'NaN':
      return 'NaN';
    case 'null':
      return null;
    case 'empty':
      return '';
    case 'negative':
      return typeof good === 'number' ? -Math.max(1, good) : `-${good === '0' ? '1' : good}`;
    case '1e400':
      return typeof good === 'number' ? HUGE_MARK : '1e400';
  }
}
