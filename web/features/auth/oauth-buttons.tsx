/** Google and GitHub buttons, with a notice when a provider is simulated or unavailable. */
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { returnPath } from '../../session/return-path.ts';
import { useProviderKinds } from '../../site/site-config.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { signInWith } from './auth-api.ts';
import styles from './auth-form.module.css';

const PROVIDERS = [
  { id: 'google', name: 'Google' },
  { id: 'github', name: 'GitHub' },
] as const;
const NOT_YET = 'Not available yet';

export function OAuthButtons() {
  const { search, state } = useLocation();
  const kinds = useProviderKinds();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    // The browser's back button restores the page as it was left.
    const stay = () => setLeavingTo(null);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  async function leave(provider: (typeof PROVIDERS)[number]): Promise<void> {
    setLeavingTo(provider.id);
    setFailure(null);
    const told = await signInWith(provider, returnPath(search, state, window.location.origin));
    if (told === null) return;
    setFailure(told);
    setLeavingTo(null);
  }

  const standIns = PROVIDERS.filter(({ id }) => kinds?.[id] === 'sandbox').map(({ name }) => name);
  const isNothingThere = kinds !== null && PROVIDERS.every(({ id }) => kinds[id] === 'off');
  return (
    <div>
      <p className={styles.divider}>or</p>
      <div className={styles.providers}>
        {PROVIDERS.map((provider) => (
          <Button
            key={provider.id}
            disabled={kinds?.[provider.id] === 'off' || (leavingTo !== null && leavingTo !== provider.id)}
            isBusy={leavingTo === provider.id}
            title={titleOf(provider.name, kinds?.[provider.id])}
            onClick={() => void leave(provider)}
          >
            {provider.name}
          </Button>
        ))}
      </div>
      {failure !== null && <Failure className={styles.note}>{failure}</Failure>}
      {standIns.length > 0 && (
        <p className={styles.note}>Test sign-in: no real {standIns.join(' or ')} account is used</p>
      )}
      {isNothingThere && <p className={styles.note}>Signing in with Google or GitHub is not available yet.</p>}
    </div>
  );
}

function titleOf(name: string, kind: 'live' | 'sandbox' | 'off' | undefined): string | undefined {
  if (kind === 'sandbox') return `Test sign-in, not ${name}`;
  return kind === 'off' ? NOT_YET : undefined;
}
