/** Visitors learn that an account is needed; users get the download. One place, one height: nothing jumps. */
import { useLocation } from 'react-router';
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { ReturnState } from '../../session/return-path.ts';
import { useSession } from '../../session/session.ts';
import { useSiteSettings } from '../../session/site-settings.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/loader.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './account-box.module.css';

export function AccountBox() {
  const { initialized, user } = useSession();
  if (!initialized) return <Skeleton className={styles.box} />;
  return user === null ? <AccountRequired /> : <Download />;
}

function AccountRequired() {
  const { pathname, search, hash } = useLocation();
  const state: ReturnState = { from: pathname + search + hash };
  return (
    <Panel heading="Account Required" className={styles.box}>
      <p className={styles.text}>
        A free account here is needed first. The purchase itself is made on the patron page.
      </p>
      <div className={styles.actions}>
        <LinkButton to="/auth/signup" state={state}>
          Sign Up Free
        </LinkButton>
        <LinkButton to="/auth/signin" state={state} variant="quiet">
          Sign In
        </LinkButton>
      </div>
    </Panel>
  );
}

function Download() {
  const settings = useSiteSettings();
  const url = settings?.links.simulatorDownload ?? null;
  return (
    <Panel heading="Already bought?" className={styles.box}>
      <p className={styles.text}>
        {url !== null && isSampleLink(url)
          ? 'Sample link: the operator sets the real download.'
          : 'The download asks for what the patron page sent you.'}
      </p>
      <div className={styles.actions}>
        {url !== null && (
          <LinkButton to={url} target="_blank" rel="noopener">
            Download version 0.3
          </LinkButton>
        )}
      </div>
    </Panel>
  );
}
