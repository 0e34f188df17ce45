import { Link } from 'react-router';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import type { SessionUser } from '../../../session/session.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import styles from './security-overview.module.css';

export function SecurityOverview({ user }: { user: SessionUser }) {
  const { zone } = useTimeZone();
  return (
    <Panel heading="Account Security">
      <p className={styles.lead}>
        A password that you use nowhere else, a second factor, and a look now and then at where you are signed in keep
        your account yours.{' '}
        {user.emailConfirmed
          ? 'A new password and a change of second factors are told to you by mail.'
          : 'Once your email is verified, a new password and a change of second factors are told to you by mail.'}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>Email</dt>
          <dd className="break-anywhere">
            {user.email ?? 'None'}{' '}
            {user.email !== null && (
              <Badge tone={user.emailConfirmed ? 'up' : 'warning'}>
                {user.emailConfirmed ? 'Verified' : 'Not verified'}
              </Badge>
            )}
            <span className="block muted size-13">
              Email cannot be changed
              {!user.emailConfirmed && (
                <>
                  . Verify it on the <Link to="/dashboard">dashboard</Link>.
                </>
              )}
            </span>
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
