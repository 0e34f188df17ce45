/**
 * Works through a slot. Candles of all symbols are awaited in parallel, so a hanging venue delays only its own symbols.
 * Networks run one at a time, so a user never waits behind more than one of our forecasts.
 */
import { isAppError } from '#domain/errors/app-error.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { MissReason } from '#domain/record/ledger/miss-reasons.ts';
import type { BaselineTable } from '#domain/record/scoring/baseline-table.ts';
import type { Clock } from '#domain/time/clock.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { CandleHistory } from '../../market/candles/candle-history.ts';
import { type WorkQueue, workQueue } from '../../platform/one-at-a-time.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { ClockBehind, type LedgerStore } from '../ledger/ledger-store.ts';
import type { DueForecast, HouseSlot } from './house-slot.ts';
import { recordOf } from './unsealed-record.ts';

export interface IssueDeps {
  history: Pick<CandleHistory, 'latest'>;
  ledger: Pick<LedgerStore, 'append'>;
  baseline: BaselineTable;
  /** Our own clock, for `issued`. */
  clock: Clock;
  marketClock: Clock;
  log: Logger;
  /** Default 5 s. */
  patienceMs?: number;
}

/** In market time from the slot on. The rest is a reserve, so that every record is from its slot's minute. */
export const ISSUE_WITHIN_MS = 50_000;
/** Longest time for one read of candles, or for one forecast with its write. */
const PATIENCE_MS = 5000;
/** With a feed this late by its terms, others know the outcome before us. */
const LATE_FEED_S = MINUTE_S;

export function isInTime(slotS: number, marketMs: number): boolean {
  return marketMs >= slotS * 1000 && marketMs < slotS * 1000 + ISSUE_WITHIN_MS;
}

/** Tries every open forecast once; those left when the signal aborts stay open. Never rejects. */
export async function tryAll(slot: HouseSlot, deps: IssueDeps, signal: AbortSignal): Promise<void> {
  const networks = workQueue({ maxWaiting: Number.POSITIVE_INFINITY });
  await Promise.all(slot.bySymbol().map(([symbol, due]) => trySymbol(slot, symbol, due, networks, deps, signal)));
}

async function trySymbol(
  slot: HouseSlot,
  symbol: MarketSymbol,
  due: DueForecast[],
  networks: WorkQueue,
  deps: IssueDeps,
  signal: AbortSignal,
): Promise<void> {
  const lastCandle = await whereCandlesEnd(symbol, deps, signal);
  if (lastCandle === 'rests') return slot.rests(due);
  if (typeof lastCandle === 'object') return slot.failed(due, lastCandle.reason);
  if (lastCandle !== slot.slotS - MINUTE_S) return slot.failed(due, 'candle-late');
  for (const one of due) {
    const outcome = await networks.run(() => issue(slot, one, deps, signal));
    if (typeof outcome === 'string') slot.failed([one], outcome);
    else slot.written(one, outcome.isNew);
  }
}

/** Opening second of the newest closed candle, without running a network: an old candle needs no forecast. */
async function whereCandlesEnd(
  symbol: MarketSymbol,
  { history, log, patienceMs = PATIENCE_MS }: IssueDeps,
  signal: AbortSignal,
): Promise<number | 'rests' | { reason: MissReason }> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    inTime.throwIfAborted();
    const { asOfS, delayS, isStale } = await unlessAborted(history.latest(symbol, 1, inTime), inTime);
    if (delayS >= LATE_FEED_S) return 'rests';
    return isStale ? { reason: 'venue-unavailable' } : (asOfS ?? -1);
  } catch (error) {
    if (isAppError(error) && error.code === 'venue/not-connected') return 'rests';
    if (!isAppError(error) && !isAbort(error)) log.error({ err: error, sym: symbol.sym }, 'candles could not be read');
    return { reason: 'venue-unavailable' };
  }
}

async function issue(
  slot: HouseSlot,
  { symbol, model, issuer }: DueForecast,
  { ledger, baseline, clock, marketClock, log, patienceMs = PATIENCE_MS }: IssueDeps,
  signal: AbortSignal,
): Promise<MissReason | { isNew: boolean }> {
  const { slotS } = slot;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    inTime.throwIfAborted();
    if (!isInTime(slotS, marketClock.nowMs())) return 'out-of-time';
    // The same computation that users share: their default exchange code is the same.
    const forecast = await unlessAborted(issuer.forecasts.current(symbol.exc, symbol, model, inTime), inTime);
    if (forecast.t0 !== slotS - MINUTE_S) return 'candle-late';
    const issuedMs = clock.nowMs();
    const toAppend = recordOf(forecast, { issuedMs, role: issuer.role, baseline });
    // The minute may have ended while the network ran.
    if (!isInTime(slotS, marketClock.nowMs())) return 'out-of-time';
    const { appended } = await ledger.append([toAppend]);
    return { isNew: appended.length > 0 };
  } catch (error) {
    const reason = reasonOf(error);
    const isOurs = reason === 'not-written' || reason === 'clock-behind';
    if (isOurs && !signal.aborted && slot.isNewReason(reason))
      log.warn({ err: error, sym: symbol.sym, model }, 'a forecast could not be added to the record');
    return reason;
  }
}

/** Faults of the market or the network are logged at their source. */
function reasonOf(error: unknown): MissReason {
  if (error instanceof ClockBehind) return 'clock-behind';
  if (isAbort(error)) return 'out-of-time';
  if (!isAppError(error)) return 'not-written';
  switch (error.code) {
    case 'venue/unavailable':
    case 'venue/not-connected':
      return 'venue-unavailable';
    case 'market/too-few-candles':
      return 'too-few-candles';
    case 'market/closed':
      return 'market-closed';
    case 'forecast/failed':
    case 'forecast/not-trained':
      return 'forecast-failed';
    default:
      return 'not-written';
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
