import { memo, useLayoutEffect, useRef } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useFeedState } from '../../site/market-feeds.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { type BookLabels, describePace, type SpokenLevel } from './book-labels.ts';
import styles from './live-book.module.css';
import { useOrderBook } from './use-order-book.ts';

interface LiveBookProps {
  symbol: MarketSymbol;
  productId: string;
  /** Per side. Hidden rows are not rendered, so bars are scaled to the visible ones. */
  levels: PhoneLevels;
  /** The book's source; null until known. */
  source: string | null;
  /** Also false until known: a simulated book is never called live. */
  isLiveMarket: boolean;
}

export function LiveBook(props: LiveBookProps) {
  const { symbol, productId, levels, source, isLiveMarket } = props;
  const root = useRef<HTMLElement>(null);
  const { status, ageS, labels, bookEveryMs } = useOrderBook(root, symbol, productId, levels);
  const hasFrame = labels !== null;
  const isOld = ageS !== null || (hasFrame && status.isRetrying);
  useFeedState('book', isOld || status.isRetrying ? 'failing' : hasFrame ? 'current' : null);
  useMiddleInView(root, levels, hasFrame);
  return (
    <div className={classNames(styles.book, levels === PHONE_LEVELS && styles.short)}>
      <div className={styles.heads} aria-hidden="true">
        <span>Price</span>
        <span>Size</span>
        <span>Total</span>
      </div>
      <section
        ref={root}
        className={styles.scroll}
        data-stale={isOld}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
        tabIndex={0}
        aria-label={`Levels of ${productId}`}
      >
        {/* Ten changes a second would overwhelm screen readers: the table below says the same at a slow pace. */}
        <div className={classNames(styles.ladder, isOld && 'old-figures')} aria-hidden="true">
          <Rows side="ask" levels={levels} />
          <div className={styles.middle}>
            <strong className="figures" data-middle translate="no">
              –
            </strong>
            <span className={styles.spread}>
              spread{' '}
              <span className={classNames('figures', styles.figure)} data-spread translate="no">
                –
              </span>
            </span>
          </div>
          <Rows side="bid" levels={levels} />
        </div>
        {!hasFrame && !status.isRetrying && <Skeleton className={styles.skeleton} />}
        {labels !== null && <BookTable labels={labels} symbol={symbol} />}
      </section>
      <footer className={styles.foot}>
        <p className={styles.pace} aria-live="polite">
          {bookEveryMs !== null && describePace(bookEveryMs)}
        </p>
        <span className={styles.source}>
          {source !== null && (
            <>
              <span>{source}</span> <span className="figures">{productId}</span>
            </>
          )}
        </span>
        <span className={styles.state}>
          {status.isRetrying && (
            <span role="status" className={styles.retrying}>
              Live price stream error — retrying
            </span>
          )}
          <State ageS={ageS} isWaiting={!hasFrame} isRetrying={status.isRetrying} isLiveMarket={isLiveMarket} />
        </span>
      </footer>
    </div>
  );
}

interface StateProps {
  ageS: number | null;
  isWaiting: boolean;
  isRetrying: boolean;
  isLiveMarket: boolean;
}

function State({ ageS, isWaiting, isRetrying, isLiveMarket }: StateProps) {
  if (ageS !== null) return <Badge tone="warning">{`stale · ${ageS} s`}</Badge>;
  if (isRetrying) return null;
  if (isWaiting) return <span>Waiting for the order book</span>;
  return <span className={styles.live}>{isLiveMarket ? 'live' : 'streaming'}</span>;
}

/** Rendered again only when their number changes; the painter writes figures into them. */
const Rows = memo(function Rows({ side, levels }: { side: 'ask' | 'bid'; levels: number }) {
  const places = Array.from({ length: levels }, (_, i) => (side === 'ask' ? levels - 1 - i : i));
  return (
    <div className={classNames(styles.side, styles[side])} translate="no">
      <div className={styles.bars} data-bars={side} />
      {places.map((place) => (
        <Row key={place} side={side} place={place} />
      ))}
    </div>
  );
});

/** @param place  0 is the best */
function Row({ side, place }: { side: 'ask' | 'bid'; place: number }) {
  const hasFigures = place % LABEL_EVERY === 0;
  return (
    <div data-row={`${side}-${place}`} data-top={place < TOP_LEVELS ? 'true' : undefined} className={styles.row}>
      {hasFigures && (
        <>
          <span className={classNames('figures', styles.price)} data-price-label="" />
          <span className={classNames('figures', styles.size)} />
          <span className={classNames('figures', styles.total)} />
        </>
      )}
    </div>
  );
}

/** If not all rows fit, scrolls to the middle of the book. */
function useMiddleInView(root: { current: HTMLElement | null }, levels: number, hasFrame: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number of rows and the first figures move it
  useLayoutEffect(() => {
    const scroll = root.current;
    const middle = scroll?.querySelector<HTMLElement>('[data-middle]')?.parentElement;
    if (!scroll || !middle) return;
    scroll.scrollTop = middle.offsetTop - (scroll.clientHeight - middle.offsetHeight) / 2;
  }, [root, levels, hasFrame]);
}

/** R-BOOK-1, R-BOOK-2: per side. Only every fourth row is labelled, and 40 rows in all would each fit a figure. */
export const BOOK_LEVELS = [40, 100] as const;
/** Number of levels per side that a phone shows until the user chooses more. */
const PHONE_LEVELS = 12;
export const PHONE_BOOK_LEVELS = [PHONE_LEVELS, ...BOOK_LEVELS] as const;
export type PhoneLevels = (typeof PHONE_BOOK_LEVELS)[number];

/** Every fourth row has a price, from the best one outwards (R-BOOK-3). */
const LABEL_EVERY = 4;
export const TOP_LEVELS = 3;

const BookTable = memo(function BookTable({ labels, symbol }: { labels: BookLabels; symbol: MarketSymbol }) {
  return (
    <div className="visually-hidden">
      <p>{labels.summary}</p>
      <table>
        <caption>{`${symbol.label}: the best levels on each side, updated every ten seconds`}</caption>
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Price</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          <Levels side="Ask" levels={labels.asks.toReversed()} />
          <Levels side="Bid" levels={labels.bids} />
        </tbody>
      </table>
    </div>
  );
});

function Levels({ side, levels }: { side: string; levels: readonly SpokenLevel[] }) {
  return levels.map(({ price, size }) => (
    <tr key={price}>
      <th scope="row">{side}</th>
      <td>{price}</td>
      <td>{size}</td>
    </tr>
  ));
}
