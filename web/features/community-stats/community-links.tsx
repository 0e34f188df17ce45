/**
 * Links to the community's places and the simulator's download. The site settings hold the URLs; the defaults are
 * samples.
 */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import type { SiteSettingsState } from '../../site/site-settings.ts';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { FailureLine } from '../../ui/status/panel-note.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './community-links.module.css';

export function CommunityLinks({ site }: { site: SiteSettingsState }) {
  const { settings, hasFailed } = site;
  // Reserves their space until the settings load.
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

/** True when one of them is still a sample link. */
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
