import { Link } from 'react-router';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import type { SessionUser } from '../../../session/session.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { useProfile } from '../profile/use-profile.ts';
import styles from './security-overview.module.css';

export function SecurityOverview({ user }: { user: SessionUser }) {
  const { zone } = useTimeZone();
  const { profile, hasFailed } = useProfile(user);
  return (
    <Panel heading="Account Security">
      <p className={styles.lead}>
        To protect your account, use a unique password, add a second factor, and check from time to time where you are
        signed in.{' '}
        {user.emailConfirmed
          ? 'We email you when your password or second factors change.'
          : 'Once you verify your email, we email you when your password or second factors change.'}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>Email</dt>
          <dd className="break-anywhere">
            <span>{user.email ?? 'None'}</span>{' '}
            {user.email !== null && (
              <Badge tone={user.emailConfirmed ? 'up' : 'warning'}>
                {user.emailConfirmed ? 'Verified' : 'Not verified'}
              </Badge>
            )}
            <span className="block muted size-13">
              <span>
                Change it on your <Link to="/account">profile</Link>.
              </span>
              {!user.emailConfirmed && (
                <span>
                  {' '}
                  Verify it on the <Link to="/dashboard">dashboard</Link>.
                </span>
              )}
            </span>
          </dd>
        </div>
        <div>
          <dt>Two-factor sign-in</dt>
          <dd>
            {profile === null ? (
              <span className="muted">{hasFailed ? 'Not available' : '…'}</span>
            ) : (
              <Badge tone={profile.two_factor_enabled ? 'up' : 'neutral'}>
                {profile.two_factor_enabled ? 'On' : 'Off'}
              </Badge>
            )}
          </dd>
        </div>
        <div>
          <dt>Account created</dt>
          <dd>{zonedMinute(Date.parse(user.createdAt), zone)}</dd>
        </div>
      </dl>
    </Panel>
  );
}
