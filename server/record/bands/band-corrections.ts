/**
 * The corrections that forecasts are drawn with, at hand in memory, and the job that learns them from scored records.
 * Any process may learn; every process reads what was learnt every few seconds, so that all draw the same bands.
 */
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { MARKET_KINDS, SYMBOLS } from '#domain/market/symbols.ts';
import { type BandState, correctionFrom, UNLEARNT } from '#domain/record/bands/adaptive-bands.ts';
import { type BandCorrection, NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import type { CorrectionOf } from '../../forecast/forecast-cache.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type BandCorrectionStore, type BandKey, bandCorrectionStore } from './band-correction-store.ts';
import { learnFrom } from './lessons.ts';

export interface BandCorrections {
  /** At once, from memory. What was never learnt is not corrected. */
  of: CorrectionOf;
  /** Reads what any process has learnt; it does so by itself every few seconds. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface BandCorrectionDeps {
  database: Database;
  log: Logger;
  /** The version that serves; null where the model cannot. */
  versionOf(model: ModelName): string | null;
}

const LEARN_MS = 15_000;
const REFRESH_MS = 5000;
/** Of one learner at once: a week, so that a long standstill is caught up with in few rounds. */
const BATCH = 2016;

/** Has read what is known already, unless the database does not answer: then nothing is corrected until it does. */
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
        // Once: it is tried again every few seconds, and what is known stays in use.
        if (!hasFailed) log.warn({ err: error }, 'corrections of bands could not be read');
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
    of: (marketKind, model, sym, version) => known.get(nameOf({ marketKind, model, sym, version })) ?? NO_CORRECTION,
    refresh,
    async close() {
      clearInterval(timer);
      await job.close();
      await reading;
    },
  };
}

/** One round: everything that is scored and not learnt yet. @returns how many records were passed, the void ones included */
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
      const state = learnFrom(before, records);
      const count = records.filter(({ seq }) => seq <= state.lastSeq).length;
      return { key, from: before.lastSeq, state, count, isMore: records.length === BATCH && count > 0 };
    });
    const moved = learnt.filter(({ count }) => count > 0);
    const written = await store.save(moved);
    // Another process has learnt meanwhile: what this one knows is old, and the next round begins with what stands there.
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
  return MODEL_NAMES.map(versionOf).filter((version) => version !== null);
}

/** Whatever may have records: a symbol without any costs an empty look at an index. */
function learnersOf({ versionOf }: BandCorrectionDeps): BandKey[] {
  return MODEL_NAMES.flatMap((model) => {
    const version = versionOf(model);
    if (version === null) return [];
    return MARKET_KINDS.flatMap((marketKind) => SYMBOLS.map(({ sym }) => ({ marketKind, model, sym, version })));
  });
}

function nameOf({ marketKind, model, sym, version }: BandKey): string {
  return JSON.stringify([marketKind, model, sym, version]);
}
