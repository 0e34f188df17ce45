/** Alerts users with a rule for a symbol when the house's forecasts of its newest slots point to different sides. */
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { type DrawnMoves, isDisagreement } from '#domain/alerts/disagreement.ts';
import { roundTripBp } from '#domain/forecast/ranges/round-trip.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { LN_UNITS, SLOT_S } from '#domain/record/ledger/ledger.ts';
import { asOwner, type Database } from '../platform/database/database.ts';
import type { AlertTime } from './alert-time.ts';
import { ruledSyms, servedRecords, type WaitingRule, waitingFor } from './drawn-records-store.ts';
import type { NewAlert } from './send-alerts.ts';

export interface WatchModelsDeps {
  database: Database;
  kindOf(symbol: MarketSymbol): MarketKind;
}

/** A slot's records are written within its first minute; after it, all serving models have theirs. */
const WRITTEN_AFTER_S = MINUTE_S;
/** The newest slot, and the one before it for a late round. Older slots have been superseded and are not news. */
const SLOTS = 2;
/** Rules per statement. */
const RULE_BATCH = 1000;
const UNITS_PER_BP = LN_UNITS / 10_000;

/** Runs one round. @param send  receives the alerts batch by batch */
export async function watchModels(
  { database, kindOf }: WatchModelsDeps,
  time: AlertTime,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queries = asOwner(database);
  const newestS = Math.floor((time.marketMs / 1000 - WRITTEN_AFTER_S) / SLOT_S) * SLOT_S;
  const slots = Array.from({ length: SLOTS }, (_, i) => newestS - (SLOTS - 1 - i) * SLOT_S);
  const ruled = new Set(
    await ruledSyms(
      queries,
      SYMBOLS.map(({ sym }) => sym),
    ),
  );
  for (const symbol of SYMBOLS.filter(({ sym }) => ruled.has(sym))) {
    const { sym } = symbol;
    const records = await servedRecords(queries, { sym, marketKind: kindOf(symbol), slots });
    for (const slotS of slots) {
      const moves = records.filter((record) => record.slotS === slotS).map((r) => [r.model, r.drawn / UNITS_PER_BP]);
      const facts = disagreementOf(symbol, kindOf(symbol), slotS, Object.fromEntries(moves));
      if (facts !== null) await notifyAll(facts, slotS);
    }
  }

  async function notifyAll(facts: AlertFacts, slotS: number): Promise<void> {
    const subject = `${facts.sym} ${new Date(slotS * 1000).toISOString().slice(0, 13)}`;
    // A rule created after the slot began does not apply to it.
    const createdBeforeIso = new Date(slotS * 1000 + (time.latestMs - time.marketMs)).toISOString();
    let afterId: string | null = null;
    for (let count = RULE_BATCH; count === RULE_BATCH; ) {
      signal.throwIfAborted();
      const query = { sym: facts.sym, subject, createdBeforeIso, afterId, limit: RULE_BATCH };
      const waiting: WaitingRule[] = await waitingFor(queries, query);
      count = waiting.length;
      afterId = waiting.at(-1)?.id ?? null;
      await send(waiting.filter(({ isNotified }) => !isNotified).map(({ userId }) => ({ userId, subject, facts })));
    }
  }
}

function disagreementOf(
  symbol: MarketSymbol,
  marketKind: MarketKind,
  slotS: number,
  movesBp: DrawnMoves,
): AlertFacts | null {
  const costBp = roundTripBp(symbol);
  if (!isDisagreement(movesBp, costBp)) return null;
  return { kind: 'models-disagree', sym: symbol.sym, marketKind, slotS, costBp };
}
