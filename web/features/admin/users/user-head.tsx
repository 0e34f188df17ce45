/** The column headers; clicking one sorts by its column. */
import type { UserSort } from '#domain/admin/user-list.ts';
import { nextSort } from '../../../ui/layout/table.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { USER_COLUMNS, type UserColumn } from './user-columns.ts';
import styles from './user-table.module.css';

export interface UserHeadProps {
  sort: UserSort;
  onSort: (sort: UserSort) => void;
  /** The server can sort by quota only without a search. */
  canSortQuota: boolean;
  height: number;
}

export function UserHead({ sort, onSort, canSortQuota, height }: UserHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1} style={{ height }}>
        {USER_COLUMNS.map((column) => (
          <Head
            key={column.name}
            column={column}
            sort={sort}
            onSort={onSort}
            isFixed={column.key === 'quota' && !canSortQuota}
          />
        ))}
      </tr>
    </thead>
  );
}

interface HeadProps {
  column: UserColumn;
  sort: UserSort;
  onSort: (sort: UserSort) => void;
  isFixed: boolean;
}

function Head({ column: { key, name, isFigure }, sort, onSort, isFixed }: HeadProps) {
  if (key === null)
    return (
      <th scope="col" className={styles.picture}>
        <span className="visually-hidden">{name}</span>
      </th>
    );
  const direction = sort.key === key ? sort.direction : null;
  const sorted = direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending';
  const className = classNames(isFigure && styles.figureHead, key === 'name' && styles.nameCell);
  return (
    <th scope="col" aria-sort={sorted} className={className}>
      {isFixed ? (
        <span title="So many users can be sorted by quota while nothing is searched.">{name}</span>
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort({ ...nextSort(key, sort), key })}>
          {name}
          <span className={styles.marker}>{direction === null ? '' : direction === 'asc' ? ' ▲' : ' ▼'}</span>
        </button>
      )}
    </th>
  );
}
