/** A table that sorts by its column heads. The head stays visible, and a wide table scrolls in its own frame. */
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Figures are right-aligned, in digits of equal width. */
  isFigure?: boolean;
  isSortable?: boolean;
}

export interface Sort<Key extends string = string> {
  key: Key;
  direction: 'asc' | 'desc';
}

export interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  className?: string | undefined;
}

export function Table<Row>({ caption, columns, rows, rowKey, sort, onSort, className }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
    <section aria-label={caption} tabIndex={0} className={classNames(styles.frame, className)}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, cell, isFigure }) => (
                <td key={key} className={isFigure ? styles.figure : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function Head<Row>({ column: { key, name, isFigure, isSortable }, sort, onSort }: HeadProps<Row>) {
  const className = isFigure ? styles.figure : undefined;
  if (isSortable && onSort) return <SortHead id={key} name={name} sort={sort} onSort={onSort} className={className} />;
  return (
    <th scope="col" className={className}>
      {name}
    </th>
  );
}

export interface SortHeadProps<Key extends string> {
  id: Key;
  name: string;
  sort: Sort<Key> | undefined;
  onSort: (sort: Sort<Key>) => void;
  className?: string | undefined;
}

/** The head of a column whose click sorts the rows by it. */
export function SortHead<Key extends string>({ id, name, sort, onSort, className }: SortHeadProps<Key>) {
  const direction = sort?.key === id ? sort.direction : null;
  const sorted = direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={sorted} className={className}>
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(id, sort))}>
        {name}
        <span className={styles.marker}>{direction === null ? '' : direction === 'asc' ? ' ▲' : ' ▼'}</span>
      </button>
    </th>
  );
}

/** The same column reverses its order; another starts ascending. */
export function nextSort<Key extends string>(key: Key, sort: Sort<Key> | undefined): Sort<Key> {
  return { key, direction: sort?.key === key && sort.direction === 'asc' ? 'desc' : 'asc' };
}
