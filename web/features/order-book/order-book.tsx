/** The order book: asks above, bids below, drawn from the live connection. */

import { useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useOwnBook } from '../../site/own-book.ts';
import { useMarketSource } from '../../site/site-config.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useMedia } from '../../ui/browser/use-media.ts';
import { ButtonRow } from '../../ui/forms/button-row.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { BOOK_LEVELS, LiveBook, PHONE_BOOK_LEVELS, type PhoneLevels } from './live-book.tsx';
import styles from './order-book.module.css';

/** There the book is short until the user chooses more. The same width as in live-book.module.css. */
const PHONE = '(max-width: 40em)';

export interface OrderBookProps {
  symbol: MarketSymbol;
  className?: string | undefined;
}

export function OrderBook({ symbol: chosen, className }: OrderBookProps) {
  const symbol = useOwnBook(chosen);
  /** Null: not chosen yet. */
  const [chosenLevels, choose] = useState<PhoneLevels | null>(null);
  const source = useMarketSource();
  const isPhone = useMedia(PHONE);
  const values = isPhone ? PHONE_BOOK_LEVELS : BOOK_LEVELS;
  // A phone turned on its side has room for more than the short book.
  const levels = values.find((count) => count === chosenLevels) ?? values[0];
  const { bookProductId } = symbol;

  return (
    <Panel
      heading="Order Book"
      className={classNames(styles.panel, className)}
      isFlush
      // Without a book there is no market to label.
      beside={bookProductId && <SourceBadge kind={source?.kind ?? null} />}
      actions={
        bookProductId && (
          <ButtonRow
            label="Levels per side"
            values={values}
            value={levels}
            nameOf={(count) => `${count} levels`}
            onChange={choose}
          />
        )
      }
    >
      {!bookProductId ? (
        <div className={styles.none}>
          <EmptyState
            title="DoM not available"
            text={
              symbol !== chosen
                ? `Coinbase trades another coin under the code of ${symbol.label}.`
                : `No order book is published for ${symbol.label}. Coins that Coinbase trades in dollars have one.`
            }
          />
        </div>
      ) : (
        <LiveBook
          key={bookProductId}
          symbol={symbol}
          productId={bookProductId}
          levels={levels}
          source={source?.bookSource ?? null}
          isLiveMarket={source?.kind === 'live'}
        />
      )}
    </Panel>
  );
}
