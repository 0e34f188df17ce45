/** The table's rows, and the details of expanded ones between them, as one list of items. */

export interface TableItem {
  row: number;
  /** The details below the row. */
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
