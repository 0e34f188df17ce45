/**
 * What chances cost the public record: a day of 3,456, one append each as the house makes them, then their scores and
 * sums, on PGlite and on PostgreSQL; bytes a day, and what they would be if chances of one moment shared a record. One
 * JSON table, with the machine's load.
 */
import { loadavg } from 'node:os';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { chanceParts } from '#domain/record/chances/chance-figures.ts';
import { type ChanceBlock, chanceBlocks } from '#domain/record/chances/chance-sums.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { makeForecast } from '../../server/forecast/testing/fake-forecasts.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { chanceBlockStore } from '../../server/record/chances/chance-block-store.ts';
import { rollUpChances } from '../../server/record/chances/chance-figures-job.ts';
import { unsealedChance } from '../../server/record/house/unsealed-chance.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { nodeTools } from '../../server/record/ledger/node-tools.ts';
import { openScoring } from '../../server/record/scoring/score-records.ts';
import { scoreStore } from '../../server/record/scoring/score-store.ts';
import { chainOf, makeChances, scoreOf } from '../../server/record/testing/chance-fixtures.ts';
import { makeDayKey, publishDays } from '../../server/record/testing/day-fixtures.ts';
import { openTestDatabase, testLog } from '../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';

const COINS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
const DAY_S = 86_400;
const START_S = Date.parse('2025-11-12T00:00:00Z') / 1000;
const never = new AbortController().signal;

const generated = makeChances({ quarters: 96, startS: START_S, syms: COINS });
const chain = chainOf(generated);

async function measure(database: Database): Promise<Record<string, unknown>> {
  const store = ledgerStore(database);
  const sizeOf = async (): Promise<number> => {
    const [row] = await database.query<{ bytes: number }>(
      OWNER,
      `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
        where c.relname in ('track_records_m0', 'track_scores_m0', 'track_waiting')`,
    );
    return row?.bytes ?? 0;
  };
  const emptyBytes = await sizeOf();
  const append = await timed(async () => {
    for (const chance of generated.chances) await store.appendChances([chance]);
  });
  const series = (sym: string) => ({
    marketKind: 'live' as const,
    venueId: 'one',
    candles: generated.candles.get(sym) ?? ([] as Candle[]),
  });
  const nowS = START_S + DAY_S + MINUTE_S;
  const clock = { nowMs: () => nowS * 1000 };
  const scoring = openScoring(scoreStore(database), {
    past: { recent: async ({ sym }) => series(sym), stored: async () => [] },
    clock,
    marketClock: clock,
    log: testLog,
    kindOf: () => 'live',
    tableOf: () => null,
  });
  const score = await timed(() => scoring.scoreDue(never));
  const blocks = chanceBlockStore(database);
  const sum = await timed(() => rollUpChances(blocks, never));
  const [rows] = await database.query(
    OWNER,
    `select (select count(*) from private.track_records)::int as records, (select count(*) from private.track_scores)::int as scores,
            (select count(*) from private.track_chance_blocks)::int as blocks,
            (select avg(pg_column_size(r.*))::int from private.track_records r) as "rowBytes",
            (select avg(pg_column_size(s.*))::int from private.track_scores s) as "scoreBytes"`,
  );
  return {
    database: database.kind,
    ...rows,
    appendMsEach: round(append / generated.chances.length),
    scoreDayMs: round(score),
    sumDayMs: round(sum),
    megabytesADay: round(((await sizeOf()) - emptyBytes) / 1e6),
    load: round(loadavg()[0] ?? Number.NaN),
  };
}

/** Texts as they are, and as they would be if chances of one moment, or of all coins at it, shared what they share. */
function textsOf(): Record<string, unknown> {
  const bytes = chain.texts.map((text) => Buffer.byteLength(text));
  const own = ['window', 'open', 'chance', 'baseline'];
  const ofCoin = [...own, 'sym', 'venue', 'input', 'close', 'ewma'];
  const grouped = (keyOf: (place: number) => string, fields: readonly string[]) => {
    const groups = [...Map.groupBy(chain.texts.keys(), keyOf).values()];
    const joined = groups.map((places) => {
      const objects = places.map((place) => JSON.parse(chain.texts[place] ?? '{}'));
      const parts = objects.map((object) => fields.map((field) => object[field]));
      const shared = Object.entries(objects[0]).filter(([field]) => !fields.includes(field));
      return JSON.stringify({ ...Object.fromEntries(shared), parts }).length;
    });
    return { rows: groups.length, textBytes: joined.reduce((sum, length) => sum + length, 0) };
  };
  return {
    asIs: {
      rows: bytes.length,
      textBytes: bytes.reduce((sum, length) => sum + length, 0),
      longest: Math.max(...bytes),
    },
    aMoment: grouped((i) => `${chain.bodies[i]?.slot} ${chain.bodies[i]?.sym}`, own),
    allCoins: grouped((i) => `${chain.bodies[i]?.slot}`, ofCoin),
  };
}

/** Making a chance from a finished forecast, verifying a day, and the figures of a year. */
async function computingOf(): Promise<Record<string, unknown>> {
  const [symbol] = SYMBOLS;
  if (symbol === undefined) throw new Error('no symbol');
  const forecast = makeForecast(symbol.exc, symbol, 'lion', START_S + 2 * MINUTE_S);
  const RUNS = 2000;
  const makeMs = await timed(async () => {
    for (let i = 0; i < RUNS; i++) unsealedChance(forecast, 5, { issuedMs: i, role: 'serving' });
  });
  const [day] = await publishDays(chain, [makeDayKey()]);
  const lines = chain.bodies.map((body, i) => ({ record: chain.texts[i], score: scoreOf(chain.candles, body) }));
  const text = [day?.head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  const verifyMs = await timed(() =>
    verifyRecordFiles([{ name: 'day', text }], { tools: nodeTools, nowS: START_S + 2 * DAY_S }),
  );
  const blocks = chanceBlocks(chain.bodies.map((body) => ({ body, score: scoreOf(chain.candles, body) })));
  const year: ChanceBlock[] = Array.from({ length: 365 }, (_, i) =>
    blocks.filter(({ window }) => window === 5).map((block) => ({ ...block, blockS: block.blockS + i * DAY_S })),
  ).flat();
  let longestMs = 0;
  let lastMs = performance.now();
  const yearMs = await timed(() =>
    chanceParts(year, async () => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      await new Promise((done) => setImmediate(done));
      lastMs = performance.now();
    }),
  );
  return {
    makeMs: round(makeMs / RUNS),
    verifyDayMs: round(verifyMs),
    fileMegabytes: round(text.length / 1e6),
    yearMs: round(yearMs),
    yearLongestMs: round(longestMs),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

const lines: Record<string, unknown>[] = [textsOf(), await computingOf()];
const server = await startThrowawayPostgres();
if ('skipped' in server) console.error(server.skipped);
else process.env.TEST_DATABASE_URL = server.url;
for (const kind of 'skipped' in server ? (['pglite'] as const) : (['pglite', 'postgres'] as const)) {
  const database = await openTestDatabase(kind);
  try {
    lines.push(await measure(database));
  } finally {
    await database.close();
  }
}
if (!('skipped' in server)) await server.stop();
console.log(JSON.stringify(lines, null, 2));
