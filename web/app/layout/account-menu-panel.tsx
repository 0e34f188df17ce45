import { NavLink } from 'react-router';
import { hasFeature, PLAN_LABELS, PLANS, UNLIMITED } from '#domain/billing/plans.ts';
import { type EntitlementState, useEntitlement } from '../../session/entitlement.ts';
import { useQuota } from '../../session/quota.ts';
import { useSession } from '../../session/session.ts';
import { useTheme } from '../../ui/browser/theme.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './account-menu.module.css';

const LINKS = [
  { label: 'Profile', to: '/account' },
  { label: 'Your predictions', to: '/account/predictions' },
  { label: 'Subscription', to: '/account/subscription' },
  { label: 'Notifications', to: '/account/notifications' },
  { label: 'Security', to: '/account/security' },
] as const;
const ADMIN_LINK = { label: 'Admin', to: '/admin' } as const;

export interface AccountMenuPanelProps {
  person: { name: string; email: string | null; avatarUrl: string | null };
}

export function AccountMenuPanel({ person: { name, email, avatarUrl } }: AccountMenuPanelProps) {
  const { isDark, toggleDark } = useTheme();
  const plan = useEntitlement();
  const { isLoading, hasFailed, entitlement } = plan;
  const links = entitlement.isAdmin ? [...LINKS, ADMIN_LINK] : LINKS;
  return (
    <>
      <div className={styles.person}>
        <Avatar url={avatarUrl} name={name} />
        <div className="min-width-0">
          <p className="weight-600 ellipsis">{name}</p>
          {email !== null && email !== name && <p className="muted size-13 ellipsis">{email}</p>}
        </div>
      </div>
      <div className={styles.plan}>
        {isLoading ? null : (
          <Badge tone={entitlement.plan === 'free' ? 'neutral' : 'accent'}>
            {hasFailed ? 'Plan unknown' : planLabel(entitlement)}
          </Badge>
        )}
        <PredictionsLeft {...plan} />
      </div>
      <ul className={styles.links}>
        {links.map(({ label, to }) => (
          <li key={to}>
            <NavLink to={to} end className={styles.link ?? ''}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
      <Switch label="Dark theme" isOn={isDark} onToggle={toggleDark} />
    </>
  );
}

function planLabel({ plan, isAdmin }: { plan: keyof typeof PLAN_LABELS; isAdmin: boolean }): string {
  return isAdmin ? 'Admin' : `${PLAN_LABELS[plan]} plan`;
}

/** One line, whose height is reserved while it loads. */
function PredictionsLeft({ isLoading, hasFailed, entitlement }: EntitlementState) {
  const { user } = useSession();
  const { plan, isAdmin } = entitlement;
  const isCounted = !isLoading && !isAdmin && (hasFailed || hasFeature(plan, 'predictions'));
  const { quota, error, refetch } = useQuota(isCounted ? (user?.id ?? null) : null);
  if (isLoading) return <p className={styles.left}>&nbsp;</p>;
  if (isAdmin) return <p className={styles.left}>No limits on predictions</p>;
  if (!isCounted) return <p className={styles.left}>No predictions included</p>;
  if (error !== null) {
    return (
      <p className={styles.left}>
        – predictions left{' '}
        <button type="button" className={styles.retry} onClick={refetch}>
          Retry
        </button>
      </p>
    );
  }
  if (quota === null) return <p className={styles.left}>&nbsp;</p>;
  const total = hasFailed ? '' : ` of ${PLANS[plan].perDay}`;
  return (
    <p className={styles.left}>
      {quota.remainingDaily === UNLIMITED ? (
        'Unlimited predictions'
      ) : (
        <span>
          <span className="figures">{Math.min(quota.remainingDaily, monthly(quota.remainingMonthly))}</span>
          {total} left today
        </span>
      )}
    </p>
  );
}

/** A month that is used up leaves nothing for the day. */
const monthly = (left: number): number => (left === UNLIMITED ? Number.POSITIVE_INFINITY : left);
