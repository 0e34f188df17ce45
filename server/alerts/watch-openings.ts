/** Alerts users who wait for a closed market once it is open. Their rules end with the alert. */
import { sessionStart } from '#domain/market/calendar/trading-hours.ts';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { isTradedAt } from '../market/candles/candle-history.ts';
import { asOwner, type Database } from '../platform/database/database.ts';
import type { AlertTime } from './alert-time.ts';
import { openingRules } from './opening-rules-store.ts';
import type { NewAlert } from './send-alerts.ts';

export interface WatchOpeningsDeps {
  database: Database;
  kindOf(symbol: MarketSymbol): MarketKind;
}

/** Rules per statement. */
const BATCH = 1000;

/** Runs one round. @param send  receives the alerts batch by batch, and removes their rules */
export async function watchOpenings(
  { database, kindOf }: WatchOpeningsDeps,
  { marketMs }: AlertTime,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const nowS = marketMs / 1000;
  const all: readonly MarketSymbol[] = SYMBOLS;
  for (const symbol of all) {
    const { sym, hours } = symbol;
    const openedS = sessionStart(hours, nowS);
    if (openedS === null || !isTradedAt(symbol, kindOf(symbol), nowS)) continue;
    const subject = `${sym} ${new Date(openedS * 1000).toISOString()}`;
    for (let count = BATCH; count === BATCH; ) {
      signal.throwIfAborted();
      const rules = await openingRules(asOwner(database), sym, BATCH);
      count = rules.length;
      await send(
        rules.map(({ id, userId }) => ({
          userId,
          ruleId: id,
          subject,
          facts: { kind: 'market-opens', sym, marketKind: kindOf(symbol), openedS },
        })),
      );
    }
  }
}
