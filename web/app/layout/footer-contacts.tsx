import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { type SiteSettingsState, useSiteSettingsState } from '../../site/site-settings.ts';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { ExternalLink } from '../../ui/layout/external-link.tsx';
import styles from './footer-contacts.module.css';

/** The other coins are on /about#donate. */
const SHOWN_COINS = ['BTC', 'ETH'];

export function FooterContacts({ className }: { className?: string | undefined }) {
  const site = useSiteSettingsState();
  const { settings, hasFailed } = site;
  if (settings === null) return <div className={className}>{hasFailed && <LoadFailure site={site} />}</div>;
  const coins = settings.donations.filter(({ ticker }) => SHOWN_COINS.includes(ticker));
  return (
    <div className={className}>
      <Contact settings={settings} />
      {coins.length > 0 && (
        <div>
          <p className={styles.heading}>Donate</p>
          <ul>
            {coins.map(({ ticker, address }) => (
              <li key={ticker} className={styles.coin}>
                <span className={styles.ticker}>{ticker}</span>
                <code className={settings.samples.donations ? styles.demo : styles.address} title={address}>
                  {address}
                </code>
                <CopyButton isIcon text={address} what={`${ticker} address`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function LoadFailure({ site: { isRetrying, retry } }: { site: SiteSettingsState }) {
  return (
    <>
      <div>
        <p className={styles.heading}>Community</p>
        <p className={styles.missing}>We couldn’t load the links.</p>
        <Button size="small" isBusy={isRetrying} onClick={retry}>
          Retry
        </Button>
      </div>
      <div>
        <p className={styles.heading}>Donate</p>
        <p className={styles.missing}>We couldn’t load the addresses.</p>
      </div>
    </>
  );
}

function Contact({ settings: { links, supportEmail, samples } }: { settings: SiteSettings }) {
  return (
    <div>
      <p className={styles.heading}>Community</p>
      <ul className={styles.links}>
        {links.social.map(({ label, url }) => (
          <li key={label}>
            <ExternalLink href={url}>{label}</ExternalLink>
            {isSampleLink(url) && <span className="warning size-12"> sample</span>}
          </li>
        ))}
        <li>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          {samples.operator && <span className="warning size-12"> sample</span>}
        </li>
      </ul>
    </div>
  );
}
