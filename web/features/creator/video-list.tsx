/** The channel's newest videos, at most ten. Thumbnails are hosted by the video service, so none is fetched. */
import type { ReactNode } from 'react';
import { compactCount } from '#domain/community/counter-messages.ts';
import type { Video } from '#domain/community/counters.ts';
import { zonedDay, zonedSecond } from '#domain/format/zoned-time.ts';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { ChannelState } from './use-channel.ts';
import styles from './video-list.module.css';

/** Specified maximum. */
const MOST_VIDEOS = 10;
const WAITING = 6;

export interface VideoListProps {
  channel: ChannelState;
  simulated: ReactNode;
  /** The links to the channel appear above. */
  hasLinks: boolean;
  /** Retries everything on the page that failed to load. */
  onRetry: () => void;
}

export function VideoList({ channel, simulated, hasLinks, onRetry }: VideoListProps) {
  const { known, isMissing } = channel;
  const videos = known.data?.videos ?? [];
  return (
    <Panel heading="Recent videos" isFlush beside={simulated}>
      <div className={classNames(styles.place, known.staleSinceMs !== null && 'old-figures')}>
        {isMissing ? (
          <ErrorState
            title="We couldn’t load the videos"
            text={hasLinks ? 'The links above still lead to the channel.' : 'The channel links didn’t load either.'}
            onRetry={onRetry}
            isRetrying={known.isRetrying}
          />
        ) : known.data === null ? (
          <Waiting />
        ) : videos.length === 0 ? (
          <EmptyState title="No recent videos" text="Short videos aren’t listed here." />
        ) : (
          <ul>
            {videos.slice(0, MOST_VIDEOS).map((video) => (
              <li key={video.id} className={styles.video}>
                <VideoText video={video} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function VideoText({ video: { title, description, viewCount, publishedAt, url } }: { video: Video }) {
  const published = new Date(publishedAt);
  return (
    <>
      <div className={styles.text}>
        <h3 dir="auto" className={styles.title}>
          {title}
        </h3>
        <p dir="auto" className={styles.description}>
          {description}
        </p>
        <p className={styles.facts}>
          <span className="figures">{viewCount === null ? '—' : compactCount(viewCount)}</span>
          {viewCount === 1 ? ' view' : ' views'}
          {' · '}
          <time dateTime={published.toISOString()} title={zonedSecond(published.getTime(), 'UTC')}>
            {zonedDay(published.getTime(), 'UTC')}
          </time>
        </p>
      </div>
      <ExternalLinkButton href={url}>
        Watch <span className="visually-hidden">{title}</span>
      </ExternalLinkButton>
    </>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading videos">
      {Array.from({ length: WAITING }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={i} className={styles.video}>
          <Skeleton className={styles.waiting} />
        </div>
      ))}
    </div>
  );
}
