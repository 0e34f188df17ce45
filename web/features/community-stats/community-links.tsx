/** Where the community meets, and the simulator's download. Addresses are the site's settings; what ships is a sample. */
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { LinkButton } from '../../ui/button.tsx';
import styles from './community-stats.module.css';

export function CommunityLinks({ settings }: { settings: SiteSettings | null }) {
  // Their place is kept while they are not known.
  if (settings === null) return <div className={styles.links} />;
  const { channel, chat, patrons, simulatorDownload } = settings.links;
  const links = [
    { text: 'Video channel', url: channel },
    { text: 'Chat community', url: chat },
    { text: 'Patron page', url: patrons },
    { text: 'Download simulator', url: simulatorDownload },
  ];
  return (
    <ul className={styles.links}>
      {links.map(({ text, url }) => (
        <li key={text}>
          <LinkButton to={url} rel="noreferrer" isBlock className={styles.link}>
            {text}
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}
