/** The order book: asks above, bids below, drawn from the live connection. */
import { useState } from 'react';
import { type MarketSymbol, symbolsWithBook } from '#domain/market/symbols.ts';
import { useMarketSource } from '../../site/site-config.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useMedia } from '../../ui/browser/use-media.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { BOOK_LEVELS, type BookLevels, DEFAULT_BOOK_LEVELS, LiveBook } from './live-book.tsx';
import styles from './order-book.module.css';

/** There the book stays short until the user expands it. The same width as in live-book.module.css. */
const PHONE = '(max-width: 640px)';

export interface OrderBookProps {
  symbol: MarketSymbol;
  className?: string | undefined;
}

export function OrderBook({ symbol, className }: OrderBookProps) {
  const [levels, setLevels] = useState<BookLevels>(DEFAULT_BOOK_LEVELS);
  const [isWhole, setWhole] = useState(false);
  const source = useMarketSource();
  const isCollapsed = useMedia(PHONE) && !isWhole;
  const { bookProductId } = symbol;

  function choose(count: BookLevels): void {
    setLevels(count);
    // Choosing a number of levels also expands a phone's book.
    setWhole(true);
  }

  return (
    <Panel
      heading="Order Book"
      className={classNames(styles.panel, className)}
      isFlush
      // Without a book there is no market to label.
      beside={bookProductId !== null && <SourceBadge kind={source?.kind ?? null} />}
      actions={bookProductId !== null && <LevelSwitch levels={isCollapsed ? null : levels} onLevels={choose} />}
    >
      {bookProductId === null ? (
        <div className={styles.none}>
          <EmptyState
            title="DoM not available"
            text={`No order book is published for ${symbol.label}. ${symbolsWithBook()} have one.`}
          />
        </div>
      ) : (
        <LiveBook
          key={bookProductId}
          symbol={symbol}
          productId={bookProductId}
          levels={levels}
          isCollapsed={isCollapsed}
          onCollapsed={(collapsed) => setWhole(!collapsed)}
          source={source?.bookSource ?? null}
          isLiveMarket={source?.kind === 'live'}
        />
      )}
    </Panel>
  );
}

function LevelSwitch({ levels, onLevels }: { levels: BookLevels | null; onLevels: (levels: BookLevels) => void }) {
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Levels on each side</legend>
      {BOOK_LEVELS.map((count) => (
        <button
          key={count}
          type="button"
          aria-label={`${count} levels`}
          aria-pressed={count === levels}
          onClick={() => onLevels(count)}
        >
          {count}
        </button>
      ))}
    </fieldset>
  );
}
