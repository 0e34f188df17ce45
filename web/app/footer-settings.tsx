/** The footer's part that the operator's settings fill: where people meet, whom to ask, two coins to give. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { useSiteSettings } from '../session/site-settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './footer-settings.module.css';

/** The others stand on /about#donate. Specification 1, section 2. */
const SHOWN = ['BTC', 'ETH'];

export function FooterSettings({ className }: { className?: string | undefined }) {
  const settings = useSiteSettings();
  // Without them the quick links still lead to every page.
  if (settings === null) return <div className={className} />;
  const coins = settings.donations.filter(({ ticker }) => SHOWN.includes(ticker));
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
                <CopyButton isIcon text={address} label={`Copy ${ticker} address`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Contact({ settings: { links, supportEmail, samples } }: { settings: SiteSettings }) {
  return (
    <div>
      <p className={styles.heading}>Community</p>
      <ul className={styles.links}>
        {links.social.map(({ label, url }) => (
          <li key={label}>
            <a href={url} target="_blank" rel="noopener">
              {label}
            </a>
            {isSampleLink(url) && <span className={styles.sample}> sample</span>}
          </li>
        ))}
        <li>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          {samples.operator && <span className={styles.sample}> sample</span>}
        </li>
      </ul>
    </div>
  );
}
