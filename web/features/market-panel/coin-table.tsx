import { useState } from 'react';
import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { percentChange } from '#domain/format/price.ts';
import { Sparkline } from '../../charts/plots/sparkline.tsx';
import { SortHead } from '../../ui/layout/table.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { type CoinSort, drawnSpanMs, type RankedCoin, sortedCoins, spanLabel } from './coin-order.ts';
import styles from './coin-table.module.css';
import type { Sparklines } from './market-panel-api.ts';
import type { TopCoin } from './market-snapshot.ts';

const MISSING = '–';

export interface CoinTableProps {
  coins: readonly TopCoin[];
  /** Empty until loaded. */
  lines: Sparklines;
  nowMs: number;
}

export function CoinTable({ coins, lines, nowMs }: CoinTableProps) {
  const [sort, onSort] = useState<CoinSort>({ key: 'rank', direction: 'asc' });
  const sorting = { sort, onSort };
  const spanMs = drawnSpanMs(lines.sinceMs, nowMs);
  const span = spanMs === null ? null : spanLabel(spanMs);

  if (coins.length === 0) {
    return (
      <div className={styles.none}>
        <p>The list of coins is unavailable right now.</p>
      </div>
    );
  }
  return (
    <section
      className={styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
      tabIndex={0}
      aria-label="Largest coins"
    >
      <table className={styles.table}>
        <caption className="visually-hidden">{`The ${coins.length} largest coins by market capitalisation`}</caption>
        <thead>
          <tr>
            <SortHead id="rank" name="#" {...sorting} className={styles.rank} />
            <SortHead id="coin" name="Coin" {...sorting} className={styles.coin} />
            <SortHead id="price" name="Price" {...sorting} />
            <SortHead id="change" name="24h" {...sorting} />
            {span !== null && (
              <th scope="col" className={styles.line}>
                {span}
              </th>
            )}
            <SortHead id="cap" name="Market cap" {...sorting} />
            <SortHead id="volume" name="24h volume" {...sorting} className={styles.volume} />
          </tr>
        </thead>
        <tbody>
          {sortedCoins(coins, sort).map((ranked) => (
            <Row key={ranked.coin.id} {...ranked} line={lines.prices[ranked.coin.symbol]} span={span} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps extends RankedCoin {
  line: readonly number[] | undefined;
  /** How long the line is; null: no lines are drawn. */
  span: string | null;
}

function Row({ coin, rank, line, span }: RowProps) {
  const { symbol, name, current_price, price_change_percentage_24h, market_cap, total_volume } = coin;
  const change = price_change_percentage_24h === null ? MISSING : percentChange(price_change_percentage_24h);
  const direction = change.startsWith('+') ? 'up' : change.startsWith('\u2212') ? 'down' : null;
  return (
    <tr>
      <td className={classNames('figures', styles.rank)}>{rank}</td>
      <th scope="row" className={styles.coin}>
        <span className={styles.symbol}>{symbol}</span> <span className={styles.name}>{name}</span>
      </th>
      <td className="figures">{current_price === null ? MISSING : marketPanelPrice(current_price)}</td>
      <td className={classNames('figures', direction !== null && styles[direction])}>
        {direction !== null && <span className={styles.arrow}>{direction === 'up' ? '▲' : '▼'}</span>}
        <span>{change}</span>
      </td>
      {span !== null && (
        <td className={styles.line}>
          {line === undefined || line.length < 2 ? MISSING : <Line prices={line} span={span} />}
        </td>
      )}
      <td className="figures">{market_cap === null ? MISSING : compactNumber(market_cap, MARKET_CAP_UNITS)}</td>
      <td className={classNames('figures', styles.volume)}>
        {total_volume === null ? MISSING : compactNumber(total_volume, VOLUME_UNITS)}
      </td>
    </tr>
  );
}

function Line({ prices, span }: { prices: readonly number[]; span: string }) {
  const [first = 1, last = 1] = [prices[0], prices.at(-1)];
  const change = percentChange((last / first - 1) * 100);
  return <Sparkline values={prices} label={`${span}: ${change}, from ${dollars(first)} to ${dollars(last)}`} />;
}

const dollars = (price: number): string => `$${marketPanelPrice(price)}`;
