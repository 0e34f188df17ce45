/** One user in the table: a row 32 pixels high, whose name is a button that shows and hides the details. */
import { memo } from 'react';
import {
  type AdminUser,
  describeStatus,
  displayStatus,
  lastActivityMs,
  nameOf,
  planLabel,
  timeLeft,
} from '#domain/admin/admin-user.ts';
import { describeLeft } from '#domain/forecast/quota.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import { ExactTime } from '../exact-time.tsx';
import { AdminBadge, PlanBadge, StatusBadge, UserAvatar } from './user-badges.tsx';
import styles from './user-table.module.css';

export interface UserRowProps {
  user: AdminUser;
  /** From 0. */
  row: number;
  isExpanded: boolean;
  /** Tab reaches this row. */
  isCurrent: boolean;
  /** UNLIMITED: no limit; undefined: not loaded yet; null: loading failed. */
  monthlyLeft: number | undefined | null;
  zone: string;
  nowMs: number;
  detailId: string;
  onToggle: (row: number, id: string) => void;
}

export const UserRow = memo(function UserRow(props: UserRowProps) {
  const { user, row, isExpanded, isCurrent, monthlyLeft, zone, nowMs, detailId, onToggle } = props;
  const status = displayStatus(user);
  const left = timeLeft(user.periodEndMs, nowMs);
  return (
    // For the keyboard, the name inside is a button, whose presses arrive here as clicks.
    <tr
      aria-rowindex={row + 2}
      data-user={user.id}
      className={classNames(styles.row, isExpanded && styles.open)}
      onClick={() => {
        // Selecting text to copy it is not a click.
        if (window.getSelection()?.isCollapsed !== false) onToggle(row, user.id);
      }}
    >
      <td className={styles.picture}>
        <UserAvatar user={user} size="tiny" />
      </td>
      <td className={styles.nameCell}>
        <div className={styles.who}>
          <button
            type="button"
            className={styles.name}
            data-row={row}
            tabIndex={isCurrent ? 0 : -1}
            aria-expanded={isExpanded}
            aria-controls={isExpanded ? detailId : undefined}
            title={nameOf(user)}
          >
            {user.fullName?.trim() || <span className="muted">No name</span>}
          </button>
          {user.isAdmin && <AdminBadge />}
        </div>
      </td>
      <td title={user.email ?? undefined}>{user.email ?? '-'}</td>
      <td>
        <PlanBadge plan={user.plan} label={planLabel(user.plan)} />
      </td>
      <td className={styles.figure}>{quotaWords(monthlyLeft)}</td>
      <td className={classNames(styles.figure, left === 'Expired' && styles.expired)}>{left}</td>
      <td>
        <StatusBadge status={status} words={describeStatus(status, zone)} />
      </td>
      <td title={user.timezone ?? undefined}>{user.timezone ?? '-'}</td>
      <td>
        <ExactTime timeMs={user.createdMs} zone={zone} form="day" nowMs={nowMs} />
      </td>
      <td>
        <ExactTime timeMs={lastActivityMs(user)} zone={zone} form="age" nowMs={nowMs} />
      </td>
    </tr>
  );
});

function quotaWords(left: number | undefined | null): string {
  if (left === undefined) return '…';
  return left === null ? '-' : describeLeft(left);
}

/** A row whose user is loading. */
export function WaitingRow({ row, columns }: { row: number; columns: number }) {
  return (
    <tr aria-rowindex={row + 2} className={styles.row} aria-busy="true">
      <td className={styles.picture} />
      <td className={styles.nameCell}>
        <span className={styles.waiting} />
      </td>
      <td colSpan={columns - 2}>
        <span className={styles.waiting} />
      </td>
    </tr>
  );
}
