/** Links to the channel, the chat and the patron page. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettingsState } from '../../site/site-settings.ts';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { FailureLine } from '../../ui/status/panel-note.tsx';
import styles from './channel.module.css';

interface ChannelLinksProps {
  site: SiteSettingsState;
  /** Whether the links have a Retry button. When more is missing, one Retry reloads everything. */
  hasRetry: boolean;
}

/** The site settings hold the URLs; the defaults are samples. */
export function ChannelLinks({ site, hasRetry }: ChannelLinksProps) {
  const { settings, hasFailed } = site;
  if (settings === null) {
    return (
      <div className={styles.links}>
        {hasFailed && (
          <FailureLine role="status" again={hasRetry ? site : undefined}>
            We couldn’t load the links.
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
            <span>{text}</span> {isSampleLink(url) && <span className="size-12 weight-400">sample</span>}
          </ExternalLinkButton>
        </li>
      ))}
    </ul>
  );
}
