/**
 * For programs, with a personal key; read-only. Adds filters, pages and the owner's own data to the public /record/*.
 */
import type { Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import { predictionCsvRows, predictionJson, predictionsCsvHeading } from '#domain/forecast/prediction-export.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { onlyMethods, requireGet } from '../../platform/http/calls/http-errors.ts';
import { answerPrepared, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { emptyChanceSummary } from '../../record/chances/chance-figures-job.ts';
import { windowNamed } from '../../record/chances/chance-routes.ts';
import { chanceSummaryStore } from '../../record/chances/chance-summary-store.ts';
import { csvPieces } from '../../record/figures/day-csv.ts';
import { emptySummary } from '../../record/figures/summarise.ts';
import { summaryStore } from '../../record/figures/summary-store.ts';
import type { KeyGate } from '../key-gate.ts';
import { ownPredictions, predictionPages } from '../readings/own-prediction-store.ts';
import { readSpan, type Span } from '../readings/span.ts';
import { apiMount, jsonAnswer, PRIVATE } from './api-mount.ts';
import { API_BASE, API_ROUTES } from './api-routes.ts';
import { type ChanceAnswerDeps, mountChances } from './chance-answers.ts';
import { type EventAnswerDeps, mountEvents } from './event-answers.ts';
import { type ForecastAnswerDeps, mountForecasts } from './forecast-answers.ts';
import { openApiDocument } from './open-api.ts';
import { type RecordFilter, recordPages, recordTexts, seqSpanOf } from './record-page-store.ts';

export interface ReadApiDeps extends ForecastAnswerDeps, EventAnswerDeps, ChanceAnswerDeps {
  log: Logger;
  /** The default market of the records. */
  marketKind: MarketKind;
  gate: KeyGate;
}

const MOST_DAYS = 31;
const DAY = 1;
const RECORDS_A_PAGE = 100;
const PREDICTIONS_A_PAGE = 20;
const ANY_SPAN_DAYS = 36_500;

export function readApi(deps: ReadApiDeps): Hono {
  const { database, clock, log, marketKind, reveal, gate } = deps;
  const summaries = summaryStore(database, reveal);
  const chanceSummaries = chanceSummaryStore(database);
  const mount = apiMount(gate);
  const { app, on } = mount;
  const document = prepareJson(openApiDocument());
  mountForecasts(mount, deps);
  mountEvents(mount, deps);
  mountChances(mount, deps);

  const filterOf = (query: z.output<(typeof API_ROUTES.recordsCsv)['query']>): RecordFilter => ({
    market: query.market ?? marketKind,
    timeframe: query.tf ?? DEFAULT_TIMEFRAME,
    sym: query.sym ?? null,
    model: query.model ?? null,
    role: query.role ?? null,
  });
  const csv = (c: Context, name: string, pieces: AsyncGenerator<string>): Response =>
    c.body(
      textStream(pieces, (error) => log.warn({ err: error, name }, 'rows for an API client were interrupted')),
      200,
      {
        ...PRIVATE,
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${name}.csv"`,
      },
    );

  async function recordsPage(
    c: Context,
    query: z.output<(typeof API_ROUTES.chanceRecords)['query']>,
    filter: RecordFilter,
  ): Promise<Response> {
    const span = readSpan(query, clock.nowMs(), MOST_DAYS);
    const { first, end } = await seqSpanOf(database, span);
    const after = query.cursor === undefined ? 0 : Number(query.cursor);
    const limit = query.limit ?? RECORDS_A_PAGE;
    const seqs = { first: Math.max(first, after + 1), end };
    const rows = await recordTexts(database, seqs, { filter, limit, reveal });
    const next = rows.length < limit ? null : String(rows.at(-1)?.seq);
    const head = JSON.stringify({
      market: filter.market,
      from: new Date(span.fromMs).toISOString(),
      to: new Date(span.toMs).toISOString(),
    }).slice(0, -1);
    const text = `${head},"records":[${rows.map((row) => row.text).join(',')}],"next":${JSON.stringify(next)}}`;
    return jsonAnswer(c, text);
  }

  on(API_ROUTES.records, ({ c, query }) => recordsPage(c, query, filterOf(query)));

  on(API_ROUTES.chanceRecords, ({ c, query }) => {
    const filter = filterOf({ ...query, tf: DEFAULT_TIMEFRAME });
    return recordsPage(c, query, { ...filter, window: windowNamed(query.window) });
  });

  on(API_ROUTES.chanceSummary, async ({ c, query: { period = '7d', market = marketKind, window } }) => {
    const named = windowNamed(window);
    const stored = await chanceSummaries.read(market, named, period);
    const summary = stored ?? (await emptyChanceSummary(market, named, period, clock.nowMs()));
    return answerPrepared(c, prepareJson(summary), 'private, max-age=30');
  });

  on(API_ROUTES.recordsCsv, async ({ c, query }) => {
    requireGet(c.req.raw);
    const seqs = await seqSpanOf(database, readSpan(query, clock.nowMs(), DAY));
    const filter = filterOf(query);
    return csv(c, 'kat-records', csvPieces(recordPages(database, seqs, filter), filter.timeframe, reveal));
  });

  on(API_ROUTES.summary, async ({ c, query: { period = '7d', market = marketKind, tf = DEFAULT_TIMEFRAME } }) => {
    const summary = (await summaries.read(market, tf, period)) ?? emptySummary(market, tf, period, clock.nowMs());
    return answerPrepared(c, prepareJson(summary), 'private, max-age=30');
  });

  on(API_ROUTES.predictions, async ({ c, query, key }) => {
    const page = { span: spanOf(query), cursor: query.cursor ?? null, limit: query.limit ?? PREDICTIONS_A_PAGE };
    const { predictions, next } = await ownPredictions(database, key, page);
    return jsonAnswer(c, JSON.stringify({ predictions: predictions.map(predictionJson), next }));
  });

  on(API_ROUTES.predictionsCsv, async ({ c, query, key }) => {
    requireGet(c.req.raw);
    return csv(c, 'kat-predictions', predictionRows(database, key, spanOf(query)));
  });

  on(API_ROUTES.me, async ({ c, key: { name, prefix, createdAt, expiresAt }, count }) =>
    c.json({ key: { name, prefix, createdAt, expiresAt }, limits: count }, 200, PRIVATE),
  );

  const documentPath = `${API_BASE}/openapi.json`;
  app.get(documentPath, (c) => answerPrepared(c, document, 'public, max-age=300'));
  app.all(documentPath, onlyMethods('GET', 'HEAD'));

  function spanOf(query: { from?: string | undefined; to?: string | undefined }): Span | null {
    if (query.from === undefined && query.to === undefined) return null;
    const { from = '1970-01-01', to = new Date(clock.nowMs()).toISOString() } = query;
    return readSpan({ from, to }, clock.nowMs(), ANY_SPAN_DAYS);
  }
  return app;
}

async function* predictionRows(...args: Parameters<typeof predictionPages>): AsyncGenerator<string> {
  yield predictionsCsvHeading();
  for await (const page of predictionPages(...args)) yield page.map(predictionCsvRows).join('');
}
