import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import type { CandlePast, PastSeries } from '../../server/market/candles/past-candles.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { openScoring, type ScoringDeps } from '../../server/record/scoring/score-records.ts';
import { type ScoreStore, scoreStore } from '../../server/record/scoring/score-store.ts';
import {
  aBaselineTable,
  FIRST_SLOT_S,
  type GeneratedRecords,
  insertRecords,
  makeRecords,
  outcomeOf,
  RECORDS_A_SLOT,
} from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { isNight } from '../support/run/test-size.ts';

const never = new AbortController().signal;
const TABLE = aBaselineTable();
const DAY_S = 86_400;
/** The last minute of a slot's forecast has closed. */
const endOf = (slot: number): number => slot + 3000;
const END_S = endOf(FIRST_SLOT_S);

describeOneDatabase('scores of the public record', (databaseKind) => {
  let database: Database;

  beforeEach(async () => {
    database = await openTestDatabase(databaseKind);
  });
  afterEach(() => database?.close());

  async function issue(...plan: Parameters<typeof makeRecords>): Promise<GeneratedRecords> {
    const records = makeRecords(...plan);
    await insertRecords(database, records);
    return records;
  }

  /** The market at `nowS`: all candles of each symbol that have closed by then. */
  function pastOf(records: GeneratedRecords, nowS: number, change: PastChange = {}) {
    const { kind = 'live', venueId = 'one', isStored = () => true, recent = true } = change;
    const reads = { recent: 0, stored: 0 };
    const seriesOf = (sym: string, fromS: number, toS: number): PastSeries => ({
      marketKind: kind,
      venueId,
      candles: (records.candles.get(sym) ?? []).filter((c) => c.time >= fromS && c.time < toS && isStored(c)),
    });
    const past: CandlePast = {
      async recent({ sym }) {
        reads.recent += 1;
        const fromS = nowS - 1499 * MINUTE_S;
        return recent ? seriesOf(sym, fromS, nowS - MINUTE_S + 1) : null;
      },
      async stored({ sym }, fromS, toS) {
        reads.stored += 1;
        return kind === 'live' ? [seriesOf(sym, fromS, Math.min(toS, nowS - MINUTE_S + 1))] : [];
      },
    };
    return { past, reads };
  }

  interface Round extends Partial<Omit<ScoringDeps, 'kindOf'>> {
    kind?: MarketKind;
    store?: ScoreStore;
    signal?: AbortSignal;
  }
  /** One round of one process at `nowS`. */
  function score(nowS: number, past: CandlePast, { kind = 'live', store, signal = never, ...change }: Round = {}) {
    const clock = { nowMs: () => nowS * 1000 };
    const deps: ScoringDeps = {
      past,
      clock,
      marketClock: clock,
      log: testLog,
      kindOf: () => kind,
      tableOf: (version) => (version === TABLE.version ? TABLE : null),
      ...change,
    };
    return openScoring(store ?? scoreStore(database), deps).scoreDue(signal);
  }
  const scores = () =>
    database.query(OWNER, 'select seq, state, void_reason, score from private.track_scores order by seq');
  const waiting = async () =>
    (await database.query<{ seq: number }>(OWNER, 'select seq from private.track_waiting order by seq')).map(
      (r) => r.seq,
    );

  test('are written once per record after its 50 minutes, and stay', async () => {
    const records = await issue({ slots: 2 });
    const nowS = endOf(FIRST_SLOT_S + 300);
    const { past, reads } = pastOf(records, nowS);

    expect(await score(END_S - 1, past)).toMatchObject({ known: 0, void: 0, later: 0 });
    expect(await score(nowS, past)).toMatchObject({ known: 2 * RECORDS_A_SLOT, void: 0, later: 0, hasMore: false });
    const first = await scores();
    expect(await score(nowS + DAY_S, past)).toMatchObject({ known: 0, void: 0, later: 0 });

    records.bodies.forEach((body, i) => {
      expect(first[i]).toMatchObject({ seq: body.seq, state: 'known', void_reason: null });
      expect(recordScoreSchema.parse(first[i]?.score)).toEqual(scoreRecord(body, outcomeOf(records, body), TABLE));
    });
    expect(await scores()).toEqual(first);
    expect(await waiting()).toEqual([]);
    // Once per symbol and round.
    expect(reads).toEqual({ recent: 4, stored: 0 });
  });

  test('wait for a gap at increasing intervals, then void the record and keep it', async () => {
    const records = await issue({ syms: ['BTCUSDT.P'], models: ['lion'] });
    const isStored = ({ time }: Candle) => time !== FIRST_SLOT_S + 25 * MINUTE_S;
    const at = (nowS: number) => score(nowS, pastOf(records, nowS, { isStored }).past);

    expect(await at(END_S + 5)).toMatchObject({ later: 1 });
    expect(await at(END_S + 10)).toMatchObject({ later: 0 });
    expect(await at(END_S + 30)).toMatchObject({ later: 1 });
    expect(await at(END_S + 3700)).toEqual({ known: 0, void: 1, later: 0, hasMore: false });

    expect(await scores()).toEqual([{ seq: 1, state: 'void', void_reason: 'candles-missing', score: null }]);
    expect(await database.query(OWNER, 'select count(*)::int as count from private.track_records')).toEqual([
      { count: 1 },
    ]);
  });

  test('include a gap that is repaired in time', async () => {
    const records = await issue({ syms: ['BTCUSDT.P'], models: ['lion'] });
    const isStored = ({ time }: Candle) => time !== FIRST_SLOT_S + 25 * MINUTE_S;

    await score(END_S + 5, pastOf(records, END_S + 5, { isStored }).past);
    expect(await score(END_S + 60, pastOf(records, END_S + 60).past)).toMatchObject({ known: 1 });
  });

  test.each([
    ['live', 'simulated'],
    ['simulated', 'live'],
    ['replayed', 'simulated'],
  ] as const)(
    "wait a month for a server with the record's own market: %s records, never %s candles",
    async (kind, shown) => {
      const records = await issue({ market: kind, models: ['lion'], syms: ['BTCUSDT.P'] });
      const at = (nowS: number) => score(nowS, pastOf(records, nowS, { kind: shown }).past, { kind: shown });

      for (const nowS of [END_S + 60, END_S + 5 * DAY_S])
        expect(await at(nowS)).toMatchObject({ known: 0, void: 0, later: 0 });
      // A server that claims to show this kind, but whose candles are of another.
      expect(await score(END_S + 60, pastOf(records, END_S + 60, { kind: shown }).past, { kind })).toMatchObject({
        later: 1,
      });
      expect(await waiting()).toEqual([1]);

      const late = END_S + 31 * DAY_S;
      expect(await score(late, pastOf(records, late, { kind: shown }).past, { kind: shown })).toMatchObject({
        void: 1,
      });
      expect(await scores()).toMatchObject([{ void_reason: 'candles-gone' }]);
      expect(await waiting()).toEqual([]);
    },
  );

  test('are written for waiting records once a server shows their kind again', async () => {
    const records = await issue({ market: 'simulated', models: ['lion'], syms: ['BTCUSDT.P'] });
    const nowS = END_S + 3600;

    await score(nowS, pastOf(records, nowS).past, { kind: 'live' });
    expect(await score(nowS, pastOf(records, nowS, { kind: 'simulated' }).past, { kind: 'simulated' })).toMatchObject({
      known: 1,
    });
  });

  test('are written from stored candles in one round after three days of downtime', async () => {
    const syms = isNight ? ['BTCUSDT.P', 'SOLUSDT.P'] : ['BTCUSDT.P'];
    const records = await issue({ slots: 3 * 288, syms });
    const nowS = FIRST_SLOT_S + 3 * DAY_S + 3600;
    const { past, reads } = pastOf(records, nowS);
    const totals = await score(nowS, past);

    expect(totals).toEqual({ known: records.bodies.length, void: 0, later: 0, hasMore: false });
    expect(reads.recent).toBe(syms.length);
    // Spans of six hours, not single records.
    expect(reads.stored).toBeLessThan(20 * syms.length);
  });

  test('are void as candles-gone for minutes that neither the server nor a venue has', async () => {
    const records = await issue({ slots: 13, syms: ['BTCUSDT.P'], models: ['lion'] });
    const stopS = FIRST_SLOT_S + 55 * MINUTE_S;
    const nowS = FIRST_SLOT_S + 3 * DAY_S;
    const stored = pastOf(records, nowS, { isStored: ({ time }) => time < stopS }).past.stored;
    const later = makeRecords({ slots: 1, firstSlotS: nowS, syms: ['BTCUSDT.P'] });
    const past: CandlePast = { stored, recent: pastOf(later, nowS).past.recent };

    // Two forecasts ended before the stop.
    expect(await score(nowS, past)).toMatchObject({ known: 2, void: 11 });
    expect(new Set((await scores()).map((row) => row.void_reason))).toEqual(new Set([null, 'candles-gone']));
  });

  test('are written in whole batches when a round is aborted, and completed by the next', async () => {
    const records = await issue({ slots: 120, syms: ['BTCUSDT.P'] });
    const nowS = endOf(FIRST_SLOT_S + 120 * 300);
    const { past } = pastOf(records, nowS);
    const stopping = new AbortController();
    const store = scoreStore(database);
    const dying: ScoreStore = {
      ...store,
      async resolve(resolutions) {
        stopping.abort();
        return store.resolve(resolutions);
      },
    };

    expect(await score(nowS, past, { store: dying, signal: stopping.signal })).toMatchObject({ known: 300 });
    expect(await waiting()).toHaveLength(60);
    expect(await score(nowS, past)).toMatchObject({ known: 60 });
    expect(await scores()).toHaveLength(360);
  });

  test('are not half written by a process that dies before its batch', async () => {
    const records = await issue({ syms: ['BTCUSDT.P'] });
    const { past } = pastOf(records, END_S);
    const store: ScoreStore = { ...scoreStore(database), resolve: () => Promise.reject(new Error('killed')) };

    await expect(score(END_S, past, { store })).rejects.toThrow('killed');
    expect([await scores(), await waiting()]).toEqual([[], [1, 2, 3]]);
    expect(await score(END_S, past)).toMatchObject({ known: 3 });
  });

  test('are written once by three simultaneous scorers', async () => {
    const records = await issue({ slots: 40 });
    const nowS = endOf(FIRST_SLOT_S + 40 * 300);
    const one = () => score(nowS, pastOf(records, nowS).past);

    await Promise.all([one(), one(), one()]);

    expect(await scores()).toHaveLength(480);
    expect(await waiting()).toEqual([]);
  });

  test('are delayed for a symbol with unreadable candles, but for no other', async () => {
    const records = await issue({ models: ['lion'] });
    const { past } = pastOf(records, END_S);
    const failing: CandlePast = {
      ...past,
      recent: (symbol, signal) =>
        symbol.sym === 'ETHUSDT.P' ? Promise.reject(new TypeError('a bug')) : past.recent(symbol, signal),
    };

    expect(await score(END_S, failing)).toMatchObject({ known: 3, later: 1 });
    expect(await score(END_S, failing)).toMatchObject({ known: 0, later: 0 });
    expect(await score(END_S + 60, past)).toMatchObject({ known: 1 });
  });

  test('wait for a missing baseline, with one line in the log', async () => {
    const records = await issue({
      syms: ['BTCUSDT.P'],
      change: ({ model }) => (model === 'lion' ? { baseline: 'har-0000000009' } : {}),
    });
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line: string) => void lines.push(line) });
    const clock = { nowS: END_S, nowMs: () => clock.nowS * 1000 };
    const { past } = pastOf(records, END_S);
    const deps = { past, clock, marketClock: clock, log, kindOf: () => 'live' as const };
    const scoring = openScoring(scoreStore(database), {
      ...deps,
      tableOf: (v) => (v === TABLE.version ? TABLE : null),
    });

    expect(await scoring.scoreDue(never)).toMatchObject({ known: 2, later: 1 });
    clock.nowS += 60;
    expect(await scoring.scoreDue(never)).toMatchObject({ known: 0, later: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('har-0000000009');
    expect(await score(END_S + DAY_S, past, { tableOf: aBaselineTable })).toMatchObject({ known: 1 });
  });
});

interface PastChange {
  kind?: MarketKind;
  venueId?: string;
  isStored?: (candle: Candle) => boolean;
  recent?: boolean;
}
