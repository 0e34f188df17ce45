import Check from 'lucide-react/icons/check';
import { memo, type ReactNode } from 'react';
import {
  type AdminUser,
  type DisplayStatus,
  describeStatus,
  displayStatus,
  lastActivityMs,
  nameOf,
  planLabel,
  timeLeft,
} from '#domain/admin/admin-user.ts';
import { PLAN_LABELS, type PlanName, UNLIMITED } from '#domain/billing/plans.ts';
import { describeLeft } from '#domain/forecast/quota.ts';
import { BobcatMark, LionMark } from '../../../brand/marks.tsx';
import { Avatar } from '../../../ui/layout/avatar.tsx';
import { Badge, type BadgeTone } from '../../../ui/layout/badge.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { ExactTime } from '../exact-time.tsx';
import badges from './user-badges.module.css';
import styles from './user-table.module.css';

export interface UserRowProps {
  user: AdminUser;
  /** From 0. */
  row: number;
  isExpanded: boolean;
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
        <div className="row gap-2 min-width-0">
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
      <td className={styles.email} title={user.email ?? undefined}>
        {user.email ?? '-'}
      </td>
      <td className={styles.plan}>
        <PlanBadge plan={user.plan}>
          <span className={styles.price}>{planLabel(user.plan).slice(PLAN_LABELS[user.plan].length)}</span>
        </PlanBadge>
      </td>
      <td className={classNames(styles.figure, styles.quota)} data-counted={isCounted(monthlyLeft) || undefined}>
        {quotaLabel(monthlyLeft)}
      </td>
      <td className={classNames(styles.figure, styles.left, left === 'Expired' && 'muted')}>{left}</td>
      <td className={styles.status}>
        <StatusBadge status={status} label={describeStatus(status, zone)} />
      </td>
      <td className={styles.more} title={user.profile.timezone ?? undefined}>
        {user.profile.timezone ?? '-'}
      </td>
      <td className={styles.more}>
        <ExactTime timeMs={user.createdMs} zone={zone} form="day" nowMs={nowMs} />
      </td>
      <td className={styles.more}>
        <ExactTime timeMs={lastActivityMs(user)} zone={zone} form="age" nowMs={nowMs} />
      </td>
    </tr>
  );
});

/** A number, which needs a unit where no column head gives it. */
function isCounted(left: number | undefined | null): boolean {
  return left != null && left !== UNLIMITED;
}

function quotaLabel(left: number | undefined | null): string {
  if (left === undefined) return '…';
  return left === null ? '-' : describeLeft(left);
}

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

const PLAN_MARKS = { bobcat: BobcatMark, lion: LionMark } as const;
const STATUS_TONES = { active: 'up', cancels: 'warning', free: 'neutral' } as const satisfies Record<
  DisplayStatus['kind'],
  BadgeTone
>;

/** The picture, or the initial on a color derived from the name, with the plan's icon and a tick for admins. */
export function UserAvatar({ user, size }: { user: AdminUser; size: 'tiny' | 'medium' }) {
  const Mark = user.plan === 'free' ? null : PLAN_MARKS[user.plan];
  return (
    <span className={classNames(badges.avatar, badges[size])}>
      <Avatar url={user.avatarUrl} name={nameOf(user)} size={size} />
      {Mark && (
        <span className={classNames(badges.sign, badges.plan)} data-plan-icon={user.plan}>
          <Mark />
        </span>
      )}
      {user.isAdmin && (
        <span className={classNames(badges.sign, badges.tick)} data-admin-tick="true">
          <Check strokeWidth={4} aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

export function PlanBadge({ plan, children }: { plan: PlanName; children?: ReactNode }) {
  return (
    <Badge tone={plan === 'lion' ? 'info' : 'neutral'} className={badges[plan]}>
      {PLAN_LABELS[plan]}
      {children}
    </Badge>
  );
}

export function AdminBadge() {
  return <Badge className={badges.admin}>Admin</Badge>;
}

export function StatusBadge({ status, label }: { status: DisplayStatus; label: string }) {
  return <Badge tone={STATUS_TONES[status.kind]}>{label}</Badge>;
}

export function SwitchBadge({ isOn }: { isOn: boolean }) {
  return <Badge tone={isOn ? 'up' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>;
}
