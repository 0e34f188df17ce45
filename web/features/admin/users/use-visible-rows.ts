/** Decides which rows are rendered: the visible ones, a few around them, and the one that Tab reaches. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { UserList } from './use-user-list.ts';

export const HEAD_PX = 34;
const DETAIL_PX = 620;
const OVERSCAN = 6;

export interface VisibleItem extends TableItem {
  key: string;
  item: number;
  /** Height of the hidden rows between the previous item and this one. */
  gapPx: number;
}

interface Wanted {
  frame: RefObject<HTMLDivElement | null>;
  list: UserList;
  expanded: ReadonlySet<string>;
  rowPx: number;
}

export function useVisibleRows({ frame, list, expanded, rowPx }: Wanted) {
  const { count, rowAt, show, sort, search, isPaidOnly } = list;
  const [current, setCurrent] = useState(0);
  const expandedRows = useMemo(() => {
    if (expanded.size === 0) return [];
    const rows = Array.from({ length: count }, (_, row) => row);
    return rows.filter((row) => expanded.has(rowAt(row)?.id ?? ''));
  }, [expanded, count, rowAt]);
  const currentItem = itemOfRow(Math.min(current, count - 1), expandedRows);
  // Must stay the same function: a new one lays out all rows again, and there may be a hundred thousand.
  const getItemKey = useCallback((item: number) => keyOf(itemAt(item, expandedRows), rowAt), [expandedRows, rowAt]);
  const virtualizer = useVirtualizer({
    count: count + expandedRows.length,
    getScrollElement: () => frame.current,
    estimateSize: (item) => (itemAt(item, expandedRows).isDetail ? DETAIL_PX : rowPx),
    getItemKey,
    rangeExtractor: (range: Range) => withItem(defaultRangeExtractor(range), currentItem),
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row height needs a new measurement
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer]);

  // A new order or search starts from the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as stated above
  useEffect(() => {
    setCurrent(0);
    if (frame.current !== null) frame.current.scrollTop = 0;
  }, [sort, search, isPaidOnly, frame]);

  const virtual = virtualizer.getVirtualItems();
  let endPx = HEAD_PX;
  const items = virtual.map(({ index, key, start, end }): VisibleItem => {
    const gapPx = Math.max(0, start - endPx);
    endPx = end;
    return { ...itemAt(index, expandedRows), key: String(key), item: index, gapPx };
  });
  const rows = items.filter(({ row, isDetail }) => !isDetail && row !== current).map(({ row }) => row);
  const first = rows[0] ?? 0;
  const last = rows.at(-1) ?? first;
  useEffect(() => show({ first, last }), [show, first, last]);

  const focusRow = useFocusRow(frame, (row) => {
    setCurrent(row);
    virtualizer.scrollToIndex(itemOfRow(row, expandedRows), { align: 'auto' });
  });
  // A list that is still loading has no rows to subtract.
  const detailsPx = expandedRows.length === 0 ? 0 : Math.max(0, virtualizer.getTotalSize() - count * rowPx);
  const heightPx = (virtualizer.scrollRect?.height ?? 0) - detailsPx;
  return {
    items,
    detailsPx,
    restPx: Math.max(0, virtualizer.getTotalSize() + HEAD_PX - endPx),
    current: Math.min(current, Math.max(0, count - 1)),
    setCurrent,
    focusRow,
    measure: virtualizer.measureElement,
    rowsInSight: Math.max(1, Math.floor((heightPx - HEAD_PX) / rowPx) - 1),
  };
}

/** Keyed by user, so measured details move with their user; rows still loading are keyed by position. */
function keyOf({ row, isDetail }: TableItem, rowAt: UserList['rowAt']): string {
  const id = rowAt(row)?.id ?? `row ${row}`;
  return isDetail ? `${id} detail` : id;
}

function withItem(items: number[], item: number): number[] {
  if (item < 0 || items.includes(item)) return items;
  return [...items, item].sort((a, b) => a - b);
}

/** Focuses a row once it is rendered, which may need a scroll first. */
function useFocusRow(
  frame: RefObject<HTMLDivElement | null>,
  scrollToRow: (row: number) => void,
): (row: number) => void {
  const wanted = useRef<number | null>(null);
  const [, rerender] = useState(0);
  const scrollRef = useRef(scrollToRow);
  scrollRef.current = scrollToRow;
  useEffect(() => {
    if (wanted.current === null) return;
    const button = frame.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (button == null) return;
    wanted.current = null;
    button.focus({ preventScroll: true });
  });
  return useCallback((row: number) => {
    wanted.current = row;
    scrollRef.current(row);
    rerender((n) => n + 1);
  }, []);
}

/** A row, or the details of an expanded row below it. */
export interface TableItem {
  row: number;
  isDetail: boolean;
}

/** @param expanded  numbers of the expanded rows, ascending */
export function itemAt(item: number, expanded: readonly number[]): TableItem {
  for (const [before, row] of expanded.entries()) {
    const detail = row + before + 1;
    if (item === detail) return { row, isDetail: true };
    if (item < detail) return { row: item - before, isDetail: false };
  }
  return { row: item - expanded.length, isDetail: false };
}

/** @param expanded  numbers of the expanded rows, ascending */
export function itemOfRow(row: number, expanded: readonly number[]): number {
  return row + expanded.filter((number) => number < row).length;
}

/** The row that a key moves to; null for other keys. @param page  number of visible rows */
export function rowOfKey(key: string, row: number, count: number, page: number): number | null {
  const wanted = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  }[key];
  return wanted === undefined ? null : Math.max(0, Math.min(count - 1, wanted));
}
