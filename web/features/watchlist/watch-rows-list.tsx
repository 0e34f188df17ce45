/** The rows of a watchlist in their order, and what their figures mean. */
import { useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { isSamePair, movedTo, pairKey, type WatchedPair, type Watchlist } from '#domain/watchlist/watchlist.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import { nameOf } from './pair-name.ts';
import { useRowOrder } from './use-row-order.ts';
import { useWatchRows } from './use-watch-rows.ts';
import type { WatchlistState } from './use-watchlist.ts';
import { WatchRowView } from './watch-row-view.tsx';
import styles from './watch-rows-list.module.css';

interface WatchRowsListProps {
  pairs: Watchlist;
  change: WatchlistState['change'];
  /** The pair on the chart; null where there is no chart. */
  shown: WatchedPair | null;
  onOpen?: (() => void) | undefined;
  /** Low rows, for a pointer that hits them; a finger gets the tall ones. */
  isCompact: boolean;
}

export function WatchRowsList({ pairs, change, shown, onOpen, isCompact }: WatchRowsListProps) {
  const { rows, nowMs } = useWatchRows(pairs);
  const list = useRef<HTMLOListElement>(null);
  const [announced, setAnnounced] = useState('');
  const helpId = useId();
  const address = useAddressOf();
  const order = useRowOrder(list, pairs.length, (from, to) => {
    const pair = pairs[from];
    if (pair === undefined) return;
    change('order', movedTo(pairs, pair, to));
    setAnnounced(`${nameOf(pair)} is now ${to + 1} of ${pairs.length}.`);
  });
  const remove = (pair: WatchedPair) => {
    change('remove', [pair]);
    setAnnounced(`${nameOf(pair)} is no longer on your watchlist.`);
    // The focused button is about to be removed.
    list.current?.focus();
  };
  return (
    <>
      <ol
        ref={list}
        tabIndex={-1}
        className={styles.rows}
        aria-label="Watched symbols"
        data-compact={isCompact || undefined}
      >
        {pairs.map((pair, index) => (
          <WatchRowView
            key={pairKey(pair)}
            pair={pair}
            row={rows.data?.get(pairKey(pair))}
            isShown={shown !== null && isSamePair(pair, shown)}
            hasFailed={rows.failure !== null}
            isOld={rows.staleSinceMs !== null}
            to={address(pair)}
            onOpen={onOpen}
            onRemove={() => remove(pair)}
            rowProps={order.rowProps(index)}
            handleProps={order.handleProps(index)}
            helpId={helpId}
          />
        ))}
      </ol>
      <p id={helpId} hidden>
        Press the arrow keys, Home or End to move it.
      </p>
      <p role="status" className="visually-hidden">
        {announced}
      </p>
      <PanelNote lastData={rows} nowMs={nowMs} phoneLines={2}>
        {rows.data === null && rows.failure !== null ? (
          <FailureLine role="alert" again={rows}>
            {rows.failure}
          </FailureLine>
        ) : (
          <p>Bars: 80% ranges from recent volatility, not from a model.</p>
        )}
      </PanelNote>
    </>
  );
}

/** On the chart's page the rest of its address stays, such as the model. */
function useAddressOf(): (pair: WatchedPair) => string {
  const { pathname, search, hash } = useLocation();
  return ({ sym, timeframe }) => {
    const isChart = pathname === '/kat';
    const query = new URLSearchParams(isChart ? search : '');
    query.set('sym', sym);
    query.set('tf', timeframe);
    query.delete('saved');
    return `/kat?${query}${isChart ? hash : ''}`;
  };
}

/** What did not fit when a visitor's list joined the account's. */
export function LeftOut({ pairs, onDismiss }: { pairs: Watchlist; onDismiss: () => void }) {
  if (pairs.length === 0) return null;
  return (
    <Notice tone="warning" title="Your watchlist is full" className={styles.notice}>
      <p>
        These symbols from before you signed in didn’t fit: {pairs.map((pair) => nameOf(pair)).join(', ')}. Remove some
        rows to add them again.
      </p>
      <Button size="small" onClick={onDismiss}>
        Got it
      </Button>
    </Notice>
  );
}
