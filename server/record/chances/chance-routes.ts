/** The figures and rows of recorded chances over HTTP: public, also for scripts of other sites. */

import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { RECORDED_WINDOWS, type RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import type { TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import type { FigureRouteDeps } from '../figures/figure-routes.ts';
import { dayMsOf } from '../figures/record-query.ts';
import { chanceRows } from './chance-csv.ts';
import { emptyChanceSummary } from './chance-figures-job.ts';
import { chanceSummaryStore } from './chance-summary-store.ts';

const SUMMARY_CACHING = 'public, max-age=30';
const ROWS_CACHING = 'public, max-age=60';
/** Most frequent database read per answer. */
const READ_AGAIN_MS = 5000;

/** The window of a parameter; absent: the shortest. */
export function windowNamed(text: string | undefined): RecordedWindow {
  return RECORDED_WINDOWS.find((known) => String(known) === text) ?? RECORDED_WINDOWS[0];
}

export type ChanceFigureRouteDeps = Omit<FigureRouteDeps, 'siteDir'>;

/** Refusals are left to the app: `request/invalid` 400, `request/not-found` 404, `request/too-many` 429. */
export function chanceRoutes({ database, clock, log, marketKind, countDownload, reveal }: ChanceFigureRouteDeps): Hono {
  const store = chanceSummaryStore(database);
  const app = new Hono();
  const cache = new Map<string, { answer: Promise<PreparedJson>; readMs: number }>();

  async function read(market: MarketKind, window: RecordedWindow, period: TrackPeriod): Promise<PreparedJson> {
    const stored = await store.read(market, window, period);
    return prepareJson(stored ?? (await emptyChanceSummary(market, window, period, clock.nowMs())));
  }

  function summaryOf(market: MarketKind, window: RecordedWindow, period: TrackPeriod): Promise<PreparedJson> {
    const key = `${market} ${window} ${period}`;
    const nowMs = performance.now();
    const last = cache.get(key);
    if (last !== undefined && nowMs - last.readMs < READ_AGAIN_MS) return last.answer;
    const now = { answer: read(market, window, period), readMs: nowMs };
    cache.set(key, now);
    now.answer.catch(() => {
      // The next request tries again.
      if (cache.get(key) === now) cache.delete(key);
    });
    return now.answer;
  }

  answerRoute(app, '/record/chances.json', async (c, { period = '7d', market = marketKind, window }) => {
    return answerPrepared(c, await summaryOf(market, windowNamed(window), period), SUMMARY_CACHING);
  });

  answerRoute(app, '/record/chances/{day}.csv', async (c, _query, { day }) => {
    const rows = await chanceRows(database, dayMsOf(day), reveal);
    if (rows === null) throw new AppError('request/not-found');
    await countDownload(c);
    const stream = textStream(rows, (error) => log.warn({ err: error, day }, 'the chances of a day were interrupted'));
    return c.body(stream, 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="kat-chances-${day}.csv"`,
      'cache-control': ROWS_CACHING,
    });
  });
  return app;
}
