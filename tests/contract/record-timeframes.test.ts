/** Forecasts of longer candles, from the house's slot to the figures: real networks on the sandbox market, a real chain. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { recordListSchema, trackSummarySchema } from '#domain/record/figures/track-summary.ts';
import { slotSecondsOf, timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { revealAfterS } from '#domain/record/ledger/reveal.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { recordTimes } from '#domain/record/scoring/void-rules.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import type { Clock } from '#domain/time/clock.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { candlePast } from '../../server/market/candles/past-candles.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { bandCorrectionStore } from '../../server/record/bands/band-correction-store.ts';
import { learnBands, openBandCorrections } from '../../server/record/bands/band-corrections.ts';
import { figureRoutes } from '../../server/record/figures/figure-routes.ts';
import { readJudged } from '../../server/record/figures/judged-records.ts';
import { figureStores, makeFigures } from '../../server/record/figures/record-figures.ts';
import { openBaselines } from '../../server/record/house/baselines.ts';
import { openHouse } from '../../server/record/house/issue-forecasts.ts';
import { missStore } from '../../server/record/house/miss-store.ts';
import { ledgerRoutes } from '../../server/record/ledger/ledger-routes.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { nodeTools } from '../../server/record/ledger/node-tools.ts';
import { openReveal } from '../../server/record/reveal.ts';
import { openScoring } from '../../server/record/scoring/score-records.ts';
import { scoreStore } from '../../server/record/scoring/score-store.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type MarketStack, startMarketStack } from '../support/market/market-stack.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';

const MODELS_DIR = new URL('../../models/', import.meta.url).pathname;
const never = new AbortController().signal;
const BTC = symbolNamed('BTC');
const COINS = SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto');
/** A Saturday, when only coins are traded, at a whole hour. */
const SLOT_S = Date.parse('2025-11-15T09:00:00Z') / 1000;
const DAY = '2025-11-15';
const LONGER = ['5min', '15min'] as const;
/** The times at which the records are scored. At the last one every outcome is known. */
const SCORING_S = [
  SLOT_S + revealAfterS('1min') + 300,
  SLOT_S + revealAfterS('5min'),
  SLOT_S + revealAfterS('15min') - 1,
  SLOT_S + revealAfterS('15min'),
];

const baselines = await openBaselines();
const runner = inProcessRunner();
let folder: ModelsFolder;
let registry: ModelRegistry;

beforeAll(async () => {
  folder = makeModelsFolder({});
  for (const id of ['bobcat', '5min/bobcat', '15min/bobcat'])
    cpSync(join(MODELS_DIR, id), join(folder.path, id), { recursive: true });
  registry = await openModelRegistry(folder.path, runner);
});
afterAll(async () => {
  await runner.close();
  folder.remove();
});

