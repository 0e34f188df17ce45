/** Closed trades of this tab, newest first. */
import { formatPrice } from '#domain/format/price.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import type { ClosedTrade } from './paper-trade.ts';
import { paperDecimals, resultText, signOf } from './price-figures.ts';
import styles from './trade-list.module.css';

export function TradeList({ trades }: { trades: readonly ClosedTrade[] }) {
  return (
    <div className={styles.list}>
      {trades.length === 0 ? (
        <p className={styles.none}>No trades yet</p>
      ) : (
        <table className={styles.table}>
          <caption className="visually-hidden">Closed paper trades, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Trade</th>
              <th scope="col">Entry</th>
              <th scope="col">Exit</th>
              <th scope="col">Held</th>
              <th scope="col">P&amp;L</th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade) => (
              <Trade key={trade.id} trade={trade} />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.note}>Kept in this tab until it is closed or loaded anew.</p>
    </div>
  );
}

function Trade({ trade }: { trade: ClosedTrade }) {
  const { symbol, side, entryPrice, exitPrice, pnl, durationSec, closedAt } = trade;
  const { zone } = useTimeZone();
  const decimals = paperDecimals(symbol);
  return (
    <tr title={`Closed ${zonedClock(closedAt, zone, true)}`}>
      <th scope="row">
        {symbol.label} {side}
      </th>
      <td className="figures">{formatPrice(entryPrice, decimals)}</td>
      <td className="figures">{exitPrice === null ? 'no price' : formatPrice(exitPrice, decimals)}</td>
      <td className="figures">{Math.round(durationSec)} s</td>
      <td className="figures" data-sign={signOf(pnl)}>
        {pnl === null ? 'not counted' : resultText(pnl, symbol)}
      </td>
    </tr>
  );
}
