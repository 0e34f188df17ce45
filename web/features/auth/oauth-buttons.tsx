/** Google and GitHub. They have their place; signing in with them is not available yet, and they say so. */
import { Button } from '../../ui/button.tsx';
import styles from './auth-form.module.css';

const PROVIDERS = ['Google', 'GitHub'] as const;
const NOT_YET = 'Not available yet';

export function OAuthButtons() {
  return (
    <div>
      <p className={styles.divider}>or</p>
      <div className={styles.providers}>
        {PROVIDERS.map((provider) => (
          <Button key={provider} disabled title={NOT_YET}>
            {provider}
          </Button>
        ))}
      </div>
      <p className={styles.note}>Signing in with Google or GitHub is not available yet.</p>
    </div>
  );
}
