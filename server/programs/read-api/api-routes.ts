/** The read API's routes: parameters and answers, as text and as schemas. The OpenAPI document lists them. */
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import { LIVE_CHANCES_EVENT, liveChancesSchema } from '#domain/chances/chance-messages.ts';
import type { ErrorCode } from '#domain/errors/app-error.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { foundMarketsSchema } from '#domain/market/catalogue/found-market.ts';
import { chanceSummarySchema } from '#domain/record/chances/chance-summary.ts';
import { trackSummarySchema } from '#domain/record/figures/track-summary.ts';
import { EVENT_SHAPES } from '../events/event-shapes.ts';
import type { KeyCount } from '../key-limits.ts';
import { forecastByIdSchema, latestForecastSchema } from '../readings/forecast-shapes.ts';
import {
  candlesAnswer,
  candlesQuery,
  chanceRecordsAnswer,
  chanceRecordsQuery,
  chanceSummaryQuery,
  chancesAnswer,
  chancesQuery,
  eventsQuery,
  forecastParams,
  forecastQuery,
  latestForecastAnswer,
  marketsQuery,
  meAnswer,
  noQuery,
  predictionsAnswer,
  predictionsCsvQuery,
  predictionsQuery,
  recordsAnswer,
  recordsCsvQuery,
  recordsQuery,
  summaryQuery,
  watchlistAnswer,
} from './api-shapes.ts';

export interface ApiCall<Query, Params> {
  c: Context;
  query: Query;
  params: Params;
  key: ReadApiKey;
  count: KeyCount;
}

export interface ApiRoute {
  path: `/${string}`;
  name: string;
  description: string;
  query: z.ZodMiniObject;
  /** Of the path's parts in braces. */
  params?: z.ZodMiniObject;
  /** Absent: JSON. */
  format?: 'csv' | 'events';
  /** Of JSON. */
  answer?: z.ZodMiniType;
  /** Data of each event, by its name. */
  events?: Readonly<Record<string, z.ZodMiniType>>;
}

export const API_BASE = '/api/v1';
/** Points of a CSV request: a day of rows takes as long as many pages. */
export const ROWS_COST = 10;

export function costOf({ format }: Pick<ApiRoute, 'format'>): number {
  return format === 'csv' ? ROWS_COST : 1;
}

const RECORD_DESCRIPTION =
  'Returns records issued from `from` up to but not including `to`, by our clock. If only one is given, the other is a day away; if neither, the last day.';
const UNITS =
  'Prices are natural logarithms of the price over the last close, in millionths (1e-6), as whole numbers. Volatilities and CRPS are in 1e-8.';

const ACCESS = `The forecast of ${PUBLIC_FORECAST.sym} by ${PUBLIC_FORECAST.model} for one-minute candles is open to every key, and the default. Any other one must be in your plan, and you must have opened it on the site: a key never uses up a prediction.`;
const LIMITS = 'A forecast says how far the price may move, not in which direction. It is no advice to buy or sell.';

const CHANCE_ACCESS = `${PUBLIC_FORECAST.sym} by ${PUBLIC_FORECAST.model} for one-minute candles is open to every key, and the default. Others need a plan with that model and predictions left, or the forecast opened on the site. A question takes no prediction.`;

