/** Visitors see that an account is needed; users get the download. Both have the same height, so nothing moves. */
import { useLocation } from 'react-router';
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { ReturnState } from '../../session/return-path.ts';
import { useSession } from '../../session/session.ts';
import { useSiteSettings } from '../../site/site-settings.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './account-box.module.css';

export function AccountBox() {
  const { initialized, user } = useSession();
  if (user !== null) return <Download />;
  // Most users are visitors until known; if a session is stored, this stays hidden until it is checked.
  return (
    <div data-until-known={initialized ? undefined : ''}>
      <AccountRequired />
    </div>
  );
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
        <LinkButton to="/auth/signup" state={state} variant="primary">
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
        {url !== null && <ExternalLinkButton href={url}>Download version 0.3</ExternalLinkButton>}
      </div>
    </Panel>
  );
}
