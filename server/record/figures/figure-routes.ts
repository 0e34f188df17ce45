/** The record's figures, lists and rows over HTTP: public, also for scripts of other sites. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { TrackPeriod } from '#domain/record/figures/track-summary.ts';
import type { Core } from '../../core.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import type { CountDownload } from '../download-limit.ts';
import type { Reveal } from '../reveal.ts';
import { csvStream } from './day-csv.ts';
import { recordsOfDay } from './day-store.ts';
import { dayMsOf } from './record-query.ts';
import { emptySummary } from './summarise.ts';
import { summaryStore } from './summary-store.ts';

export interface FigureRouteDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  marketKind: MarketKind;
  /** Folder of the built site, with recompute.mjs. */
  siteDir: string;
  countDownload: CountDownload;
  reveal: Reveal;
}

/** Figures are computed once a minute. */
const SUMMARY_CACHING = 'public, max-age=30';
const CARDS_CACHING = 'public, max-age=10';
const ROWS_CACHING = 'public, max-age=60';
const CODE_CACHING = 'public, max-age=300';
/** Most frequent database read per answer. */
const READ_AGAIN_MS = 5000;

/** Refusals are left to the app: `request/invalid` 400, `request/not-found` 404. */
export function figureRoutes(deps: FigureRouteDeps): Hono {
  const { database, clock, log, marketKind, siteDir, countDownload, reveal } = deps;
  const store = summaryStore(database, reveal);
  const app = new Hono();
  const cache = new Map<string, { answer: Promise<PreparedJson>; readMs: number }>();

  function summaryOf(market: MarketKind, timeframe: Timeframe, period: TrackPeriod): Promise<PreparedJson> {
    const key = `${market} ${timeframe} ${period}`;
    const nowMs = performance.now();
    const last = cache.get(key);
    if (last !== undefined && nowMs - last.readMs < READ_AGAIN_MS) return last.answer;
    const read = store
      .read(market, timeframe, period)
      .then((summary) => prepareJson(summary ?? emptySummary(market, timeframe, period, clock.nowMs())));
    const now = { answer: read, readMs: nowMs };
    cache.set(key, now);
    read.catch(() => {
      // The next request tries again.
      if (cache.get(key) === now) cache.delete(key);
    });
    return read;
  }

  answerRoute(app, '/record/summary.json', async (c, query) => {
    const { period = '7d', market = marketKind } = query;
    return answerPrepared(c, await summaryOf(market, query.tf, period), SUMMARY_CACHING);
  });

  answerRoute(app, '/record/records.json', async (c, query) => {
    const cards = await store.cards({
      market: query.market ?? marketKind,
      timeframe: query.tf,
      before: query.before ?? null,
      limit: query.limit ?? 20,
      sym: query.sym ?? null,
      model: query.model ?? null,
      isSealed: query.sealed === undefined ? null : query.sealed === 'only',
    });
    return answerPrepared(c, prepareJson(cards), CARDS_CACHING);
  });

  answerRoute(app, '/record/days/{day}.csv', async (c, { tf: timeframe }, { day }) => {
    const pages = await recordsOfDay(database, dayMsOf(day), timeframe);
    if (pages === null) throw new AppError('request/not-found');
    await countDownload(c);
    return c.body(
      csvStream(pages, timeframe, reveal, (error) =>
        log.warn({ err: error, day }, 'the rows of a day were interrupted'),
      ),
      200,
      {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="kat-record-${day}${timeframe === DEFAULT_TIMEFRAME ? '' : `-${timeframe}`}.csv"`,
        'cache-control': ROWS_CACHING,
      },
    );
  });

  answerRoute(app, '/record/recompute.mjs', async (c) => {
    const code = await readFile(join(siteDir, 'record/recompute.mjs')).catch(() => {
      // Test servers have no built site.
      throw new AppError('request/not-found');
    });
    const etag = `"${hash('sha256', code, 'base64url').slice(0, 22)}"`;
    const headers = { 'cache-control': CODE_CACHING, etag, 'content-type': 'text/javascript; charset=utf-8' };
    return c.req.header('if-none-match') === etag ? c.body(null, 304, headers) : c.body(code, 200, headers);
  });
  return app;
}
