/** What the public record shows of a running forecast in every answer, and when it shows the rest. */
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { recordListSchema } from '#domain/record/figures/track-summary.ts';
import { fromHex } from '#domain/record/ledger/bytes.ts';
import { HOUR_S } from '#domain/record/ledger/day-statement.ts';
import { recordText } from '#domain/record/ledger/ledger.ts';
import { recordFileSchema, type SealedRecord, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { revealAfterS } from '#domain/record/ledger/reveal.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { openPathKeys } from '../../server/forecast/paths/path-keys.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { recordTexts } from '../../server/programs/read-api/record-page-store.ts';
import { figureRoutes } from '../../server/record/figures/figure-routes.ts';
import { figureStores, rollUp } from '../../server/record/figures/record-figures.ts';
import { summarise } from '../../server/record/figures/summarise.ts';
import { ledgerRoutes } from '../../server/record/ledger/ledger-routes.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { nodeTools, sha256Hex } from '../../server/record/ledger/node-tools.ts';
import { openReveal } from '../../server/record/reveal.ts';
import { type GeneratedRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

/** Wednesday noon: the eleven slots that run at the moment of the twelfth lie within one hour and day. */
const START_S = Date.parse('2025-11-12T12:00:00Z') / 1000;
const DAY = '2025-11-12';
const DOCUMENT = 'the whole forecast';
const A_SLOT = 6;

// On one kind by day: plain comparisons of times, which are the same on both.
describeBothAtNight('running records', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let nowMs: number;
  let marketNowMs: () => number;
  let app: Hono;
  let records: GeneratedRecords;

  beforeEach(async () => {
    await emptyRecord(database());
    marketNowMs = () => nowMs;
    const reveal = openReveal({
      clock: { nowMs: () => nowMs },
      marketClock: { nowMs: () => marketNowMs() },
      kindOf: () => 'live',
    });
    const deps = { database: database(), log: testLog, countDownload: async () => {}, reveal };
    app = new Hono()
      .route('/', ledgerRoutes({ ...deps, clock: { nowMs: () => nowMs }, baselineText: () => null }))
      .route('/', figureRoutes({ ...deps, clock: { nowMs: () => nowMs }, marketKind: 'live', siteDir: '/nowhere' }));
    app.onError((error) => errorResponse(error));
    summaryNow = async () => {
      const stores = figureStores(database(), reveal);
      await rollUp(stores.blocks, new AbortController().signal);
      return await summarise(stores, {
        market: 'live',
        timeframe: '1min',
        period: '7d',
        nowMs,
        marketNowMs: nowMs,
        isRunning: true,
      });
    };
    apiRecords = async () => {
      const filter = { market: 'live', timeframe: '1min', sym: null, model: null, role: null } as const;
      const rows = await recordTexts(database(), { first: 1, end: 1000 }, { filter, limit: 1000, reveal });
      return rows.map(({ text }) => JSON.parse(text));
    };
    records = await issue(database(), 12);
    nowMs = (START_S + 11 * 300) * 1000 + 20_000;
  });
  let summaryNow: () => ReturnType<typeof summarise>;
  let apiRecords: () => Promise<Record<string, unknown>[]>;

  const text = async (path: string) => (await app.request(path)).text();
  const json = async (path: string): Promise<unknown> => JSON.parse(await text(path));
  const last = () => records.bodies.length;
  const sealedOf = (seq: number): SealedRecord =>
    sealedRecord(records.bodies[seq - 1] ?? records.bodies[0] ?? fail(), records.hashes[seq - 1] ?? '');
  /** At 12:55:20 the forecasts of 12:00 and 12:05 are over, and those of 12:10 to 12:55 still run. */
  const REVEALED = 2 * A_SLOT;

  test('show their hash, key and time seconds after the slot, and none of their content', async () => {
    const file = recordFileSchema.parse(await json(`/record/records/${last()}.json`));

    expect(file).toMatchObject({ record: null, sealed: sealedOf(last()), hash: records.hashes.at(-1), document: null });
    const body = records.bodies.at(-1) ?? fail();
    const everything = [
      await text(`/record/records/${last()}.json`),
      await text(`/record/days/${DAY}.ndjson`),
      await text(`/record/days/${DAY}.csv`),
      await text('/record/records.json?limit=100'),
      JSON.stringify(await apiRecords()),
      JSON.stringify(await summaryNow()),
    ].join('\n');
    // The last record's numbers are its own: no revealed record has them.
    for (const secret of [body.path.join(), body.upper[4]?.join() ?? fail(), String(body.rv), body.document])
      expect(everything.includes(secret), secret).toBe(false);
    expect(everything).not.toContain(DOCUMENT + last());
  });

  test('reveal their text in every file and list the moment bar 50 closes', async () => {
    const seq = REVEALED + 1;
    const slotS = records.bodies[seq - 1]?.slot ?? fail();
    const states = async () => [
      (await json(`/record/records/${seq}.json`).then(recordFileSchema.parse)).record,
      (await text(`/record/days/${DAY}.ndjson`)).split('\n')[seq]?.startsWith('{"record"'),
      (await text(`/record/days/${DAY}.csv`)).split('\r\n')[seq * 5]?.includes('sealed'),
      recordListSchema.parse(await json(`/record/records.json?limit=1&before=${seq + 1}`))[0]?.state,
      (await apiRecords())[seq - 1]?.['state'],
      recordListSchema
        .parse(await json('/record/records.json?limit=100&sealed=only'))
        .some((record) => record.seq === seq),
      (await summaryNow()).sealed,
    ];

    nowMs = (slotS + revealAfterS('1min')) * 1000 - 1;
    expect(await states()).toEqual([null, false, true, 'sealed', 'sealed', true, last() - REVEALED]);
    nowMs += 1;
    expect(await states()).toEqual([
      records.texts[seq - 1],
      true,
      false,
      'waiting',
      'waiting',
      false,
      last() - REVEALED - A_SLOT,
    ]);
    expect(recordFileSchema.parse(await json(`/record/records/${seq}.json`)).document).toBe(DOCUMENT + seq);
  });

  test('are listed apart from revealed ones on request, and counted', async () => {
    const list = async (query: string) =>
      recordListSchema
        .parse(await json(`/record/records.json?limit=100${query}`))
        .map(({ seq, state }) => [seq, state]);
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

    expect(await list('&sealed=only')).toEqual(down(last(), REVEALED + 1).map((seq) => [seq, 'sealed']));
    expect(await list('&sealed=none')).toEqual(down(REVEALED, 1).map((seq) => [seq, 'waiting']));
    expect((await list('')).length).toBe(last());
    expect((await app.request('/record/records.json?sealed=some')).status).toBe(400);
    const { latest, sealed } = await summaryNow();
    expect([latest[0]?.seq, latest.length, sealed]).toEqual([REVEALED, REVEALED, last() - REVEALED]);
  });

  test("let the owner of today's sealed file prove later that each text was committed", async () => {
    const stored = await text(`/record/days/${DAY}.ndjson`);
    nowMs += HOUR_S * 1000;
    const revealed = await text(`/record/days/${DAY}.ndjson`);
    const verify = (file: string) =>
      verifyRecordFiles([{ name: 'day', text: file }], { tools: nodeTools, nowS: nowMs / 1000, against: stored });

    expect(await verify(revealed)).toMatchObject({ isSound: true, counts: { committed: last(), sealed: 0 } });
    const other = recordText({ ...(records.bodies.at(-1) ?? fail()), rv: 1 });
    const rewritten = revealed.replace(JSON.stringify(records.texts.at(-1)), JSON.stringify(other));
    expect((await verify(rewritten)).findings).toContainEqual(
      expect.objectContaining({ kind: 'not-committed', seq: last() }),
    );
  });

  test("change the ETag of the day's file whenever a text is revealed", async () => {
    const tag = async () => (await app.request(`/record/days/${DAY}.ndjson`, { method: 'HEAD' })).headers.get('etag');
    const before = await tag();

    expect(await tag()).toBe(before);
    nowMs = ((records.bodies[REVEALED]?.slot ?? fail()) + revealAfterS('1min')) * 1000;
    expect(await tag()).not.toBe(before);
  });

  test("show the key of a day's drawn paths once the day's last forecast of any length is over", async () => {
    const path = `/record/paths/${DAY}.json`;
    expect((await app.request(path)).status).toBe(404);
    const keyOf = openPathKeys(database());
    const key = await keyOf(START_S);
    // As if the day's first forecast had used it at the start of the day.
    const dayStartMs = Date.parse(`${DAY}T00:00:00Z`);
    const created = 'update private.path_keys set created_at = to_timestamp($1::float8 / 1000)';
    await database().query(OWNER, created, [dayStartMs + 60_000]);
    // 15-minute candles of the day's last forecast close 12 h 30 after its end.
    const opensMs = dayStartMs + 60_000 + 86_400_000 + 45_000_000;

    nowMs = opensMs - 1;
    expect(await json(path)).toEqual({ day: DAY, key: null, opens: opensMs / 1000 });
    nowMs = opensMs;
    expect(await json(path)).toEqual({ day: DAY, key, opens: opensMs / 1000 });
    expect((await app.request('/record/paths/2025-02-30.json')).status).toBe(400);
  });

  test('are revealed by their time of issue when their market no longer runs', async () => {
    await emptyRecord(database());
    records = await issue(database(), 1, 'simulated');
    const record = async () => recordFileSchema.parse(await json('/record/records/1.json')).record;
    // In a market that ran ahead of time the slot is long over by the clock of today's market.
    marketNowMs = () => nowMs + 10 * HOUR_S * 1000;

    nowMs = (START_S + revealAfterS('1min')) * 1000;
    expect(await record()).toBeNull();
    nowMs += 70_000;
    expect(await record()).toBe(records.texts[0]);
  });
});

/** Slots of two symbols and three models, each with its document. */
async function issue(
  database: Database,
  slots: number,
  market: 'live' | 'simulated' = 'live',
): Promise<GeneratedRecords> {
  const records = makeRecords({
    slots,
    syms: ['BTCUSDT.P', 'ETHUSDT.P'],
    firstSlotS: START_S,
    market,
    change: ({ seq }) => ({ document: sha256Hex(DOCUMENT + seq), rv: 900_000_000 + seq }),
  });
  const store = ledgerStore(database);
  for (const { v: _v, seq, prev: _prev, ...record } of records.bodies)
    await store.append([{ record, documentText: DOCUMENT + seq }]);
  const [row] = await database.query<{ hash: string }>(
    OWNER,
    "select encode(hash, 'hex') as hash from private.track_records order by seq desc limit 1",
  );
  expect(fromHex(row?.hash ?? '')).toEqual(fromHex(records.hashes.at(-1) ?? ''));
  return records;
}

function fail(): never {
  throw new Error('there is no such record');
}
