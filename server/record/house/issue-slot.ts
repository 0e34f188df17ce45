/**
 * Works through a slot. Candles of all symbols are awaited in parallel, so a hanging venue delays only its own symbols.
 * Networks run one at a time, so a user never waits behind more than one of our forecasts.
 */
import { isAppError } from '#domain/errors/app-error.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import type { RecordRole } from '#domain/record/ledger/ledger.ts';
import type { MissReason } from '#domain/record/ledger/miss-reasons.ts';
import type { Clock } from '#domain/time/clock.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { Core } from '../../core.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import type { CandleHistory } from '../../market/candles/candle-history.ts';
import { type WorkQueue, workQueue } from '../../platform/one-at-a-time.ts';
import { type Appended, ClockBehind, type LedgerStore } from '../ledger/ledger-store.ts';
import type { Baselines } from './baselines.ts';
import type { DueForecast, HouseSlot } from './house-slot.ts';
import { unsealedChance } from './unsealed-chance.ts';
import { recordOf } from './unsealed-record.ts';

export interface IssueDeps extends Pick<Core, 'clock' | 'log'> {
  history: Pick<CandleHistory, 'latest'>;
  ledger: Pick<LedgerStore, 'append' | 'appendChances'>;
  baselineOf: Baselines['currentOf'];
  marketClock: Clock;
  /** Default 5 s. */
  patienceMs?: number;
}

/** In market time from the slot on. The rest is a reserve, so that every record is from its slot's minute. */
export const ISSUE_WITHIN_MS = 50_000;
/** Longest time for one read of candles, or for one forecast with its write. */
const PATIENCE_MS = 5000;
/** With a feed this late by its terms, others know the outcome before us. */
const LATE_FEED_S = MINUTE_S;

export function isInTime({ slotS, withinMs }: Pick<HouseSlot, 'slotS' | 'withinMs'>, marketMs: number): boolean {
  return marketMs >= slotS * 1000 && marketMs < slotS * 1000 + withinMs;
}

/** Tries every open forecast once; those left when the signal aborts stay open. Never rejects. */
export async function tryAll(slot: HouseSlot, deps: IssueDeps, signal: AbortSignal): Promise<void> {
  const networks = workQueue({ maxWaiting: Number.POSITIVE_INFINITY });
  await Promise.all(slot.bySeries().map((due) => trySeries(slot, due, networks, deps, signal)));
}

/** @param due  of one symbol and timeframe */
async function trySeries(
  slot: HouseSlot,
  due: readonly DueForecast[],
  networks: WorkQueue,
  deps: IssueDeps,
  signal: AbortSignal,
): Promise<void> {
  const [first] = due;
  if (first === undefined) return;
  const lastCandle = await whereCandlesEnd(first, deps, signal);
  if (lastCandle === 'rests') return slot.rests(due);
  if (typeof lastCandle === 'object') return slot.failed(due, lastCandle.reason);
  if (lastCandle !== joinOf(slot, first.timeframe)) return slot.failed(due, 'candle-late');
  for (const one of due) {
    const outcome = await networks.run(() => issue(slot, one, deps, signal));
    if (outcome === 'rests') slot.rests([one]);
    else if (typeof outcome === 'string') slot.failed([one], outcome);
    else slot.written(one, outcome.isNew);
  }
}

/** Opening second of the last candle that the slot's forecasts read. */
function joinOf({ slotS }: HouseSlot, timeframe: Timeframe): number {
  return slotS - barSecondsOf(timeframe);
}

/** Opening second of the newest closed candle, without running a network: an old candle needs no forecast. */
async function whereCandlesEnd(
  { symbol, timeframe }: DueForecast,
  { history, log, patienceMs = PATIENCE_MS }: IssueDeps,
  signal: AbortSignal,
): Promise<number | 'rests' | { reason: MissReason }> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    inTime.throwIfAborted();
    const { asOfS, delayS, isStale } = await unlessAborted(history.latest(symbol, 1, inTime, timeframe), inTime);
    if (delayS >= LATE_FEED_S) return 'rests';
    return isStale ? { reason: 'venue-unavailable' } : (asOfS ?? -1);
  } catch (error) {
    if (isAppError(error) && error.code === 'venue/not-connected') return 'rests';
    if (!isAppError(error) && !isAbort(error))
      log.error({ err: error, sym: symbol.sym, timeframe }, 'candles could not be read');
    return { reason: 'venue-unavailable' };
  }
}

async function issue(
  slot: HouseSlot,
  { symbol, timeframe, window, model, issuer }: DueForecast,
  { ledger, baselineOf, clock, marketClock, log, patienceMs = PATIENCE_MS }: IssueDeps,
  signal: AbortSignal,
): Promise<MissReason | 'rests' | { isNew: boolean }> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    inTime.throwIfAborted();
    if (!isInTime(slot, marketClock.nowMs())) return 'out-of-time';
    // The same computation that users share: their default exchange code is the same.
    const current = issuer.forecasts.current(symbol.exc, symbol, model, inTime, timeframe);
    const forecast = await unlessAborted(current, inTime);
    if (forecast.t0 !== joinOf(slot, timeframe)) return 'candle-late';
    const at = { issuedMs: clock.nowMs(), role: issuer.role };
    const append = appendOf(forecast, at, window, { ledger, baselineOf });
    if (typeof append === 'string') return append;
    // The minute may have ended while the network ran.
    if (!isInTime(slot, marketClock.nowMs())) return 'out-of-time';
    const { appended } = await append();
    return { isNew: appended.length > 0 };
  } catch (error) {
    // Of longer candles this is known only once they were requested.
    if (isAppError(error) && error.code === 'forecast/not-trained') return 'rests';
    const reason = reasonOf(error);
    const isOurs = reason === 'not-written' || reason === 'clock-behind';
    if (isOurs && !signal.aborted && slot.isNewReason(reason))
      log.warn({ err: error, sym: symbol.sym, timeframe, model }, 'a forecast could not be added to the record');
    return reason;
  }
}

/** Makes the forecast's record, or the chance of a window. @returns how to append it, or why there is none */
function appendOf(
  forecast: Forecast,
  at: { issuedMs: number; role: RecordRole },
  window: RecordedWindow | undefined,
  { ledger, baselineOf }: Pick<IssueDeps, 'ledger' | 'baselineOf'>,
): MissReason | (() => Promise<Appended>) {
  if (window === undefined) {
    const record = recordOf(forecast, { ...at, baseline: baselineOf(forecast.timeframe) });
    return () => ledger.append([record]);
  }
  const chance = unsealedChance(forecast, window, at);
  // The candle that opened the window is missing.
  return chance === null ? 'too-few-candles' : () => ledger.appendChances([chance]);
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
      return 'forecast-failed';
    default:
      return 'not-written';
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
