/** The public record, and pages of single forecasts. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../forecast/models.ts';
import { MARKET_KINDS, SYMBOLS } from '../market/symbols.ts';
import { RECORDED_WINDOWS } from '../record/chances/chance-moments.ts';
import { chanceSummarySchema } from '../record/chances/chance-summary.ts';
import {
  recordListSchema,
  TRACK_PERIODS,
  type TrackPeriod,
  trackSummarySchema,
} from '../record/figures/track-summary.ts';
import { isDay } from '../record/ledger/day-statement.ts';
import { daysFileSchema, keysFileSchema, recordFileSchema } from '../record/ledger/record-files.ts';
import { PICTURE_SHAPES, PICTURE_THEMES } from '../share/forecast-picture.ts';
import { timeframeParameter, wholeNumber } from './query-fields.ts';
import { routeContract } from './route-contract.ts';

const PERIODS = Object.keys(TRACK_PERIODS) as [TrackPeriod, ...TrackPeriod[]];
const period = z.optional(z.enum(PERIODS));
const market = z.optional(z.enum(MARKET_KINDS));
const SYMBOL_NAMES: readonly string[] = SYMBOLS.map(({ sym }) => sym);
const everyone = { crossOrigin: 'everyone' } as const;

export const RECORD_ROUTES = {
  '/record/keys.json': routeContract({
    ...everyone,
    answers: 'json',
    answer: keysFileSchema,
    docs: 'the keys that days are signed with',
  }),
  '/record/days.json': routeContract({
    ...everyone,
    query: z.object({ before: z.optional(z.string().check(z.refine(isDay))) }),
    unknown: 'ignored',
    example: { before: '2026-11-12' },
    answers: 'json',
    answer: daysFileSchema,
    docs: 'signed days, 31 at a time',
  }),
  '/record/days/{day}.json': routeContract({ ...everyone, answers: 'json', docs: 'the statement of a day, signed' }),
  '/record/days/{day}.ndjson': routeContract({ ...everyone, answers: 'ndjson', docs: 'all records of a day' }),
  '/record/days/{day}.csv': routeContract({
    ...everyone,
    query: z.object({ tf: timeframeParameter }),
    unknown: 'ignored',
    example: { tf: '5min' },
    answers: 'csv',
    docs: 'the same as rows',
  }),
  '/record/records/{seq}.json': routeContract({
    ...everyone,
    answers: 'json',
    answer: recordFileSchema,
    docs: 'one record with its proof',
  }),
  '/record/paths/{day}.json': routeContract({ ...everyone, answers: 'json', docs: 'the seed of a day’s drawn paths' }),
  '/record/baselines/{version}.json': routeContract({ ...everyone, answers: 'json', docs: 'a baseline’s file' }),
  '/record/recompute.mjs': routeContract({ ...everyone, answers: 'code', docs: 'the code that scores records' }),
  '/record/summary.json': routeContract({
    ...everyone,
    query: z.object({ period, market, tf: timeframeParameter }),
    example: { period: '30d', market: 'live', tf: '1min' },
    answers: 'json',
    answer: trackSummarySchema,
    docs: 'the record in figures',
  }),
  '/record/records.json': routeContract({
    ...everyone,
    query: z.object({
      before: z.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
      limit: z.optional(wholeNumber(1, 100)),
      sym: z.optional(z.enum(SYMBOL_NAMES)),
      model: z.optional(z.enum(MODEL_NAMES)),
      market,
      sealed: z.optional(z.enum(['only', 'none'])),
      tf: timeframeParameter,
    }),
    example: { before: 3, limit: 20, sym: 'BTCUSDT.P', model: 'lion', market: 'live', tf: '1min' },
    answers: 'json',
    answer: recordListSchema,
    docs: 'records as cards, newest first',
  }),
  '/record/chances.json': routeContract({
    ...everyone,
    query: z.object({ period, market, window: z.optional(z.enum(RECORDED_WINDOWS.map(String))) }),
    example: { period: '30d', market: 'live', window: '5' },
    answers: 'json',
    answer: chanceSummarySchema,
    docs: 'the recorded chances in figures',
  }),
  '/record/chances/{day}.csv': routeContract({ ...everyone, answers: 'csv', docs: 'the chances of a day as rows' }),
  '/f/{id}': routeContract({ answers: 'page', docs: 'the page of a forecast' }),
  '/f/{id}.json': routeContract({ answers: 'json', docs: 'its figures' }),
  '/f/{id}.csv': routeContract({ answers: 'csv', docs: 'its candles and bands' }),
  '/f/{id}.png': routeContract({
    query: z.object({
      shape: z._default(z.enum(PICTURE_SHAPES), 'wide'),
      theme: z._default(z.enum(PICTURE_THEMES), 'dark'),
    }),
    unknown: 'ignored',
    example: { shape: 'wide', theme: 'light' },
    answers: 'picture',
    docs: 'its picture',
  }),
  '/embed/f/{id}': routeContract({ answers: 'page', docs: 'for the frame of another site' }),
  '/embed/latest': routeContract({ answers: 'page', docs: 'the forecast of this minute, likewise' }),
};
