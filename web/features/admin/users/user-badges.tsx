/** A user at a glance: plan and role as colored badges, and as marks on the picture. */
import { Check } from 'lucide-react';
import { type AdminUser, type DisplayStatus, nameOf } from '#domain/admin/admin-user.ts';
import { PLAN_LABELS, type PlanName } from '#domain/billing/plans.ts';
import { BobcatMark, LionMark } from '../../../brand/marks.tsx';
import { Avatar } from '../../../ui/layout/avatar.tsx';
import { Badge, type BadgeTone } from '../../../ui/layout/badge.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './user-badges.module.css';

const PLAN_MARKS = { bobcat: BobcatMark, lion: LionMark } as const;
const STATUS_TONES = { active: 'up', cancels: 'warning', free: 'neutral' } as const satisfies Record<
  DisplayStatus['kind'],
  BadgeTone
>;

/** The picture, or the initial on a color derived from the name, with the plan's icon and a tick for admins. */
export function UserAvatar({ user, size }: { user: AdminUser; size: 'tiny' | 'medium' }) {
  const Mark = user.plan === 'free' ? null : PLAN_MARKS[user.plan];
  return (
    <span className={classNames(styles.avatar, styles[size])}>
      <Avatar url={user.avatarUrl} name={nameOf(user)} size={size} />
      {Mark && (
        <span className={classNames(styles.sign, styles.plan)} data-plan-icon={user.plan}>
          <Mark />
        </span>
      )}
      {user.isAdmin && (
        <span className={classNames(styles.sign, styles.tick)} data-admin-tick="true">
          <Check strokeWidth={4} aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

export function PlanBadge({ plan, label = PLAN_LABELS[plan] }: { plan: PlanName; label?: string }) {
  return (
    <Badge tone={plan === 'lion' ? 'info' : 'neutral'} className={styles[plan]}>
      {label}
    </Badge>
  );
}

export function AdminBadge() {
  return <Badge className={styles.admin}>Admin</Badge>;
}

export function StatusBadge({ status, words }: { status: DisplayStatus; words: string }) {
  return <Badge tone={STATUS_TONES[status.kind]}>{words}</Badge>;
}

export function SwitchBadge({ isOn }: { isOn: boolean }) {
  return <Badge tone={isOn ? 'up' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>;
}
