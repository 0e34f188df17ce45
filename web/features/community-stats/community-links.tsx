/** Where the community meets, and the simulator's download. Addresses are the site's settings; what ships is a sample. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { LinkButton } from '../../ui/button.tsx';
import styles from './community-stats.module.css';

export function CommunityLinks({ settings }: { settings: SiteSettings | null }) {
  // Their place is kept while they are not known.
  if (settings === null) return <div className={styles.links} />;
  return (
    <ul className={styles.links}>
      {linksOf(settings).map(({ text, url }) => (
        <li key={text}>
          <LinkButton to={url} rel="noreferrer" isBlock className={styles.link}>
            {text}
          </LinkButton>
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
