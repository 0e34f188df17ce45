/** The read API's routes: parameters and answers, as text and as schemas. The OpenAPI document lists them. */
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import type { ErrorCode } from '#domain/errors/app-error.ts';
import { trackSummarySchema } from '#domain/record/figures/track-summary.ts';
import type { KeyCount } from '../key-limits.ts';
import {
  meAnswer,
  noQuery,
  predictionsAnswer,
  predictionsCsvQuery,
  predictionsQuery,
  recordsAnswer,
  recordsCsvQuery,
  recordsQuery,
  summaryQuery,
} from './api-shapes.ts';

export interface ApiCall<Query> {
  c: Context;
  query: Query;
  key: ReadApiKey;
  count: KeyCount;
}

export interface ApiRoute {
  path: `/${string}`;
  name: string;
  description: string;
  query: z.ZodMiniObject;
  /** Null: CSV. */
  answer: z.ZodMiniType | null;
}

export const API_BASE = '/api/v1';
/** Points of a CSV request: a day of rows takes as long as many pages. */
export const ROWS_COST = 10;

const RECORD_DESCRIPTION =
  'Returns records issued from `from` up to but not including `to`, by our clock. If only one is given, the other is a day away; if neither, the last day.';
const UNITS =
  'Prices are natural logarithms of the price over the last close, in millionths (1e-6), as whole numbers. Volatilities and CRPS are in 1e-8.';

export const API_ROUTES = {
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
    answer: null,
  },
  summary: {
    path: '/summary',
    name: 'Summary of the record, each figure with its interval',
    description:
      'Same as /record/summary.json, which needs no key. Shares and skills are fractions of 1. `period` defaults to 7d, and `tf` to one minute.',
    query: summaryQuery,
    answer: trackSummarySchema,
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
    answer: null,
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
  'internal',
  'database/busy',
  'database/full',
  'database/unavailable',
] as const satisfies readonly ErrorCode[];
