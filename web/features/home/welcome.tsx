/** Greets a user who has just signed up, and says what comes next. */
import { useLocation } from 'react-router';
import { useSession } from '../../session/session.ts';
import { useIsKnown } from '../../ui/browser/prerendered-store.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import styles from './welcome.module.css';

export function Welcome() {
  const { state } = useLocation();
  const { user } = useSession();
  // A reload keeps the history's state, but the page was rendered without it.
  const isKnown = useIsKnown();
  const isNew = typeof state === 'object' && state !== null && 'hasSignedUp' in state;
  if (!isKnown || !isNew || user === null) return null;
  return (
    <section aria-labelledby="welcome" className={styles.welcome}>
      <div>
        <h2 id="welcome" className="size-16">
          {user.fullName === null ? 'Welcome to Kat' : `Welcome to Kat, ${user.fullName}`}
        </h2>
        <p className="muted">
          {user.emailConfirmed
            ? 'Your account is ready. The dashboard leads you to your first forecast, step by step.'
            : 'Your account is ready. Click the link in our email to verify your address. The dashboard leads you on, step by step.'}
        </p>
      </div>
      <LinkButton to="/dashboard">See the first steps</LinkButton>
    </section>
  );
}
