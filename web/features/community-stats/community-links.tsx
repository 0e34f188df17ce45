/** Where the community meets, and the simulator's download. Addresses are the site's settings; what ships is a sample. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import type { SiteSettingsState } from '../../session/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ExternalLinkButton } from '../../ui/external-link.tsx';
import styles from './community-stats.module.css';

export function CommunityLinks({ site }: { site: SiteSettingsState }) {
  const { settings, hasFailed, isRetrying, retry } = site;
  // Their place is kept while they are not known.
  if (settings === null)
    return (
      <div className={classNames(styles.links, hasFailed && styles.missing)}>
        {hasFailed && (
          <>
            <p className={styles.failure} role="status">
              The links could not be loaded.
            </p>
            <Button size="small" isBusy={isRetrying} onClick={retry}>
              Retry
            </Button>
          </>
        )}
      </div>
    );
  return (
    <ul className={styles.links}>
      {linksOf(settings).map(({ text, url }) => (
        <li key={text}>
          <ExternalLinkButton href={url} isBlock className={styles.link}>
            {text}
          </ExternalLinkButton>
        </li>
      ))}
    </ul>
  );
}

/** True where one of them leads nowhere yet. */
export function hasSampleLink(settings: SiteSettings): boolean {
  return linksOf(settings).some(({ url }) => isSampleLink(url));
}

function linksOf({ links: { channel, chat, patrons, simulatorDownload } }: SiteSettings) {
  return [
    { text: 'Video channel', url: channel },
    { text: 'Chat community', url: chat },
    { text: 'Patron page', url: patrons },
    { text: 'Download simulator', url: simulatorDownload },
  ];
}
