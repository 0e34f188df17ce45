/** Community: subscribers, views, members and patrons, and where they meet. Specification 1, sections 2, 8 and 9. */
import { NOT_KNOWN } from '#domain/community/counter-words.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { useSiteSettingsState } from '../../session/site-settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { KeptNote } from '../../ui/kept-note.tsx';
import { Skeleton } from '../../ui/loader.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CommunityLinks, hasSampleLink } from './community-links.tsx';
import styles from './community-stats.module.css';
import { type CommunityState, type Figure, type StatsVariant, useCommunity } from './use-community.ts';

export interface CommunityStatsProps {
  className?: string | undefined;
  /** home: with its links. about: the four figures alone, and other defaults. */
  variant: StatsVariant;
}

/** Height: 256 px, up to 900 px wide 300, up to 640 px 420; without links (about) 195, on phones 299. */
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
            <Badge tone="warning" title="Made-up counts of stand-ins for the services.">
              simulated
            </Badge>
          )}
          {variant === 'home' && site.settings !== null && hasSampleLink(site.settings) && (
            <Badge title="Whoever runs this site has set no addresses of their own yet.">sample links</Badge>
          )}
        </>
      }
    >
      <dl className={styles.figures}>
        {state.figures.map((figure) => (
          <Count key={figure.name} figure={figure} />
        ))}
      </dl>
      {variant === 'home' && <CommunityLinks site={site} />}
      <div className={styles.note}>
        <KeptNote kept={state.known} nowMs={state.nowMs}>
          <Told state={state} />
        </KeptNote>
      </div>
    </Panel>
  );
}

function Count({ figure: { name, text, beside, isDefault } }: { figure: Figure }) {
  return (
    <div className={styles.figure} data-plain={isDefault || text === NOT_KNOWN || undefined}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        {text === null ? <Skeleton className={styles.waiting} /> : <span className="figures">{text}</span>}
        <span className={styles.beside}>{beside}</span>
      </dd>
    </div>
  );
}

/** What the line under the figures says of all of them. */
function Told({ state: { known, countedAtMs, isSimulated, nowMs } }: { state: CommunityState }) {
  const { failure, isRetrying, retry } = known;
  if (failure !== null)
    return (
      <>
        <p className={styles.failure} role="status">
          {failure}
        </p>
        <Button size="small" isBusy={isRetrying} onClick={retry}>
          Retry
        </Button>
      </>
    );
  if (countedAtMs === null) return <p>{known.data === null ? 'Asking for the figures.' : 'No counts are known.'}</p>;
  return (
    <p>
      {isSimulated ? 'As stand-ins for the services count them.' : 'As the services count them.'}{' '}
      <span title={new Date(countedAtMs).toLocaleString()}>
        Asked <time dateTime={new Date(countedAtMs).toISOString()}>{relativeTime(countedAtMs, nowMs)}</time>.
      </span>
    </p>
  );
}
