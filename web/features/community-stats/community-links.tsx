/** Where the community meets, and the simulator's download. Addresses are the site's settings; what ships is a sample. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import type { SiteSettingsState } from '../../site/site-settings.ts';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { FailureLine } from '../../ui/status/panel-note.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './community-links.module.css';

export function CommunityLinks({ site }: { site: SiteSettingsState }) {
  const { settings, hasFailed } = site;
  // Their place is kept while they are not known.
  if (settings === null)
    return (
      <div className={classNames(styles.links, hasFailed && styles.missing)}>
        {hasFailed && (
          <FailureLine role="status" again={site}>
            The links could not be loaded.
          </FailureLine>
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
