/** What is known of the signed-in user. */
import { useSession } from '../../session/session.ts';
import { Panel } from '../../ui/panel.tsx';
import styles from './account-facts.module.css';

/** E-mail and the day the account was made. */
export function SecurityFacts() {
  const { user } = useSession();
  return (
    <Panel heading="Account">
      <dl className={styles.facts}>
        <Fact term="Email" value={user?.email ?? '—'} />
        <Fact term="Account created" value={user ? dateOf(user.createdAt) : '—'} />
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

function dateOf(iso: string): string {
  return new Date(iso).toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
}
