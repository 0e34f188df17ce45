/**
 * Renders only the visible rows. Arrow keys, Page Up and Down, Home and End move along the names; Enter and Space open.
 */
import { Fragment, type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import { nextSort } from '../../../ui/layout/table.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { UserSort, UserSortKey } from '../admin-api.ts';
import type { UserList } from './use-user-list.ts';
import { HEAD_PX, rowOfKey, useVisibleRows } from './use-visible-rows.ts';
import { UserDetail } from './user-detail.tsx';
import { UserRow, WaitingRow } from './user-row.tsx';
import styles from './user-table.module.css';

export interface UserTableProps {
  list: UserList;
  nowMs: number;
}

const ROW_PX = 32;
/** Two lines on phones; the same height and width as in user-table.module.css. */
const TALL_ROW_PX = 60;
const PHONE = '(max-width: 40em)';
interface UserColumn {
  /** Sort key; null: not sortable. */
  key: UserSortKey | null;
  name: string;
  /** CSS pixels. Fixed, because rows come and go while scrolling and the columns must not move. */
  width: number;
  isFigure?: boolean;
}

const USER_COLUMNS: readonly UserColumn[] = [
  { key: null, name: 'Avatar', width: 48 },
  { key: 'name', name: 'Name', width: 190 },
  { key: 'email', name: 'Email', width: 230 },
  { key: 'plan', name: 'Plan', width: 124 },
  { key: 'quota', name: 'Monthly Quota', width: 134, isFigure: true },
  { key: 'time-left', name: 'Time Left', width: 116, isFigure: true },
  { key: 'status', name: 'Status', width: 172 },
  { key: 'timezone', name: 'Timezone', width: 156 },
  { key: 'joined', name: 'Joined', width: 112 },
  { key: 'last-activity', name: 'Last Activity', width: 126 },
];
const WIDTH_PX = USER_COLUMNS.reduce((sum, { width }) => sum + width, 0);

export function UserTable({ list, nowMs }: UserTableProps) {
  const { zone } = useTimeZone();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const isPhone = useMedia(PHONE);
  const rowPx = isPhone ? TALL_ROW_PX : ROW_PX;
  const view = useVisibleRows({ frame, list, expanded, rowPx });
  const { setCurrent } = view;

  const toggle = useCallback(
    (row: number, userId: string) => {
      setCurrent(row);
      setExpanded((open) => {
        const next = new Set(open);
        if (!next.delete(userId)) next.add(userId);
        return next;
      });
    },
    [setCurrent],
  );
  const onKey = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = Number(event.target.dataset.row ?? Number.NaN);
    const next = Number.isNaN(row) ? null : rowOfKey(event.key, row, list.count, view.rowsInSight);
    if (next === null) return;
    event.preventDefault();
    view.focusRow(next);
  };
  return (
    <div
      ref={frame}
      className={styles.frame}
      // Grows by the open details, so that none is cut off.
      style={view.detailsPx === 0 ? undefined : { maxHeight: `calc(min(76vh, 860px) + ${view.detailsPx}px)` }}
      aria-busy={list.isOutdated || undefined}
    >
      <table
        className={styles.table}
        style={isPhone ? undefined : { minWidth: WIDTH_PX }}
        aria-rowcount={list.count + 1}
        onKeyDown={onKey}
      >
        <caption className="visually-hidden">Users. Use the arrow keys to move between names</caption>
        <colgroup>
          {USER_COLUMNS.map(({ name, width }) => (
            <col key={name} style={{ width }} />
          ))}
        </colgroup>
        <UserHead sort={list.sort} onSort={list.setSort} />
        <tbody>
          {view.items.map(({ key, item, row, isDetail, gapPx }) => {
            const user = list.rowAt(row);
            const detailId = `${id}-${user?.id ?? row}`;
            return (
              <Fragment key={key}>
                {gapPx > 0 && <Gap px={gapPx} />}
                {user === undefined ? (
                  <WaitingRow row={row} columns={USER_COLUMNS.length} />
                ) : isDetail ? (
                  <tr aria-rowindex={row + 2} className={styles.detailRow}>
                    <td colSpan={USER_COLUMNS.length}>
                      <div ref={view.measure} data-index={item} id={detailId} className={styles.detail}>
                        <UserDetail
                          user={user}
                          quota={list.quotas.of(user.id)}
                          hasQuotaFailed={list.quotas.hasFailed}
                          zone={zone}
                          nowMs={nowMs}
                        />
                      </div>
                    </td>
                  </tr>
                ) : (
                  <UserRow
                    user={user}
                    row={row}
                    isExpanded={expanded.has(user.id)}
                    isCurrent={row === view.current}
                    monthlyLeft={
                      list.quotas.of(user.id)?.remainingMonthly ?? (list.quotas.hasFailed ? null : undefined)
                    }
                    zone={zone}
                    nowMs={nowMs}
                    detailId={detailId}
                    onToggle={toggle}
                  />
                )}
              </Fragment>
            );
          })}
          {view.restPx > 0 && <Gap px={view.restPx} />}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  sort: UserSort;
  onSort: (sort: UserSort) => void;
}

function UserHead({ sort, onSort }: HeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1} style={{ height: HEAD_PX }}>
        {USER_COLUMNS.map((column) => (
          <Head key={column.name} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

function Head({ column: { key, name, isFigure }, sort, onSort }: HeadProps & { column: UserColumn }) {
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
      <button type="button" className={styles.sort} onClick={() => onSort({ ...nextSort(key, sort), key })}>
        {name}
        <span className={styles.marker}>{direction === null ? '' : direction === 'asc' ? ' ▲' : ' ▼'}</span>
      </button>
    </th>
  );
}

function Gap({ px }: { px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={USER_COLUMNS.length} style={{ height: px }} />
    </tr>
  );
}
