import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { ExternalLink } from '../../ui/layout/external-link.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import styles from './operator-card.module.css';

export function OperatorCard({ className }: { className?: string | undefined }) {
  const { settings, hasFailed, isRetrying, retry } = useSiteSettingsState();
  const hasSamples = settings !== null && (settings.samples.operator || settings.samples.links);
  return (
    <Panel
      heading="Who runs this site"
      className={className}
      beside={
        hasSamples && (
          <Badge
            tone="warning"
            title="Some of these names and links are samples. The site operator has not set them yet."
          >
            sample
          </Badge>
        )
      }
    >
      {hasFailed && settings === null ? (
        <ErrorState title="We couldn’t load the names and links" onRetry={retry} isRetrying={isRetrying} />
      ) : (
        <dl className="grid gap-3">
          <Fact name="Operator">{settings?.operatorName ?? <Skeleton className={styles.waiting} />}</Fact>
          <Fact name="Support">
            {settings === null ? (
              <Skeleton className={styles.waiting} />
            ) : (
              <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
            )}
          </Fact>
          <Fact name="Terms and privacy">
            <Link to="/legal">Legal</Link>
          </Fact>
          <Fact name="Elsewhere">
            {settings === null ? (
              <Skeleton className={styles.waitingList} />
            ) : (
              <ul>
                {settings.links.social.map(({ label, url }) => (
                  <li key={label}>
                    <ExternalLink href={url}>{label}</ExternalLink>
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        </dl>
      )}
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted size-12">{name}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}