describeOneDatabase('the record of longer candles', (kind) => {
  let database: Database;
  let stack: MarketStack;
  /** BTC's close before the whole hour, read while its forecasts were issued. */
  const closes = new Map<Timeframe, number | undefined>();
  /** How many records were scored at each time of SCORING_S. */
  const scored: Partial<Record<Timeframe, number>>[] = [];

  // One day for all tests: two slots are issued, and scored as their candles close.
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    stack = await startMarketStack();
    stack.clock.ms = SLOT_S * 1000;
    await issueSlot(SLOT_S);
    for (const timeframe of TIMEFRAMES) {
      const { candles } = await stack.history.latest(BTC, 450, never, timeframe);
      closes.set(timeframe, candles.find(({ time }) => time === SLOT_S - barSecondsOf(timeframe))?.close);
    }
    await issueSlot(SLOT_S + 300);
    for (const epochS of SCORING_S) {
      await moveTo(epochS);
      scored.push(await scoredBy());
    }
  });
  afterAll(async () => {
    await stack.close();
    await database.close();
  });

  /** Moves the clock, and waits until the history holds every coin's candles until then. */
  async function moveTo(epochS: number): Promise<void> {
    const { history, clock } = stack;
    clock.ms = epochS * 1000;
    const past = candlePast({ history, store: null });
    for (const timeframe of TIMEFRAMES) {
      const barS = barSecondsOf(timeframe);
      const ends = async () => {
        const series = await Promise.all(COINS.map((symbol) => past.recent(symbol, never, timeframe)));
        return series.map((one) => one?.candles.at(-1)?.time);
      };
      const expected = COINS.map(() => Math.floor(epochS / barS) * barS - barS);
      await vi.waitFor(async () => expect(await ends(), timeframe).toEqual(expected), { timeout: WAIT_MS });
    }
  }

  async function issueSlot(slotS: number): Promise<void> {
    const { history, clock } = stack;
    await moveTo(slotS + 3);
    const forecasts = openForecasts({ history, registry, clock, log: testLog });
    const house = openHouse({
      history,
      clock,
      marketClock: clock,
      baselineOf: baselines.currentOf,
      log: testLog,
      issuers: [{ role: 'serving', forecasts, registry }],
      kindOf: () => 'simulated',
      ledger: ledgerStore(database),
      misses: missStore(database),
      patienceMs: WAIT_MS,
      // The market's time stops during the slot, so a venue that answers late on a busy machine is in time.
      pace: { untilMs: (ms) => ms - clock.ms, ofOursMs: () => 50 },
    });
    for (let nextInMs = 0; nextInMs <= 0; ) ({ nextInMs } = await house.run(never));
  }

  const records = () => readJudged(asOwner(database), { where: 'true' }, []);

  /** How many records of each timeframe are scored. */
  async function scoredBy(): Promise<Partial<Record<Timeframe, number>>> {
    const { history, clock } = stack;
    const past = candlePast({ history, store: null });
    const deps = { past, kindOf: () => 'simulated' as const, clock, marketClock: clock, log: testLog };
    await openScoring(scoreStore(database), { ...deps, tableOf: baselines.byVersion }).scoreDue(never);
    const known = (await records()).filter(({ score }) => score !== null && 'actual' in score);
    const counts = Map.groupBy(known, ({ body }) => timeframeOfRecord(body));
    return Object.fromEntries([...counts].map(([timeframe, all]) => [timeframe, all.length]));
  }

  /** @param clock  of the server and of its market */
  function app(clock: Clock = stack.clock) {
    const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'simulated' });
    const deps = { database, clock, log: testLog, marketKind: 'simulated' as const, siteDir: '/nowhere' };
    const routes = figureRoutes({ ...deps, countDownload: async () => {}, reveal });
    routes.route('/', ledgerRoutes({ ...deps, countDownload: async () => {}, reveal, baselineText: baselines.textOf }));
    routes.onError((error) => errorResponse(error));
    return { routes, reveal };
  }
  const get = async (path: string, clock?: Clock) => await app(clock).routes.request(`http://localhost${path}`);

  test('issues every coin at every timeframe in a whole hour, and five minutes later only one-minute ones', async () => {
    const all = await records();
    const first = all.filter(({ body }) => body.slot === SLOT_S);
    expect(first).toHaveLength(3 * COINS.length);
    for (const { body } of first) {
      const timeframe = timeframeOfRecord(body);
      expect(body.baseline).toBe(baselines.currentOf(timeframe).version);
      expect(body.version).toBe((await registry.open('bobcat', timeframe)).modelVersion);
      if (body.sym === BTC.sym) expect(body.close).toBe(String(closes.get(timeframe)));
    }

    expect(all.slice(3 * COINS.length).map(({ body }) => [body.slot, timeframeOfRecord(body)])).toEqual(
      COINS.map(() => [SLOT_S + 300, '1min']),
    );
  });

  test('seals each text until its own bar 50 has closed, in every file and list', async () => {
    // Only the server's clock moves on: the market would send hours of candles.
    const shown = async (timeframe: Timeframe, nowMs: number) => {
      const clock = { nowMs: () => nowMs };
      const list = recordListSchema.parse(
        await (await get(`/record/records.json?limit=100&tf=${timeframe}`, clock)).json(),
      );
      const csv = await (await get(`/record/days/${DAY}.csv?tf=${timeframe}`, clock)).text();
      const rows = csv.trimEnd().split('\r\n').slice(1);
      return {
        listed: list.filter(({ slot, state }) => slot === SLOT_S && state !== 'sealed').length,
        rows: rows.filter((row) => row.includes(String(SLOT_S)) && !row.includes(',sealed,')).length / 5,
        lines: (await (await get(`/record/days/${DAY}.ndjson`, clock)).text())
          .split('\n')
          .filter((line) => line.includes(`\\"slot\\":${SLOT_S},`))
          .filter((line) => line.includes('\\"tf\\":\\"') === (timeframe !== '1min'))
          .filter((line) => timeframe === '1min' || line.includes(`\\"tf\\":\\"${timeframe}\\"`)).length,
      };
    };
    const none = { listed: 0, rows: 0, lines: 0 };
    const all = { listed: COINS.length, rows: COINS.length, lines: COINS.length };
    for (const timeframe of TIMEFRAMES) {
      const revealMs = (SLOT_S + revealAfterS(timeframe)) * 1000;
      expect(await shown(timeframe, revealMs - 1), timeframe).toEqual(none);
      expect(await shown(timeframe, revealMs), timeframe).toEqual(all);
    }
  });

  test('scores each with its timeframe’s 50 candles once the last has closed', async () => {
    expect(scored).toEqual([
      { '1min': 2 * COINS.length },
      { '1min': 2 * COINS.length, '5min': COINS.length },
      { '1min': 2 * COINS.length, '5min': COINS.length },
      { '1min': 2 * COINS.length, '5min': COINS.length, '15min': COINS.length },
    ]);

    for (const { body, score } of await records()) {
      if (body.sym !== BTC.sym || body.slot !== SLOT_S || body.tf === undefined) continue;
      // What the job reads: after a jump of the clock, the venue may have sent a bar that its later answer corrects.
      const market = await candlePast({ history: stack.history, store: null }).recent(BTC, never, body.tf);
      const times = new Set(recordTimes(body));
      const outcome = (market?.candles ?? []).filter(({ time }) => times.has(time));
      expect([outcome.length, times.size]).toEqual([HORIZON_BARS, HORIZON_BARS]);
      const table = baselines.byVersion(body.baseline);
      if (table === null) throw new Error('no table');
      expect(score).toEqual(scoreRecord(body, outcome, table));
    }
  });

  test('gives figures of each timeframe, and leaves those of one minute as they were', async () => {
    const { clock } = stack;
    const { reveal } = app();
    const stores = figureStores(database, reveal);
    await makeFigures(stores, { clock, marketClock: clock, kindOf: () => 'simulated', log: testLog }, never);
    const text = async (query: string) => await (await get(`/record/summary.json${query}`)).text();

    expect(await text('?tf=1min')).toBe(await text(''));
    expect(await text('')).not.toContain('"tf"');
    expect(trackSummarySchema.parse(JSON.parse(await text(''))).counts).toMatchObject({ issued: 2 * COINS.length });
    for (const tf of LONGER) {
      const summary = trackSummarySchema.parse(JSON.parse(await text(`?tf=${tf}`)));
      expect([summary.tf, summary.counts.issued, summary.counts.known]).toEqual([tf, COINS.length, COINS.length]);
      // From the first record on, of the one model that there is.
      const slots = Math.floor((clock.ms / 1000 - 60 - SLOT_S) / slotSecondsOf(tf)) + 1;
      expect(summary.counts.expected).toBe(COINS.length * slots);
      expect(summary.latest.every((card) => card.tf === tf)).toBe(true);
    }
    expect((await get('/record/summary.json?tf=1h')).status).toBe(400);
    expect((await get('/record/records.json?tf=1h')).status).toBe(400);
    expect((await get(`/record/days/${DAY}.csv?tf=1h`)).status).toBe(400);
  });

  test('names bars in the head of longer rows, and leaves the rows of one minute as they were', async () => {
    const heads = async (query: string) =>
      (await (await get(`/record/days/${DAY}.csv${query}`)).text()).split('\r\n')[0];

    expect(await heads('')).toContain(',bar [min],');
    expect(await heads('')).toBe(await heads('?tf=1min'));
    expect(await heads('?tf=5min')).toMatch(/,bar \[5 min\],.*rv of 250 min \[.*ewma of 5 min \[/);
    expect((await get(`/record/days/${DAY}.csv?tf=15min`)).headers.get('content-disposition')).toContain(
      `kat-record-${DAY}-15min.csv`,
    );
  });

  test('verifies the whole day, and publishes the tables that its records name', async () => {
    const file = await (await get(`/record/days/${DAY}.ndjson`)).text();
    const found = await verifyRecordFiles([{ name: DAY, text: file }], { tools: nodeTools, nowS: SLOT_S });

    expect(found.findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
    expect(found.counts).toMatchObject({ records: 4 * COINS.length, sealed: 0 });
    for (const tf of LONGER) {
      const { version } = baselines.currentOf(tf);
      expect(await (await get(`/record/baselines/${version}.json`)).text()).toBe(baselines.textOf(version));
    }
  });

  test('learns the widths of longer bands from their own records', async () => {
    const versionOf = (model: string, timeframe: Timeframe): string | null => {
      const state = model === 'bobcat' ? registry.stateOf('bobcat', timeframe) : null;
      return state?.state === 'ready' ? state.model.modelVersion : null;
    };
    const store = bandCorrectionStore(database);
    const keys = COINS.flatMap(({ sym }) =>
      LONGER.map((timeframe) => ({
        marketKind: 'simulated' as const,
        model: 'bobcat' as const,
        sym,
        timeframe,
        version: versionOf('bobcat', timeframe) ?? '',
      })),
    );
    // The corrections' own job may have been first.
    const bands = await openBandCorrections({ database, log: testLog, versionOf });
    await learnBands(store, keys, never);
    expect((await store.states([])).map(({ state }) => state.learnt)).toEqual(keys.map(() => 1));
    await bands.refresh();

    for (const tf of LONGER) {
      const version = versionOf('bobcat', tf) ?? '';
      expect(bands.of('simulated', 'bobcat', BTC.sym, version, tf).p80).not.toEqual([1, 1, 1, 1, 1]);
    }
    await bands.close();
  });
});
