/** What the public record shows of chances: nothing before their window has closed, by any address, then all of it. */
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { MINUTE_S } from '#domain/market/candle.ts';
import { windowEndS } from '#domain/record/chances/chance-moments.ts';
import { chanceSummarySchema } from '#domain/record/chances/chance-summary.ts';
import { recompute } from '#domain/record/figures/recompute.ts';
import { recordFileSchema } from '#domain/record/ledger/record-files.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import type { CandlePast } from '../../server/market/candles/past-candles.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { recordTexts } from '../../server/programs/read-api/record-page-store.ts';
import { chanceBlockStore, scoredChances } from '../../server/record/chances/chance-block-store.ts';
import { makeChanceFigures } from '../../server/record/chances/chance-figures-job.ts';
import { chanceRoutes } from '../../server/record/chances/chance-routes.ts';
import { chanceSummaryStore } from '../../server/record/chances/chance-summary-store.ts';
import { figureRoutes } from '../../server/record/figures/figure-routes.ts';
import { ledgerRoutes } from '../../server/record/ledger/ledger-routes.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { nodeTools } from '../../server/record/ledger/node-tools.ts';
import { openReveal } from '../../server/record/reveal.ts';
import { openScoring } from '../../server/record/scoring/score-records.ts';
import { scoreStore } from '../../server/record/scoring/score-store.ts';
import { CHANCES_START_S, makeChances, scoreOf } from '../../server/record/testing/chance-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const never = new AbortController().signal;
const DAY = '2025-11-12';
const QUARTER_S = 15 * MINUTE_S;

