/**
 * All users as one table that renders only the visible rows. Arrow keys, Page Up and Down, Home and End move along the
 * names; Enter and Space show and hide a user's details.
 */
import { Fragment, type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import type { PriceTable } from '#domain/billing/plans.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import { rowOfKey } from './table-items.ts';
import type { UserList } from './use-user-list.ts';
import { HEAD_PX, useVisibleRows } from './use-visible-rows.ts';
import { USER_COLUMNS } from './user-columns.ts';
import { UserDetail } from './user-detail.tsx';
import { UserHead } from './user-head.tsx';
import { UserRow, WaitingRow } from './user-row.tsx';
import styles from './user-table.module.css';

export interface UserTableProps {
  list: UserList;
  prices: PriceTable;
  nowMs: number;
}

const ROW_PX = 32;
/** Row height for touch. */
const TALL_ROW_PX = 44;
const WIDTH_PX = USER_COLUMNS.reduce((sum, { width }) => sum + width, 0);

export function UserTable({ list, prices, nowMs }: UserTableProps) {
  const { zone } = useTimeZone();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const rowPx = useMedia('(max-width: 640px)') ? TALL_ROW_PX : ROW_PX;
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
    <div ref={frame} className={styles.frame} aria-busy={list.isBehind || undefined}>
      <table className={styles.table} style={{ minWidth: WIDTH_PX }} aria-rowcount={list.count + 1} onKeyDown={onKey}>
        <caption className="visually-hidden">Users, with arrow keys from name to name</caption>
        <colgroup>
          {USER_COLUMNS.map(({ name, width }) => (
            <col key={name} style={{ width }} />
          ))}
        </colgroup>
        <UserHead
          sort={list.sort}
          onSort={list.setSort}
          canSortQuota={list.isLocal || list.words.trim() === ''}
          height={HEAD_PX}
        />
        <tbody>
          {view.items.map(({ key, item, row, isDetail, gapPx }) => {
            const user = list.rowAt(row);
            const detailId = `${id}-${user?.id ?? row}`;
            return (
              <Fragment key={key}>
                {gapPx > 0 && <Gap px={gapPx} />}
                {user === undefined ? (
                  <WaitingRow row={row} />
                ) : isDetail ? (
                  <tr aria-rowindex={row + 2} className={styles.detailRow}>
                    <td colSpan={USER_COLUMNS.length}>
                      <div ref={view.measure} data-index={item} id={detailId} className={styles.detail}>
                        <UserDetail
                          user={user}
                          quota={list.quotas.of(user.id)}
                          hasQuotaFailed={list.quotas.hasFailed}
                          prices={prices}
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
                    prices={prices}
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

/** Fills the space of hidden rows. */
function Gap({ px }: { px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={USER_COLUMNS.length} style={{ height: px }} />
    </tr>
  );
}
