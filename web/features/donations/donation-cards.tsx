import type { Donation } from '#domain/site/site-settings.ts';
import { useSiteSettingsState } from '../../site/site-settings.ts';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import section from './donate-section.module.css';
import styles from './donation-cards.module.css';

export function DonationCards() {
  const { settings, hasFailed, isRetrying, retry } = useSiteSettingsState();
  if (settings === null) {
    if (!hasFailed) return <Skeleton className={section.place} />;
    return (
      <div className={section.place}>
        <ErrorState title="We couldn’t load the donation addresses" isPart onRetry={retry} isRetrying={isRetrying} />
      </div>
    );
  }
  if (settings.donations.length === 0) return <EmptyState title="We don’t take donations at the moment." />;
  const isSample = settings.samples.donations;
  return (
    <div className={isSample ? section.place : undefined}>
      {isSample && (
        <Notice tone="warning" title="Demo address - do not send" className={styles.warning}>
          <p>No real addresses are set yet. The pictures and texts below are samples and belong to no one.</p>
        </Notice>
      )}
      <ul className={styles.cards}>
        {settings.donations.map((donation) => (
          <Card key={donation.ticker} donation={donation} isSample={isSample} />
        ))}
      </ul>
    </div>
  );
}

function Card({ donation, isSample }: { donation: Donation; isSample: boolean }) {
  const { name, ticker, address, qr, memo } = donation;
  return (
    <li className={styles.card}>
      <img src={qr} alt={`QR code of the ${ticker} address`} width="128" height="128" className={styles.picture} />
      <div className="grid gap-2 min-width-0 flex-1">
        <h3 className="size-14">
          <span>{name}</span> {name !== ticker && <span className="muted weight-400">{ticker}</span>}
        </h3>
        <div className={styles.line}>
          <code className={isSample ? styles.sample : styles.address}>{address}</code>
          <CopyButton text={address} what={`${ticker} address`} />
        </div>
        {memo !== undefined && (
          <div className={styles.line}>
            <span className="muted size-12">
              Destination tag <code className={isSample ? styles.sample : styles.address}>{memo}</code>
            </span>
            <CopyButton text={memo} what={`${ticker} destination tag`} />
          </div>
        )}
      </div>
    </li>
  );
}