// On one kind by day: tests/database/record-chances.test.ts runs the statements on both.
describeBothAtNight('recorded chances', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let nowMs: number;
  let app: Hono;
  let generated: ReturnType<typeof makeChances>;
  let texts: string[];

  beforeEach(async () => {
    await emptyRecord(database());
    await database().query(OWNER, 'delete from private.track_chance_blocks');
    await database().query(OWNER, 'delete from private.track_chance_summaries');
    const clock = { nowMs: () => nowMs };
    const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'live' });
    const deps = { database: database(), clock, log: testLog, countDownload: async () => {}, reveal };
    app = new Hono()
      .route('/', ledgerRoutes({ ...deps, baselineText: () => null }))
      .route('/', figureRoutes({ ...deps, marketKind: 'live', siteDir: '/nowhere' }))
      .route('/', chanceRoutes({ ...deps, marketKind: 'live' }));
    app.onError((error) => errorResponse(error));
    apiTexts = async () => {
      const filter = { market: 'live', timeframe: '1min', sym: null, model: null, role: null } as const;
      const pages = [{}, { window: 5 }, { window: 15 }] as const;
      return await Promise.all(
        pages.map((own) =>
          recordTexts(database(), { first: 1, end: 1000 }, { filter: { ...filter, ...own }, limit: 1000, reveal }),
        ),
      );
    };
    generated = makeChances({ quarters: 2, syms: ['BTCUSDT.P', 'ETHUSDT.P'] });
    await ledgerStore(database()).appendChances(generated.chances);
    texts = await textsOf(database());
    nowMs = CHANCES_START_S * 1000;
  });
  /** Pages of the read API: forecasts, then chances by window. */
  let apiTexts: () => Promise<{ seq: number; text: string }[][]>;

  const get = async (path: string) => await app.request(path);
  const text = async (path: string) => (await get(path)).text();

  /** The scoring and the figures' job, once. */
  async function round(): Promise<void> {
    const clock = { nowMs: () => nowMs };
    const series = (sym: string) => ({
      marketKind: 'live' as const,
      venueId: 'one',
      candles: (generated.candles.get(sym) ?? []).filter(({ time }) => (time + MINUTE_S) * 1000 <= nowMs),
    });
    const past: CandlePast = { recent: async ({ sym }) => series(sym), stored: async () => [] };
    const deps = { clock, marketClock: clock, log: testLog, kindOf: () => 'live' as const };
    await openScoring(scoreStore(database()), { ...deps, past, tableOf: () => null }).scoreDue(never);
    const stores = { blocks: chanceBlockStore(database()), summaries: chanceSummaryStore(database()) };
    await makeChanceFigures(stores, deps, never);
  }

  test('show nothing before their window has closed, by any address, and all of it from then on', async () => {
    // A moment, ends of both windows, and of the last.
    for (const minute of [3, 5, 10, 15, 30]) {
      nowMs = (CHANCES_START_S + minute * MINUTE_S) * 1000;
      // A millisecond before a window closes nothing of it may be seen.
      for (const beforeMs of [1, 0]) {
        nowMs -= beforeMs;
        await round();
        const day = await text(`/record/days/${DAY}.ndjson`);
        const csv = await text(`/record/chances/${DAY}.csv`);
        const everything = [
          ...[day, csv, await text(`/record/days/${DAY}.csv`), await text('/record/records.json?limit=100')],
          ...[await text('/record/chances.json'), await text('/record/chances.json?window=15')],
          ...(await apiTexts()).flat().map((record) => record.text),
          JSON.stringify(await scoredChances(database(), 'live', 0)),
          ...(await Promise.all(generated.chances.map((_, i) => text(`/record/records/${i + 1}.json`)))),
        ].join('\n');
        for (const [i, chance] of generated.chances.entries()) {
          const isOver = windowEndS(chance.slot, chance.window) * 1000 <= nowMs;
          const whole = JSON.stringify(texts[i]);
          expect([i, everything.includes(chance.salt), everything.includes(whole)]).toEqual([i, isOver, isOver]);
          expect(csv.split('\r\n')[i + 1]?.includes(isOver ? `,${chance.chance},` : ',sealed,')).toBe(true);
          if (!isOver) expect(csv.split('\r\n')[i + 1]).toMatch(/,sealed,{12}$/);
        }
        nowMs += beforeMs;
      }
    }
  });

  test('are sealed with their window, and give their text with its score once they are revealed', async () => {
    nowMs = (CHANCES_START_S + 9 * MINUTE_S) * 1000;
    const sealed = recordFileSchema.parse(JSON.parse(await text('/record/records/9.json')));
    const early = await text(`/record/days/${DAY}.ndjson`);
    expect(sealed).toMatchObject({ record: null, score: null, sealed: { seq: 9, window: 5 } });

    nowMs += 3 * QUARTER_S * 1000;
    await round();
    const file = recordFileSchema.parse(JSON.parse(await text('/record/records/9.json')));
    const chance = generated.chances[8];
    if (chance === undefined) throw new Error('no such chance');
    expect(file).toMatchObject({ record: texts[8], document: null, score: scoreOf(generated.candles, chance) });
    expect(file.hash).toBe(sealed.hash);

    const found = await verifyRecordFiles([{ name: 'day', text: await text(`/record/days/${DAY}.ndjson`) }], {
      tools: nodeTools,
      nowS: nowMs / 1000,
      against: early,
    });
    expect([found.isSound, found.counts.outcomes, found.counts.committed]).toEqual([true, texts.length, texts.length]);
  });

  test('change the tag of the day’s file the moment their window has closed', async () => {
    const path = `/record/days/${DAY}.ndjson`;
    const endMs = (CHANCES_START_S + 5 * MINUTE_S) * 1000;
    nowMs = endMs - 1;
    const before = (await get(path)).headers.get('etag') ?? '';
    const again = () => app.request(path, { headers: { 'if-none-match': before } });
    expect((await again()).status).toBe(304);
    nowMs = endMs;
    expect((await again()).status).toBe(200);
  });

  test('have pages of their windows for programs, apart from forecasts', async () => {
    const seqs = (await apiTexts()).map((page) => page.map(({ seq }) => seq));
    const ofWindow = (window: number) =>
      generated.chances.flatMap((chance, i) => (chance.window === window ? i + 1 : []));
    expect(seqs).toEqual([[], ofWindow(5), ofWindow(15)]);
  });

  test('have the figures that anyone computes from the day’s file', async () => {
    nowMs = (CHANCES_START_S + 3 * QUARTER_S) * 1000;
    await round();
    const file = await text(`/record/days/${DAY}.ndjson`);
    const own = await recompute([file]);

    expect(own.scores).toEqual({ same: texts.length, different: [], differentCount: 0, unchecked: 0 });
    for (const window of [5, 15] as const) {
      const shown = chanceSummarySchema.parse(JSON.parse(await text(`/record/chances.json?window=${window}`)));
      const { market: _, window: __, ...figures } = own.chances.find((one) => one.window === window) ?? {};
      expect(shown).toMatchObject({ window, model: 'lion', ...JSON.parse(JSON.stringify(figures)) });
      expect(shown.counts).toMatchObject({ issued: shown.counts.known, void: 0, waiting: 0 });
      expect(shown.counts.known).toBeGreaterThan(0);
    }
    const misjudged = file.replace(/"isAbove": ?true/, '"isAbove":false');
    expect((await recompute([misjudged])).scores.differentCount).toBe(1);
  });

  test('count moments that passed without a chance as missed, with the reason where a server saw it', async () => {
    nowMs = (CHANCES_START_S + 4 * QUARTER_S) * 1000;
    await database().query(
      OWNER,
      `insert into private.track_misses (market_kind, slot_s, window_min, sym, model, role, reason)
       values ('live', $1::bigint, 5, 'BTCUSDT.P', 'lion', 'serving', 'candle-late')`,
      [CHANCES_START_S + 2 * QUARTER_S + MINUTE_S],
    );
    await round();
    const { counts, missReasons } = chanceSummarySchema.parse(JSON.parse(await text('/record/chances.json')));

    // Half an hour of two coins, twelve chances of five minutes each.
    expect([counts.issued, counts.expected, missReasons]).toEqual([24, 48, { 'candle-late': 1 }]);
  });

  test.each([
    ['/record/chances.json?window=60', 400],
    ['/record/chances.json?model=lion', 400],
    ['/record/chances/2025-11-31.csv', 400],
    ['/record/chances/2025-11-13.csv', 404],
    ['/record/chances.json?market=simulated&window=15&period=365d', 200],
  ])('answer %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
    expect((await app.request(path, { method: 'POST' })).status).toBe(405);
  });
});

async function textsOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ body: string }>(OWNER, 'select body from private.track_records order by seq');
  return rows.map(({ body }) => body);
}
