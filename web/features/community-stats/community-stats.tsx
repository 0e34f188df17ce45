import { NOT_KNOWN } from '#domain/community/counter-messages.ts';
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { type SiteSettingsState, useSiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AsOf } from '../../ui/status/as-of.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './community-stats.module.css';
import { type CommunityState, type StatsVariant, useCommunity } from './use-community.ts';

interface CommunityStatsProps {
  className?: string | undefined;
  /** home: with links. about: only the four figures, with other defaults. */
  variant: StatsVariant;
}

/** Height in px: 256; 300 up to 900 px wide; 423 up to 640 px wide. Without links (about) 195, on phones 299. */
export function CommunityStats({ className, variant }: CommunityStatsProps) {
  const state = useCommunity(variant);
  const site = useSiteSettingsState();
  return (
    <Panel
      heading="Community"
      className={className}
      isFlush
      beside={
        <>
          {state.isSimulated && (
            <Badge tone="warning" title="Simulated counts, not from the real services.">
              simulated
            </Badge>
          )}
          {variant === 'home' && site.settings !== null && hasSampleLink(site.settings) && (
            <Badge title="The site operator has not set any links yet.">sample links</Badge>
          )}
        </>
      }
    >
      <FigureStrip columns={4} isLarge>
        {state.figures.map(({ name, text, beside, isDefault }) => (
          <StripFigure
            key={name}
            name={name}
            isWaiting={text === null}
            isPlain={isDefault || text === NOT_KNOWN}
            detail={beside}
          >
            {text}
          </StripFigure>
        ))}
      </FigureStrip>
      {variant === 'home' && <CommunityLinks site={site} />}
      <PanelNote lastData={state.known} nowMs={state.nowMs}>
        <CountsAge state={state} />
      </PanelNote>
    </Panel>
  );
}

/** The line under the figures, which applies to all of them. */
function CountsAge({ state: { known, countedAtMs, isSimulated, nowMs } }: { state: CommunityState }) {
  if (known.failure !== null)
    return (
      <FailureLine role="status" again={known}>
        {known.failure}
      </FailureLine>
    );
  if (countedAtMs === null) return <p>{known.data === null ? 'Loading the figures.' : 'No counts available.'}</p>;
  return (
    <p>
      {isSimulated ? 'Simulated counts.' : 'Counts from the services.'}{' '}
      <AsOf label="Updated" timeMs={countedAtMs} nowMs={nowMs} />
    </p>
  );
}

/** The site settings hold the URLs; the defaults are samples. */
function CommunityLinks({ site }: { site: SiteSettingsState }) {
  const { settings, hasFailed } = site;
  // Reserves their space until the settings load.
  if (settings === null)
    return (
      <div className={classNames(styles.links, hasFailed && styles.missing)}>
        {hasFailed && (
          <FailureLine role="status" again={site}>
            We couldn’t load the links.
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

function hasSampleLink(settings: SiteSettings): boolean {
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
