/** The open bar's range as a bar, and where the price is in it. */
import { formatPrice } from '#domain/format/price.ts';
import { barMinutesOf } from '#domain/market/timeframes.ts';
import { type PlaceInRange, placeInRange } from '#domain/watchlist/bar-range.ts';
import type { KnownRow } from '#domain/watchlist/watch-row.ts';
import styles from './range-bar.module.css';

export function RangeBar({ row }: { row: KnownRow }) {
  const { range, price, decimals, timeframe } = row;
  if (range === null)
    return (
      <span className={styles.none} title={whyNone(row)}>
        {whyNone(row)}
      </span>
    );
  const place = placeInRange(price, range);
  const [lower, upper] = [formatPrice(range.lower, decimals), formatPrice(range.upper, decimals)];
  const label = `80% range of this ${barMinutesOf(timeframe)}-minute bar: ${lower} to ${upper}. The price is ${place.text}.`;
  return (
    <span className={styles.range} role="img" aria-label={label} title={label}>
      <span className={styles.edge}>{lower}</span>
      <span className={styles.track} data-place={beyond(place)}>
        <span className={styles.marker} style={{ left: `${100 * place.share}%` }} />
      </span>
      <span className={styles.edge}>{upper}</span>
    </span>
  );
}

function beyond({ text }: PlaceInRange): 'below' | 'above' | undefined {
  if (text.startsWith('inside')) return undefined;
  return text.startsWith('above') ? 'above' : 'below';
}

function whyNone({ isOpen, isStale, rangeGap }: KnownRow): string {
  if (!isOpen) return 'Market closed';
  if (isStale) return 'Prices are delayed';
  return rangeGap === 'gap' ? 'No range: a minute is missing' : 'No range: too few bars yet';
}
