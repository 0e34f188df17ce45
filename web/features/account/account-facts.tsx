/** What is known of the signed-in user. */
import { zonedDay } from '#domain/format/zoned-time.ts';
import { useSession } from '../../session/session.ts';
import { Panel } from '../../ui/panel.tsx';
import { useTimeZone } from '../../ui/time-zone.ts';
import styles from './account-facts.module.css';

/** E-mail and the day the account was made. */
export function SecurityFacts() {
  const { user } = useSession();
  const { zone } = useTimeZone();
  return (
    <Panel heading="Account">
      <dl className={styles.facts}>
        <Fact term="Email" value={user?.email ?? '—'} />
        <Fact term="Account created" value={user ? zonedDay(Date.parse(user.createdAt), zone) : '—'} />
      </dl>
    </Panel>
  );
}

function Fact({ term, value, note }: { term: string; value: string; note?: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        {value}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