export const API_ROUTES = {
  markets: {
    path: '/markets',
    name: 'Markets by code or name',
    description:
      'Same as /markets, which needs no key. `sym` of an answer is what the other routes take. At most 100 (default 20).',
    query: marketsQuery,
    answer: foundMarketsSchema,
  },
  latestForecast: {
    path: '/forecasts/latest',
    name: 'Newest forecast of a market, with its candles',
    description: `Returns the last real candles, one drawn path, and the bands at all 50 candles. ${ACCESS} ${LIMITS}`,
    query: forecastQuery,
    answer: latestForecastAnswer,
  },
  forecast: {
    path: '/forecasts/{id}',
    name: 'One forecast with its outcome',
    description: `\`id\` is a number of the public record, with or without the start of its hash as in the address of its page (/f/12-0a1b2c3d4e5f), or the id of one of your saved predictions. A prediction that someone shared is at /f/TOKEN.json, without a key. A record is sealed until its last candle has closed: until then only its hash, key and time are returned. ${LIMITS}`,
    params: forecastParams,
    query: noQuery,
    answer: forecastByIdSchema,
  },
  bands: {
    path: '/bands',
    name: 'Bands of the newest forecast of a market',
    description: `As /forecasts/latest, without candles. ${ACCESS} ${LIMITS}`,
    query: forecastQuery,
    answer: latestForecastSchema,
  },
  chances: {
    path: '/chances',
    name: 'Chance that something happens to a price',
    description: `Same as /chances. \`kind\` names the question. For \`above\`, \`below\` and \`touch\`, send \`price\` and \`bar\` (1 to 50). For \`outside\`, send \`lower\`, \`upper\` and \`bar\`. For \`first\`, send \`target\`, \`stop\` and \`bar\`. For \`window\`, send \`minutes\` (5, 15 or 60): the running clock window ends above its open. For \`line\`, send \`price\`: above and touch at every bar. Each chance has that of a simple baseline beside it. ${CHANCE_ACCESS} ${LIMITS}`,
    query: chancesQuery,
    answer: chancesAnswer,
  },
  liveChances: {
    path: '/chances/live',
    name: 'Chances of the running windows as they change (server-sent events)',
    description: `Streams the running windows of 5, 15 and 60 minutes, at most four frames a second. Each frame is whole, so nothing needs to be resumed. A stream ends after ten minutes: open it again. Three may be open per key. ${CHANCE_ACCESS}`,
    query: forecastQuery,
    format: 'events',
    events: { [LIVE_CHANCES_EVENT]: liveChancesSchema },
  },
  candles: {
    path: '/candles',
    name: 'Closed candles of a market, oldest first',
    description:
      'Returns the newest candles, at most 500 per page (default 100). Pass `next` as `cursor` to get the page before; it is null where the stored candles begin, about a day back for one-minute candles. `sym` is required. `market` says whether the prices are live, replayed or simulated.',
    query: candlesQuery,
    answer: candlesAnswer,
  },
  watchlist: {
    path: '/watchlist',
    name: 'Your watchlist, in your order',
    description: 'At most fifty pairs of market and candle length.',
    query: noQuery,
    answer: watchlistAnswer,
  },
  events: {
    path: '/events',
    name: 'Events as they happen (server-sent events)',
    description:
      'Streams `ready` first, then `forecast-issued` when a forecast enters the public record, and `outcome-known` when a record or one of your saved predictions is scored. Each event has an id. After a broken connection, send the last one as `Last-Event-ID` (browsers do): the stream continues after it, for at least a day. Outcomes come ten seconds after they are known, so that none is missed. If more was missed than is stored, `ready` says until when. After a break, one of your own outcomes may come twice. A revoked key ends the stream with an unnamed message `{error, code}`. Three streams may be open per key and process.',
    query: eventsQuery,
    format: 'events',
    events: EVENT_SHAPES,
  },
  records: {
    path: '/records',
    name: 'Records with their outcomes, oldest first',
    description: `${RECORD_DESCRIPTION} At most 31 days per request and 1,000 records per page (default 100). Pass \`next\` as \`cursor\`, with the same parameters, to get the next page; it is null on the last page. \`hash\` is the SHA-256 of \`text\`, and \`record\` is the parsed text. \`market\` defaults to this site's own, and \`tf\` to one minute: records of 5 and 15 minutes have separate pages. A record is sealed until its bar 50 has closed: until then \`sealed\` has its hash, key and time, and its text and score are null. ${UNITS}`,
    query: recordsQuery,
    answer: recordsAnswer,
  },
  recordsCsv: {
    path: '/records.csv',
    name: 'Records as CSV',
    description: `${RECORD_DESCRIPTION} At most one day per request. One row per record and scored bar; the header names the units. Same format as /record/days/DAY.csv, which needs no key and has no filter but \`tf\`. If a response is interrupted, its connection closes before the last chunk.`,
    query: recordsCsvQuery,
    format: 'csv',
  },
  summary: {
    path: '/summary',
    name: 'Summary of the record, each figure with its interval',
    description:
      'Same as /record/summary.json, which needs no key. Shares and skills are fractions of 1. `period` defaults to 7d, and `tf` to one minute.',
    query: summaryQuery,
    answer: trackSummarySchema,
  },
  chanceRecords: {
    path: '/chance-records',
    name: 'Recorded chances with their outcomes, oldest first',
    description: `${RECORD_DESCRIPTION} Pages, \`hash\`, \`text\` and \`record\` are those of /records. \`window\` is 5 (default) or 15 minutes. A chance is sealed until its window has closed. Chances are in millionths, scores in 1e-8.`,
    query: chanceRecordsQuery,
    answer: chanceRecordsAnswer,
  },
  chanceSummary: {
    path: '/chance-summary',
    name: 'Summary of recorded chances, with scores, reliability and intervals',
    description:
      'Same as /record/chances.json, which needs no key. Shares and skills are fractions of 1. `period` defaults to 7d, and `window` to 5 minutes.',
    query: chanceSummaryQuery,
    answer: chanceSummarySchema,
  },
  predictions: {
    path: '/predictions',
    name: 'Your saved predictions, newest first',
    description:
      'Returns predictions saved from `from` up to but not including `to`, or all of them without either. At most 50 per page (default 20). `next` works as for records. Score errors are in basis points of the logarithm.',
    query: predictionsQuery,
    answer: predictionsAnswer,
  },
  predictionsCsv: {
    path: '/predictions.csv',
    name: 'Your saved predictions as CSV',
    description:
      'One row per candle: history, forecast and outcome. Values that a spreadsheet would read as a formula start with an apostrophe.',
    query: predictionsCsvQuery,
    format: 'csv',
  },
  me: {
    path: '/me',
    name: 'Your key and its remaining limits',
    description: 'This request counts towards the limits too.',
    query: noQuery,
    answer: meAnswer,
  },
} as const satisfies Record<string, ApiRoute>;

/** For every route except the document's. */
export const API_REFUSALS = [
  'request/invalid',
  'request/not-found',
  'api/key-in-address',
  'api/no-key',
  'api/bad-key',
  'api/key-revoked',
  'api/key-expired',
  'api/key-too-weak',
  'auth/forbidden',
  'request/method-not-allowed',
  'request/wrong-host',
  'request/too-many',
  'market/unknown-symbol',
  'market/closed',
  'market/delisted',
  'market/halted',
  'market/too-few-candles',
  'venue/unavailable',
  'venue/not-connected',
  'forecast/model-locked',
  'forecast/not-opened',
  'forecast/not-trained',
  'forecast/failed',
  'chances/refused',
  'quota/daily-spent',
  'quota/monthly-spent',
  'internal',
  'database/busy',
  'database/full',
  'database/unavailable',
] as const satisfies readonly ErrorCode[];
