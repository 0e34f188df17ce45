/**
 * The jobs that write the house's forecasts and chances into the record. Forecasts: every fifth minute of market time, for every traded symbol
 * and every model, some of them of longer candles too, with or without visitors. Chances: at fixed minutes of each window. A job wakes when a slot
 * begins, retries what is missing for most of the first minute, and logs the result. One process at a time runs it; a second one finds all written.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { CHANCE_JOB, HOUSE_JOB } from '#domain/operations/job-rest.ts';
import { CHANCE_WITHIN_MS, momentAfter, momentBefore } from '#domain/record/chances/chance-moments.ts';
import { slotOf } from '#domain/record/ledger/house-slots.ts';
import { SLOT_S } from '#domain/record/ledger/ledger.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { chancesIn, type DueForecast, type DueOptions, dueIn, HouseSlot } from './house-slot.ts';
import { ISSUE_WITHIN_MS, type IssueDeps, isInTime, tryAll } from './issue-slot.ts';
import { type MarketPace, marketPace } from './market-pace.ts';
import { type MissStore, missStore } from './miss-store.ts';

/** When something is due, and what. */
export interface HouseSchedule {
  /** For the log, such as 'house forecasts'. */
  what: string;
  /** The newest slot at or before a time, and the first after it; epoch seconds of market time. */
  slotAt(epochS: number): number;
  slotAfter(slotS: number): number;
  dueIn(slotS: number, options: DueOptions): DueForecast[];
  /** Market time from the slot on within which it is written. */
  withinMs: number;
}

const FORECASTS: HouseSchedule = {
  what: 'house forecasts',
  slotAt: (epochS) => slotOf(epochS),
  slotAfter: (slotS) => slotS + SLOT_S,
  dueIn,
  withinMs: ISSUE_WITHIN_MS,
};

export const CHANCES: HouseSchedule = {
  what: 'house chances',
  slotAt: momentBefore,
  slotAfter: momentAfter,
  dueIn: chancesIn,
  withinMs: CHANCE_WITHIN_MS,
};

export interface HouseDeps extends IssueDeps, Omit<DueOptions, 'symbols'> {
  /** Default: that of forecasts. */
  schedule?: HouseSchedule;
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

type HouseJobDeps = Omit<HouseDeps, 'misses' | 'schedule'> & { database: Database };

export function startHouseForecasts(deps: HouseJobDeps): Job {
  return startHouse(HOUSE_JOB, SLOT_S * 1000, deps, FORECASTS);
}

export function startHouseChances(deps: HouseJobDeps): Job {
  return startHouse(CHANCE_JOB, LONGEST_REST_MS, deps, CHANCES);
}

/** No two moments of chances are further apart. */
const LONGEST_REST_MS = 3 * 60_000;

function startHouse(name: string, periodMs: number, { database, ...deps }: HouseJobDeps, schedule: HouseSchedule): Job {
  const house = openHouse({ ...deps, schedule, misses: missStore(database) });
  return startJob({
    name,
    periodMs,
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
  const { marketClock, log, misses, symbols = SYMBOLS, schedule = FORECASTS } = deps;
  const { withinMs } = schedule;
  const pace = deps.pace ?? marketPace(marketClock);
  let slot: HouseSlot | null = null;

  async function run(signal: AbortSignal): Promise<{ nextInMs: number }> {
    const nowMs = marketClock.nowMs();
    const slotS = schedule.slotAt(nowMs / 1000);
    if (slot !== null && slot.slotS !== slotS) await close(slot);
    if (isInTime({ slotS, withinMs }, nowMs) && slot?.slotS !== slotS)
      slot = new HouseSlot(slotS, schedule.dueIn(slotS, { ...deps, symbols }), withinMs);
    if (slot !== null && !slot.isClosed) await work(slot, signal);
    return { nextInMs: slot === null || slot.isClosed ? untilNext(slotS) : 0 };
  }

  async function work(current: HouseSlot, stopping: AbortSignal): Promise<void> {
    const ending = AbortSignal.timeout(RUN_MS);
    const signal = AbortSignal.any([stopping, ending]);
    while (isInTime(current, marketClock.nowMs()) && !current.isDone && !signal.aborted) {
      await tryAll(current, deps, signal);
      // An abort ends the loop in its condition.
      if (!current.isDone) await sleep(pace.ofOursMs(RETRY_MS), undefined, { signal }).catch(() => undefined);
    }
    stopping.throwIfAborted();
    if (current.isDone || !isInTime(current, marketClock.nowMs())) await close(current);
  }

  /** Runs once. Misses are logged even if they could not be stored. */
  async function close(ended: HouseSlot): Promise<void> {
    if (ended.isClosed) return;
    ended.isClosed = true;
    const missed = ended.misses();
    const { slotS, dueCount, resting, issued, existing } = ended;
    const counts = { slot: new Date(slotS * 1000).toISOString(), due: dueCount - resting, issued, existing };
    const { what } = schedule;
    if (missed.length === 0) log.info(counts, `${what} added to the record`);
    else log.warn({ ...counts, missed: countsOf(missed.map(({ reason }) => reason)) }, `${what} are missing`);
    await misses.add(slotS, missed).catch((error: unknown) => {
      log.warn({ err: error }, `missing ${what} could not be recorded`);
    });
  }

  function untilNext(slotS: number): number {
    return pace.untilMs(schedule.slotAfter(slotS) * 1000 + WAKE_AFTER_MS);
  }

  return { run };
}

function countsOf(reasons: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]));
}
