/**
 * The corrections applied to forecast bands, in memory, and the job that learns them from scored records. Any process
 * may learn; all processes read the result every few seconds, so that they draw the same bands.
 */
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { MARKET_KINDS, SYMBOLS } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import {
  type BandGains,
  type BandState,
  correctionFrom,
  gainsOf,
  learn,
  UNLEARNT,
} from '#domain/record/bands/adaptive-bands.ts';
import { type BandCorrection, NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import { isRecorded } from '#domain/record/ledger/ledger.ts';
import type { Core } from '../../core.ts';
import type { CorrectionOf } from '../../forecast/forecast-cache.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { startJob } from '../../platform/processes/schedule.ts';
import {
  type BandCorrectionStore,
  type BandKey,
  type BandRecord,
  bandCorrectionStore,
} from './band-correction-store.ts';

export interface BandCorrections {
  /** Synchronous, from memory. Without a learned state there is no correction. */
  of: CorrectionOf;
  /** Reads the states that any process has learned; also runs every few seconds. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface BandCorrectionDeps extends Pick<Core, 'database' | 'log'> {
  /** The serving version; null when the model cannot forecast. */
  versionOf(model: ModelName, timeframe: Timeframe): string | null;
}

const LEARN_MS = 15_000;
const REFRESH_MS = 5000;
/** Records of one learner per round: a week, so that a long outage is caught up on in few rounds. */
const BATCH = 2016;

/** Reads the learned states first. If the database does not answer, nothing is corrected until it does. */
export async function openBandCorrections(deps: BandCorrectionDeps): Promise<BandCorrections> {
  const { database, log } = deps;
  const store = bandCorrectionStore(database);
  let known: ReadonlyMap<string, BandCorrection> = new Map();

  async function refresh(): Promise<void> {
    const states = await store.states(servingVersions(deps));
    known = new Map(states.map(({ key, state }) => [nameOf(key), correctionFrom(state)]));
  }
  let reading = Promise.resolve();
  let hasFailed = false;
  const read = (): void => {
    reading = refresh().then(
      () => {
        hasFailed = false;
      },
      (error: unknown) => {
        // Logged once: it is retried every few seconds, and the known states stay in use.
        if (!hasFailed) log.warn({ err: error }, 'band corrections could not be read');
        hasFailed = true;
      },
    );
  };
  read();
  await reading;
  const timer = setInterval(() => void reading.then(read), REFRESH_MS);
  timer.unref();

  const job = startJob({
    name: 'band-corrections',
    periodMs: LEARN_MS,
    store: jobStore(database),
    log,
    async run(signal) {
      const learnt = await learnBands(store, learnersOf(deps), signal);
      if (learnt > 0) await refresh();
      return undefined;
    },
  });
  return {
    of: (marketKind, model, sym, version, timeframe = DEFAULT_TIMEFRAME) =>
      known.get(nameOf({ marketKind, model, sym, version, timeframe })) ?? NO_CORRECTION,
    refresh,
    async close() {
      clearInterval(timer);
      await job.close();
      await reading;
    },
  };
}

/** Learns all scored records not learned yet. @returns how many records were processed, void ones included */
export async function learnBands(
  store: BandCorrectionStore,
  keys: readonly BandKey[],
  signal: AbortSignal,
): Promise<number> {
  const versions = [...new Set(keys.map(({ version }) => version))];
  const states = new Map((await store.states(versions)).map(({ key, state }) => [nameOf(key), state]));
  const stateOf = (key: BandKey): BandState => states.get(nameOf(key)) ?? UNLEARNT;
  let passed = 0;
  let open = [...keys];
  while (open.length > 0 && !signal.aborted) {
    const learners = open.map((key) => ({ key, lastSeq: stateOf(key).lastSeq }));
    const learnt = (await store.records(learners, BATCH)).map(({ key, records }) => {
      const before = stateOf(key);
      const state = learnFrom(before, records, gainsOf(key.timeframe));
      const count = records.filter(({ seq }) => seq <= state.lastSeq).length;
      return { key, from: before.lastSeq, state, count, isMore: records.length === BATCH && count > 0 };
    });
    const moved = learnt.filter(({ count }) => count > 0);
    const written = await store.save(moved);
    // Another process has learned meanwhile, so this state is old; the next round starts from the stored one.
    if (written < moved.length) break;
    for (const { key, state, count } of moved) {
      states.set(nameOf(key), state);
      passed += count;
    }
    open = learnt.filter(({ isMore }) => isMore).map(({ key }) => key);
  }
  return passed;
}

function servingVersions({ versionOf }: BandCorrectionDeps): string[] {
  return TIMEFRAMES.flatMap((timeframe) => MODEL_NAMES.map((model) => versionOf(model, timeframe))).filter(
    (version) => version !== null,
  );
}

/** Every learner that may have records: a symbol without any costs one empty index lookup. */
function learnersOf({ versionOf }: BandCorrectionDeps): BandKey[] {
  return TIMEFRAMES.flatMap((timeframe) => {
    const syms = SYMBOLS.filter((symbol) => isRecorded(symbol, timeframe)).map(({ sym }) => sym);
    return MODEL_NAMES.flatMap((model) => {
      const version = versionOf(model, timeframe);
      if (version === null) return [];
      return MARKET_KINDS.flatMap((marketKind) => syms.map((sym) => ({ marketKind, model, sym, version, timeframe })));
    });
  });
}

function nameOf({ marketKind, model, sym, version, timeframe }: BandKey): string {
  return JSON.stringify([marketKind, model, sym, version, timeframe]);
}

/** Market time between the slots of two records. */
export const LONGEST_WAIT_S = 2 * 3600;

/** @param records  of one learner, after its last one, by seq */
function learnFrom(state: BandState, records: readonly BandRecord[], gains: BandGains): BandState {
  const newest = Math.max(...records.filter((one) => one.state !== 'waiting').map(({ slot }) => slot));
  let learnt = state;
  for (const { seq, slot, state: scored, inside } of records) {
    if (scored === 'waiting' && newest - slot < LONGEST_WAIT_S) break;
    learnt = learn(learnt, { seq, inside: scored === 'known' ? inside : null }, gains);
  }
  return learnt;
}
