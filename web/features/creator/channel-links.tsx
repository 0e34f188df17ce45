/** Where the channel is, and where those who watch it meet. Addresses are the site's settings; what ships is a sample. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettingsState } from '../../site/site-settings.ts';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { FailureLine } from '../../ui/status/panel-note.tsx';
import styles from './channel-links.module.css';

export interface ChannelLinksProps {
  site: SiteSettingsState;
  /** Of their own; where more is missing, one Retry asks for all. */
  hasRetry: boolean;
}

export function ChannelLinks({ site, hasRetry }: ChannelLinksProps) {
  const { settings, hasFailed } = site;
  if (settings === null) {
    return (
      <div className={styles.links}>
        {hasFailed && (
          <FailureLine role="status" again={hasRetry ? site : undefined}>
            The links could not be loaded.
          </FailureLine>
        )}
      </div>
    );
  }
  const { channel, chat, patrons } = settings.links;
  const links = [
    { text: 'Video channel', url: channel, variant: 'primary' },
    { text: 'Chat community', url: chat, variant: 'secondary' },
    { text: 'Patron page', url: patrons, variant: 'secondary' },
  ] as const;
  return (
    <ul className={styles.links}>
      {links.map(({ text, url, variant }) => (
        <li key={text}>
          <ExternalLinkButton href={url} variant={variant} isBlock>
            {text} {isSampleLink(url) && <span className={styles.sample}>sample</span>}
          </ExternalLinkButton>
        </li>
      ))}
    </ul>
  );
}
