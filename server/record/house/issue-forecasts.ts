/**
 * The job that writes the house's forecasts into the record: every fifth minute of market time, for every traded symbol
 * and every model, some of them of longer candles too, with or without visitors. It wakes when a slot begins, retries missing forecasts for most of the
 * first minute, and logs the result. One process at a time runs it; a second one finds all written.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { HOUSE_JOB } from '#domain/operations/job-rest.ts';
import { slotOf } from '#domain/record/ledger/house-slots.ts';
import { SLOT_S } from '#domain/record/ledger/ledger.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { type DueOptions, dueIn, HouseSlot } from './house-slot.ts';
import { type IssueDeps, isInTime, tryAll } from './issue-slot.ts';
import { type MarketPace, marketPace } from './market-pace.ts';
import { type MissStore, missStore } from './miss-store.ts';

export interface HouseDeps extends IssueDeps, Omit<DueOptions, 'symbols'> {
  symbols?: readonly MarketSymbol[];
  misses: MissStore;
  pace?: MarketPace;
}

/** In market time. A venue's candle arrives a moment after its minute is over. */
const WAKE_AFTER_MS = 250;
const RETRY_MS = 3000;
/** A run is short enough for another process to take over within the minute if this one is killed. */
const RUN_MS = 10_000;
const LIMIT_MS = 20_000;

export function startHouseForecasts({ database, ...deps }: Omit<HouseDeps, 'misses'> & { database: Database }): Job {
  const house = openHouse({ ...deps, misses: missStore(database) });
  return startJob({
    name: HOUSE_JOB,
    periodMs: SLOT_S * 1000,
    limitMs: LIMIT_MS,
    // A random delay could miss the candle; when two processes run at the same time, one only wastes a statement.
    random: () => 0,
    store: jobStore(database),
    log: deps.log,
    run: (signal) => house.run(signal),
  });
}

export interface House {
  /** Works on the current slot, for ten seconds at most. @returns when to run next */
  run(signal: AbortSignal): Promise<{ nextInMs: number }>;
}

export function openHouse(deps: HouseDeps): House {
  const { marketClock, log, misses, symbols = SYMBOLS } = deps;
  const pace = deps.pace ?? marketPace(marketClock);
  let slot: HouseSlot | null = null;

  async function run(signal: AbortSignal): Promise<{ nextInMs: number }> {
    const nowMs = marketClock.nowMs();
    const slotS = slotOf(nowMs / 1000);
    if (slot !== null && slot.slotS !== slotS) await close(slot);
    if (isInTime(slotS, nowMs) && slot?.slotS !== slotS)
      slot = new HouseSlot(slotS, dueIn(slotS, { ...deps, symbols }));
    if (slot !== null && !slot.isClosed) await work(slot, signal);
    return { nextInMs: slot === null || slot.isClosed ? untilNext(slotS) : 0 };
  }

  async function work(current: HouseSlot, stopping: AbortSignal): Promise<void> {
    const ending = AbortSignal.timeout(RUN_MS);
    const signal = AbortSignal.any([stopping, ending]);
    while (isInTime(current.slotS, marketClock.nowMs()) && !current.isDone && !signal.aborted) {
      await tryAll(current, deps, signal);
      // An abort ends the loop in its condition.
      if (!current.isDone) await sleep(pace.ofOursMs(RETRY_MS), undefined, { signal }).catch(() => undefined);
    }
    stopping.throwIfAborted();
    if (current.isDone || !isInTime(current.slotS, marketClock.nowMs())) await close(current);
  }

  /** Runs once. Misses are logged even if they could not be stored. */
  async function close(ended: HouseSlot): Promise<void> {
    if (ended.isClosed) return;
    ended.isClosed = true;
    const missed = ended.misses();
    const { slotS, dueCount, resting, issued, existing } = ended;
    const counts = { slot: new Date(slotS * 1000).toISOString(), due: dueCount - resting, issued, existing };
    if (missed.length === 0) log.info(counts, 'house forecasts added to the record');
    else log.warn({ ...counts, missed: countsOf(missed.map(({ reason }) => reason)) }, 'house forecasts are missing');
    await misses.add(slotS, missed).catch((error: unknown) => {
      log.warn({ err: error }, 'missing house forecasts could not be recorded');
    });
  }

  function untilNext(slotS: number): number {
    return pace.untilMs((slotS + SLOT_S) * 1000 + WAKE_AFTER_MS);
  }

  return { run };
}

function countsOf(reasons: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]));
}
