/** Today's total, results by day, and the list of closed trades. */
import { counted } from '#domain/format/count.ts';
import { formatChange, formatPercent, formatPrice } from '#domain/format/price.ts';
import { zonedDate, zonedSecond, zonedShortDay } from '#domain/format/zoned-time.ts';
import {
  costOf,
  type DayResult,
  dayResults,
  type TradesResult,
  type UnitResult,
} from '#domain/paper-trading/day-results.ts';
import { type PaperTrade, tradePnl } from '#domain/paper-trading/paper-trade.ts';
import { heldS } from '#domain/paper-trading/trade-rules.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Loader } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { signOf } from '../price-figures.ts';
import styles from './trade-results.module.css';
import { amountText, markedChange, tradeDecimals, tradeLabel } from './trade-texts.ts';
import type { TradesState } from './use-trades.ts';

export function TodayTotal({ trades }: { trades: readonly PaperTrade[] }) {
  const { zone } = useTimeZone();
  const [newest] = dayResults(trades, zone);
  if (newest === undefined || newest.day !== zonedDate(Date.now(), zone)) return null;
  return (
    <p className={styles.today} data-keep-clear>
      {`Today ${counted(newest.count, 'trade')}: `}
      <span>
        <Amounts of={newest} value={({ pnl }) => pnl} />
      </span>
      {', after costs '}
      <span>
        <Amounts of={newest} value={({ afterCosts }) => afterCosts} />
      </span>
    </p>
  );
}

interface TradeHistoryProps {
  book: TradesState;
  /** Moves the focus to the buttons above. */
  onStart: () => void;
}

export function TradeHistory({ book, onStart }: TradeHistoryProps) {
  const { trades, isLoading, failure } = book;
  const { zone } = useTimeZone();
  return (
    <>
      <div className={styles.list}>
        {failure !== null && (
          <ErrorState
            title="We couldn’t load your trades"
            text="New trades still count and are stored."
            onRetry={book.retry}
            isRetrying={book.isRetrying}
          />
        )}
        {isLoading && <Loader text="Loading trades…" />}
        {trades.length > 0 && (
          <>
            <DayTable days={dayResults(trades, zone)} />
            <TradeTable trades={trades} zone={zone} />
          </>
        )}
        {trades.length === 0 && !isLoading && failure === null && (
          <div className={styles.none}>
            <p>No trades yet</p>
            <Button size="small" variant="quiet" onClick={onStart}>
              Place a paper trade
            </Button>
          </div>
        )}
      </div>
      <StoredNote book={book} />
    </>
  );
}

function DayTable({ days }: { days: readonly DayResult[] }) {
  return (
    <table className={styles.table} data-keep-clear>
      <caption className="visually-hidden">Results by day, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Trades</th>
          <th scope="col">Won</th>
          <th scope="col">Result</th>
          <th scope="col">After costs</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">
              <time dateTime={day.day}>{shortDay(day.day)}</time>
            </th>
            <td className="figures">{day.count}</td>
            <td className="figures">{day.wins}</td>
            <td className="figures">
              <Amounts of={day} value={({ pnl }) => pnl} />
            </td>
            <td className="figures">
              <div>
                <Amounts of={day} value={({ afterCosts }) => afterCosts} />
              </div>
              {day.meanShare !== null && (
                <span className={styles.small} title="Mean result after costs, as a share of the entry price">
                  {`${formatPercent(day.meanShare)} a trade`}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** '30 Nov' from '2026-11-30'. */
function shortDay(day: string): string {
  return zonedShortDay(Date.parse(`${day}T12:00:00Z`), 'UTC');
}

interface AmountsProps {
  of: TradesResult;
  value: (result: UnitResult) => number | null;
}

/** One amount for each unit, as dollars and index points are never added. */
function Amounts({ of, value }: AmountsProps) {
  if (of.units.length === 0) return <span>–</span>;
  return of.units.map((result) => {
    const amount = value(result);
    return (
      <span key={result.unit} className={classNames('figures', styles.amount)} data-sign={signOf(amount)}>
        {amount === null ? 'unknown' : amountText(amount, result.unit)}
      </span>
    );
  });
}

function TradeTable({ trades, zone }: { trades: readonly PaperTrade[]; zone: string }) {
  return (
    <table className={styles.table} data-keep-clear>
      <caption className="visually-hidden">Closed paper trades, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Trade</th>
          <th scope="col">Entry</th>
          <th scope="col">Exit</th>
          <th scope="col">Held</th>
          <th scope="col">
            P&amp;L<span className={styles.small}>after costs</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {trades.map((trade) => (
          <Trade key={trade.id} trade={trade} zone={zone} />
        ))}
      </tbody>
    </table>
  );
}

function Trade({ trade, zone }: { trade: PaperTrade; zone: string }) {
  const { side, entryPrice, exitPrice, closedAt } = trade;
  const decimals = tradeDecimals(trade);
  const [pnl, cost] = [tradePnl(trade), costOf(trade)];
  return (
    <tr title={`Closed ${zonedSecond(closedAt, zone)}`}>
      <th scope="row">{`${tradeLabel(trade)} ${side}`}</th>
      <td className="figures">{formatPrice(entryPrice, decimals)}</td>
      <td className="figures">{exitPrice === null ? 'no price' : formatPrice(exitPrice, decimals)}</td>
      <td className="figures">{`${Math.round(heldS(trade))} s`}</td>
      <td className="figures" data-sign={signOf(pnl)}>
        <span>{pnl === null ? 'not counted' : markedChange(pnl, decimals)}</span>
        {pnl !== null && cost !== null && <span className={styles.small}>{formatChange(pnl - cost, decimals)}</span>}
      </td>
    </tr>
  );
}

/** Where the trades are, and what is wrong with that. */
function StoredNote({ book }: { book: TradesState }) {
  const { isSignedIn, unsent, refused, isUnstored } = book;
  return (
    <div className={styles.note}>
      <p>
        {isSignedIn
          ? 'The newest 500 are stored with your account.'
          : 'Stored in this browser. Sign in to keep them with your account.'}
        {' Costs are an assumed fee and spread.'}
      </p>
      <p role="status" className="warning">
        {isUnstored && <span>Your browser blocks storage. What your account doesn’t have is lost with this tab. </span>}
        {unsent > 0 && <span>{`Your account doesn’t have ${counted(unsent, 'trade')} yet. We’ll keep trying. `}</span>}
        {refused > 0 && <span>{`Your account refused ${counted(refused, 'trade')}. This browser keeps them.`}</span>}
      </p>
    </div>
  );
}
