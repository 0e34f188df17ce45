import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { percentChange } from '#domain/format/price.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './coin-table.module.css';
import type { TopCoin } from './market-snapshot.ts';

const MISSING = '–';

export function CoinTable({ coins }: { coins: readonly TopCoin[] }) {
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
        <caption className="visually-hidden">The {coins.length} largest coins by market capitalisation</caption>
        <thead>
          <tr>
            <th scope="col" className={styles.rank}>
              #
            </th>
            <th scope="col" className={styles.coin}>
              Coin
            </th>
            <th scope="col">Price</th>
            <th scope="col">24h</th>
            <th scope="col">Market cap</th>
            <th scope="col" className={styles.volume}>
              24h volume
            </th>
          </tr>
        </thead>
        <tbody>
          {coins.map((coin, i) => (
            <Row key={coin.id} coin={coin} rank={i + 1} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ coin, rank }: { coin: TopCoin; rank: number }) {
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
        {change}
      </td>
      <td className="figures">{market_cap === null ? MISSING : compactNumber(market_cap, MARKET_CAP_UNITS)}</td>
      <td className={classNames('figures', styles.volume)}>
        {total_volume === null ? MISSING : compactNumber(total_volume, VOLUME_UNITS)}
      </td>
    </tr>
  );
}
