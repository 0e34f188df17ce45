/** Pages of forecasts over records and saved predictions of a database, with pictures that are counted and not drawn. */
import { hash } from 'node:crypto';
import type { Hono } from 'hono';
import type { Candle } from '#domain/market/candle.ts';
import { LN_UNITS, type RecordBody } from '#domain/record/ledger/ledger.ts';
import { documentText } from '#domain/record/ledger/record-texts.ts';
import type { PictureOrder } from '#domain/share/forecast-picture.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import { createApp } from '../../../../server/app.ts';
import { readReleaseTable } from '../../../../server/forecast/releases/release-table-file.ts';
import { releasesAsOf } from '../../../../server/forecast/releases/release-widening.ts';
import { asOwner, type Database } from '../../../../server/platform/database/database.ts';
import { limiterOfProcess } from '../../../../server/platform/http/guards/rate-limit.ts';
import { openReveal } from '../../../../server/record/reveal.ts';
import { siteParts } from '../../../../server/record/share/documents/site-parts.ts';
import { type ForecastViews, forecastViews } from '../../../../server/record/share/forecast-views.ts';
import { shareFunctions } from '../../../../server/record/share/share-functions.ts';
import { shareRoutes } from '../../../../server/record/share/share-routes.ts';
import { type ShareStore, shareStore } from '../../../../server/record/share/share-store.ts';
import type { GeneratedRecords } from '../../../../server/record/testing/record-fixtures.ts';
import { testLog } from '../../../support/database/database.ts';

export interface ForecastPagesWorld {
  nowMs: number;
  app: Hono;
  views: ForecastViews;
  store: ShareStore;
  /** Pictures that were ordered. */
  ordered: PictureOrder[];
  /** Predictions and records that were read whole. */
  loads: { predictions: number; records: number };
  /** Statements by which tokens were looked up. */
  lookups: string[];
  /** Candles of the market by symbol. */
  candles: ReadonlyMap<string, readonly Candle[]>;
  latest: () => Promise<ForecastView>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  call(name: string, userId: string, body: unknown): Promise<Record<string, unknown>>;
}

export const ORIGIN = 'http://localhost';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

export function openForecastPages(database: Database): ForecastPagesWorld {
  const clock = { nowMs: () => world.nowMs };
  const watched: Database = {
    ...database,
    query(caller, text, ...rest) {
      if (text.includes('from public.prediction_shares s')) world.lookups.push(`${text} ${JSON.stringify(rest[0])}`);
      if (text.includes('from public.user_predictions p')) world.loads.predictions += 1;
      if (text.includes('from private.track_records r')) world.loads.records += 1;
      return database.query(caller, text, ...rest);
    },
  };
  const store = shareStore(watched, clock);
  const views = forecastViews({
    database: watched,
    clock,
    store,
    marketKind: 'live',
    reveal: openReveal({ clock, marketClock: clock, kindOf: () => 'live' }),
    marketNowMs: () => world.nowMs,
    releasesAt: releasesAsOf(watched, readReleaseTable()),
    symbols: { savedSymbol: async () => null },
    past: {
      recent: async ({ sym }) => ({ marketKind: 'live', venueId: 'generated', candles: closed(sym) }),
      stored: async () => [],
    },
  });
  const closed = (sym: string): Candle[] =>
    (world.candles.get(sym) ?? []).filter(({ time }) => (time + 60) * 1000 <= world.nowMs);
  const functions = shareFunctions(store);
  const routes = shareRoutes({
    views,
    limiterOf: limiterOfProcess,
    addressOf: () => 'one',
    origin: () => ORIGIN,
    site: siteParts('/nowhere'),
    latest: () => world.latest(),
    pictures: {
      async draw(order) {
        world.ordered.push(order);
        return PNG;
      },
    },
  });
  const world: ForecastPagesWorld = {
    nowMs: 0,
    views,
    store,
    ordered: [],
    loads: { predictions: 0, records: 0 },
    lookups: [],
    candles: new Map(),
    latest: () => Promise.reject(new Error('no forecast of this minute')),
    app: createApp({ log: testLog, isHttps: false, siteDir: '/nowhere', isOwnHost: () => true, routes: [routes] }),
    get: async (path, headers = {}) => await world.app.request(ORIGIN + path, { headers }),
    async call(name, userId, body) {
      const found = functions.find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no function ${name}`);
      const answer = await found.answer({ body, caller: { userId, claims: {} } as never, address: 'one' });
      return answer as Record<string, unknown>;
    },
  };
  return world;
}

/** The whole forecast of a generated record. Its path is the same ratio up at each bar, so that its prices are its own. */
export function documentOf(body: RecordBody): string {
  const close = Number(body.close);
  return documentText({
    v: 1,
    sym: body.sym,
    version: body.version,
    t0: body.slot - 60,
    venue: 'generated',
    close: body.close,
    upper: Array.from({ length: 50 }, () => body.upper[4] ?? []),
    path: Array.from({ length: 50 }, (_, i) => {
      const price = Math.round(close * Math.exp(((i + 1) * 100) / LN_UNITS) * 1000) / 1000;
      return [price, price, price, price];
    }),
    rv: body.rv,
    range: body.range,
    bands: body.bands,
  });
}

export const withDocument = (body: RecordBody): Partial<RecordBody> => ({
  document: hash('sha256', documentOf({ ...body, document: '' })),
});

export async function insertDocuments(database: Database, { bodies }: GeneratedRecords): Promise<void> {
  for (const body of bodies)
    await asOwner(database).query(
      `insert into private.track_documents (hash, slot_s, body)
       select sha256(convert_to($1::text, 'UTF8')), $2::bigint, $1::text on conflict do nothing`,
      [documentOf(body), body.slot],
    );
}

/** @returns the prediction's id */
export async function savePrediction(
  database: Database,
  userId: string,
  { history, path }: { history: readonly Candle[]; path: readonly Candle[] },
): Promise<string> {
  const last = history.at(-1) ?? { close: 1, time: 0 };
  const edge = (factor: number) => path.map(() => last.close * factor);
  const band = { lower80: edge(0.99), upper80: edge(1.01), lower95: edge(0.98), upper95: edge(1.02) };
  const [row] = await asOwner(database).query<{ id: string }>(
    `with saved as (
       insert into public.user_predictions (user_id, cryptocurrency, model, data, band)
       values ($1::text::uuid, 'BTC', 'kat2_4', $2::text::jsonb, $3::text::jsonb) returning id, user_id)
     insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
     select id, user_id, 'live', 'BTCUSDT.P', $4::bigint, now(), now() from saved returning prediction_id as id`,
    [userId, JSON.stringify([...history, ...path]), JSON.stringify(band), last.time],
  );
  return row?.id ?? '';
}
