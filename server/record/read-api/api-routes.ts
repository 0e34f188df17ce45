/** The read API's routes: parameters and answers, as text and as schemas. The OpenAPI document lists them. */
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import type { ErrorCode } from '#domain/errors/app-error.ts';
import { trackSummarySchema } from '#domain/record/figures/track-summary.ts';
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
import type { KeyCount } from './key-limits.ts';

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
  'Records issued from `from` up to, not including, `to`, by our clock; a day before the end unless both are given.';
const UNITS =
  'Logarithms are natural, of a price over the last close: in millionths (1e-6) as whole numbers; volatilities and CRPS in 1e-8.';

export const API_ROUTES = {
  records: {
    path: '/records',
    name: 'Records with their outcomes, oldest first',
    description: `${RECORD_DESCRIPTION} At most 31 days a call, 1,000 records a page (default 100). \`next\` is the \`cursor\` of the next page, given with the same parameters, and null at the end. \`hash\` is the SHA-256 of \`text\`. \`record\` is what the text says. \`market\` is this site's own unless given. A record is sealed until its bar 50 has closed: its hash, key and time are there (\`sealed\`), its text and score are null. ${UNITS}`,
    query: recordsQuery,
    answer: recordsAnswer,
  },
  recordsCsv: {
    path: '/records.csv',
    name: 'The same as rows',
    description: `${RECORD_DESCRIPTION} At most a day a call; one row a record and scored bar, the head names the units. As /record/days/DAY.csv, which needs no key and knows no filters. An answer that broke off has no end: its connection closes before the last chunk.`,
    query: recordsCsvQuery,
    answer: null,
  },
  summary: {
    path: '/summary',
    name: 'The record in figures, each with its interval',
    description: 'As /record/summary.json, which needs no key. Shares and skills are 0 to 1. `period` defaults to 7d.',
    query: summaryQuery,
    answer: trackSummarySchema,
  },
  predictions: {
    path: '/predictions',
    name: "The key's owner's saved predictions, newest first",
    description:
      'Saved from `from` up to, not including, `to`; all without. At most 50 a page, default 20. `next` as above. Errors of a score are in basis points of ln.',
    query: predictionsQuery,
    answer: predictionsAnswer,
  },
  predictionsCsv: {
    path: '/predictions.csv',
    name: 'The same as rows',
    description:
      'One row a candle: history, forecast and outcome. What a spreadsheet would take for a formula begins with an apostrophe.',
    query: predictionsCsvQuery,
    answer: null,
  },
  me: {
    path: '/me',
    name: 'The key, and what is left of its limits',
    description: 'Counts as a question too.',
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
