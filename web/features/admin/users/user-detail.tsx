import type { ReactNode } from 'react';
import { PROFILE, PROFILE_FIELDS, type ProfileFieldRow } from '#domain/account/profile.ts';
import {
  type AdminUser,
  describeStatus,
  displayStatus,
  lastActivityMs,
  nameOf,
  planLabel,
  timeLeft,
  websiteHref,
} from '#domain/admin/admin-user.ts';
import { describeLeft, type Quota } from '#domain/forecast/quota.ts';
import { ExternalLink } from '../../../ui/layout/external-link.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ExactTime } from '../exact-time.tsx';
import styles from './user-detail.module.css';
import { UserPredictions } from './user-predictions.tsx';
import { AdminBadge, PlanBadge, StatusBadge, SwitchBadge, UserAvatar } from './user-row.tsx';

export interface UserDetailProps {
  user: AdminUser;
  quota: Quota | undefined;
  hasQuotaFailed: boolean;
  zone: string;
  nowMs: number;
}

export function UserDetail({ user, quota, hasQuotaFailed, zone, nowMs }: UserDetailProps) {
  const status = displayStatus(user);
  const label = describeStatus(status, zone);
  const left = timeLeft(user.periodEndMs, nowMs);
  const time = (timeMs: number | null) => (
    <ExactTime timeMs={timeMs} zone={zone} form="minute" nowMs={nowMs} hasFocus />
  );
  const quotaOf = (remaining: number | undefined) => {
    if (remaining !== undefined) return <span className="figures">{describeLeft(remaining)}</span>;
    return hasQuotaFailed ? 'couldn’t load' : '…';
  };
  return (
    <>
      <header className={styles.head}>
        <UserAvatar user={user} size="medium" />
        <div className="size-13 min-width-0">
          <p className={styles.email}>{user.email ?? '-'}</p>
          <p className="muted">{nameOf(user)}</p>
        </div>
        <div className={styles.badges}>
          {user.isAdmin && <AdminBadge />}
          <PlanBadge plan={user.plan} />
          <StatusBadge status={status} label={label} />
        </div>
        <dl className={styles.times}>
          <Fact name="Time left">
            <span className="figures">{left}</span>
          </Fact>
          <Fact name="Last activity">
            <ExactTime timeMs={lastActivityMs(user)} zone={zone} form="age" nowMs={nowMs} hasFocus />
          </Fact>
        </dl>
      </header>
      <div className={styles.cards}>
        <Card heading="Profile">
          {PROFILE_FIELDS.filter((field) => field !== 'full_name').map((field) => (
            <Fact key={field} name={PROFILE[field].label}>
              <ProfileFact kind={PROFILE[field].kind} text={user.profile[field]} />
            </Fact>
          ))}
        </Card>
        <Card heading="Subscription">
          <Fact name="Plan">{planLabel(user.plan)}</Fact>
          <Fact name="Remaining daily">{quotaOf(quota?.remainingDaily)}</Fact>
          <Fact name="Remaining monthly">{quotaOf(quota?.remainingMonthly)}</Fact>
          <Fact name="Current period start">{time(user.periodStartMs)}</Fact>
          <Fact name="Current period end">
            <span>{time(user.periodEndMs)}</span>
            {user.periodEndMs !== null && <span className={`figures ${styles.countdown}`}>{left}</span>}
          </Fact>
          <Fact name="Cancel at period end">{user.hasCancelFlag ? 'Yes' : 'No'}</Fact>
          <Fact name="Status">
            <span>{label}</span>
            {user.status !== null && <span className={styles.code}>{user.status}</span>}
          </Fact>
        </Card>
        <Card heading="Security & Activity">
          <Fact name="2FA">
            <SwitchBadge isOn={user.hasTwoFactor} />
          </Fact>
          <Fact name="Email">
            <SwitchBadge isOn={user.hasEmailNotifications} />
          </Fact>
          <Fact name="Push">
            <SwitchBadge isOn={user.hasPushNotifications} />
          </Fact>
          <Fact name="Marketing">
            <SwitchBadge isOn={user.hasMarketingEmails} />
          </Fact>
          <Fact name="Last sign-in">{time(user.lastSignInMs)}</Fact>
          <Fact name="Joined">{time(user.createdMs)}</Fact>
          <Fact name="Updated">{time(user.updatedMs)}</Fact>
        </Card>
      </div>
      <UserPredictions user={user} zone={zone} nowMs={nowMs} />
    </>
  );
}

function Card({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Panel heading={heading} level={3}>
      <dl className={styles.facts}>{children}</dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ProfileFact({ kind, text }: { kind: ProfileFieldRow['kind']; text: string | null }) {
  if (text === null) return '-';
  if (kind === 'long-text') return <span className={styles.bio}>{text}</span>;
  const href = kind === 'url' ? websiteHref(text) : null;
  return href === null ? text : <ExternalLink href={href}>{text}</ExternalLink>;
}
