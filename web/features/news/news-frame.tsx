/** The frame of both news lists, with the source and the age of stale news. */
import type { ReactNode } from 'react';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { useCommunityKind } from '../../site/site-config.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Retry } from '../../ui/status/quiet.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { Headline } from './news-api.ts';
import styles from './news-frame.module.css';
import type { NewsState } from './use-news.ts';

export interface NewsFrameProps<T extends Headline> {
  heading: string;
  className?: string | undefined;
  state: NewsState<T>;
  contentClassName: string | undefined;
  /** Shown if there are no news, or they could not be loaded. */
  emptyText: string;
  loading: ReactNode;
  children: (news: readonly T[]) => ReactNode;
}

export function NewsFrame<T extends Headline>(props: NewsFrameProps<T>) {
  const { heading, className, state, contentClassName, emptyText, loading, children } = props;
  const { data, failure, staleSinceMs, isRetrying, retry } = state.known;
  const { zone } = useTimeZone();
  const again = (size: 'small' | 'medium') => <Retry size={size} isRetrying={isRetrying} onRetry={retry} />;
  return (
    <Panel
      heading={heading}
      className={className}
      isFlush
      beside={
        <>
          <SimulatedNews />
          {staleSinceMs !== null && (
            <Badge tone="warning" role="status" title={`Shown as of ${zonedSecond(staleSinceMs, zone)}`}>
              {`as of ${relativeTime(staleSinceMs, state.nowMs, 'm')}`}
            </Badge>
          )}
        </>
      }
      actions={staleSinceMs !== null && again('small')}
    >
      <div className={classNames(styles.frame, staleSinceMs !== null && 'old-figures')}>
        <div className={contentClassName}>
          {data === null && failure === null && loading}
          {data !== null && data.length > 0 && children(data)}
          {(data === null ? failure !== null : data.length === 0) && (
            <EmptyState title={emptyText} action={data === null && again('medium')} />
          )}
        </div>
      </div>
    </Panel>
  );
}

/** Marks news from the sandbox; renders nothing for real news, or until known. */
export function SimulatedNews() {
  if (useCommunityKind() !== 'simulated') return null;
  return (
    <Badge tone="warning" title="Generated headlines from simulated feeds">
      simulated
    </Badge>
  );
}
