/** A loop of 60 seconds, moved only by the compositor. It shows as many symbols as one can read in passing. */
import { useState } from 'react';
import { classNames } from '../../ui/styles/class-names.ts';
import type { TickerLabels } from './ticker-labels.ts';
import styles from './ticker-loop.module.css';

/** At the width of an item, about 70 pixels a second; the loop is also wider than any page. */
export const LOOP_ITEMS = 24;

export interface TickerLoopProps {
  /** At least one. */
  items: readonly TickerLabels[];
  isPaused: boolean;
}

/** Decorative: the list beside it has the same content without motion. */
export function TickerLoop({ items, isPaused }: TickerLoopProps) {
  const [loop, setLoop] = useState(0);
  const first = items.length > LOOP_ITEMS ? loop * LOOP_ITEMS : 0;
  const places = Array.from({ length: 2 * LOOP_ITEMS }, (_, i) => items[(first + i) % items.length]);
  return (
    <div
      // A loop ends with the picture the next one starts with: its second half becomes the first half.
      key={loop}
      className={styles.track}
      data-paused={isPaused || undefined}
      data-loop={loop}
      onAnimationEnd={() => setLoop(loop + 1)}
    >
      {places.map((labels, i) => labels && <TickerPlace key={place(i)} labels={labels} />)}
    </div>
  );
}

/** Places are identified by their number only: symbols pass through them. */
const place = (i: number) => `place ${i}`;

export function TickerPlace({ labels }: { labels: TickerLabels }) {
  const { symbol, price, change, direction, volume } = labels;
  return (
    <span className={styles.item} data-symbol={symbol} translate="no">
      <span className={styles.symbol}>{symbol}</span>
      <span className={classNames('figures', styles.change, direction !== null && styles[direction])}>
        {direction !== null && <span className={styles.arrow}>{direction === 'up' ? '▲' : '▼'}</span>}
        <span>{change}</span>
      </span>
      <span className={classNames('figures', styles.price)}>{price}</span>
      <span className={styles.volume}>
        Vol <span className="figures">{volume}</span>
      </span>
    </span>
  );
}
