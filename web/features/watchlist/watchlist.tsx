/** The watchlist's content, the same in the chart's side panel, in a dialog on phones, and on the dashboard. */
import Star from 'lucide-react/icons/star';
import type { ReactNode } from 'react';
import { isWatched, MOST_WATCHED, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import { nameOf } from './pair-name.ts';
import type { WatchlistState } from './use-watchlist.ts';
import { LeftOut, WatchRowsList } from './watch-rows-list.tsx';
import styles from './watchlist.module.css';

interface WatchlistProps {
  state: WatchlistState;
  /** The pair on the chart; null where there is no chart. */
  shown: WatchedPair | null;
  onOpen?: () => void;
  isCompact?: boolean;
  /** For an empty list. */
  emptyText: string;
  emptyAction?: ReactNode;
}

export function Watchlist({ state, shown, onOpen, isCompact = false, emptyText, emptyAction }: WatchlistProps) {
  const { pairs, failure, isRetrying, retry, isUnstored, leftOut, dismissLeftOut, change } = state;
  if (pairs === null && failure !== null)
    return (
      <div className={styles.centre}>
        <ErrorState title="We couldn’t load your watchlist" isPart onRetry={retry} isRetrying={isRetrying} />
      </div>
    );
  if (pairs === null) return <Skeleton className={styles.loading} needsScript="Watchlist" />;
  return (
    <div className={styles.content}>
      {isUnstored && (
        <p className={styles.unstored} role="status">
          Your browser blocks storage, so this list lasts until you leave the page. Sign in to keep it.
        </p>
      )}
      <LeftOut pairs={leftOut} onDismiss={dismissLeftOut} />
      {pairs.length === 0 ? (
        <div className={styles.centre}>
          <EmptyState title="Your watchlist is empty" text={emptyText} action={emptyAction} />
        </div>
      ) : (
        <WatchRowsList pairs={pairs} change={change} shown={shown} onOpen={onOpen} isCompact={isCompact} />
      )}
    </div>
  );
}

/** Adds the pair on the chart, or removes it. */
export function WatchToggle({ state, pair }: { state: WatchlistState; pair: WatchedPair }) {
  const { pairs, change } = state;
  const isOn = pairs !== null && isWatched(pairs, pair);
  return (
    <Button
      size="small"
      disabled={pairs === null}
      aria-pressed={isOn}
      icon={<Star size={14} fill={isOn ? 'currentColor' : 'none'} aria-hidden="true" />}
      onClick={() => change(isOn ? 'remove' : 'add', [pair])}
      className={isOn ? styles.on : undefined}
    >
      {`Watch ${nameOf(pair)}`}
    </Button>
  );
}

/** Nothing for an empty list. */
export function WatchCount({ state: { pairs } }: { state: WatchlistState }) {
  if (pairs === null || pairs.length === 0) return null;
  return <Badge>{`${pairs.length} of ${MOST_WATCHED}`}</Badge>;
}
