/** The read API beside the account's functions, with records and predictions in the database, and its document to check answers by. */
import { Hono } from 'hono';
import { fromJSONSchema, type ZodType } from 'zod';
import * as z from 'zod/mini';
import { accountFunctions } from '../../../../server/account/account.ts';
import { apiKeyReader } from '../../../../server/account/api-keys/api-key-reader.ts';
import { keyWatch } from '../../../../server/account/api-keys/key-watch.ts';
import { openChances } from '../../../../server/forecast/chances/chances.ts';
import { openLiveChances } from '../../../../server/forecast/chances/live-chances.ts';
import { generatedCandles } from '../../../../server/forecast/models/generated-candles.ts';
import { openPredictionStore } from '../../../../server/forecast/predictions/prediction-store.ts';
import { fakeForecasts } from '../../../../server/forecast/testing/fake-forecasts.ts';
import type { CandleHistory } from '../../../../server/market/candles/candle-history.ts';
import { ONLY_SPECIFIED } from '../../../../server/market/catalogue/symbol-lookup.ts';
import { asOwner, type Database } from '../../../../server/platform/database/database.ts';
import { callerReader } from '../../../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../../../server/platform/http/calls/server-function.ts';
import { limiterOfProcess } from '../../../../server/platform/http/guards/rate-limit.ts';
import { requestLog } from '../../../../server/platform/http/request-log.ts';
import { createLogger } from '../../../../server/platform/telemetry/log.ts';
import { openEventFeed } from '../../../../server/programs/events/event-feed.ts';
import { eventStore } from '../../../../server/programs/events/event-store.ts';
import { keyGate } from '../../../../server/programs/key-gate.ts';
import { type KeyLimitSettings, keyLimits } from '../../../../server/programs/key-limits.ts';
import { readApi } from '../../../../server/programs/read-api/read-api.ts';
import { latestForecasts } from '../../../../server/programs/readings/latest-forecasts.ts';
import { openReveal } from '../../../../server/record/reveal.ts';
import type { TestDatabaseKind } from '../../../support/database/database.ts';
import { functionCalls } from '../auth/account.ts';
import { type BackendTestOptions, type BackendTestServer, backendTestServer } from '../backend.ts';

/** Those of the tests are out of the way unless they are what is tried. */
const NO_LIMITS: KeyLimitSettings = { minute: { points: 100_000, perS: 60 }, day: { points: 100_000, perS: 86_400 } };

export function readApiServer(
  kind: TestDatabaseKind,
  options: { keyLimits?: KeyLimitSettings; log?: (line: string) => void } & Pick<BackendTestOptions, 'limits'> = {},
): Promise<BackendTestServer> {
  const { log: write = () => undefined, keyLimits: limitsOfKeys = NO_LIMITS } = options;
  const log = createLogger('trace', { write });
  return backendTestServer(kind, {
    log,
    ...(options.limits !== undefined && { limits: options.limits }),
    mount({ database, clock, verifier, limits }) {
      const app = new Hono();
      app.use('*', requestLog(log));
      // As in app.ts.
      app.onError((error, c) => {
        log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed');
        return errorResponse(error);
      });
      const functions = accountFunctions({
        database,
        clock,
        log,
        sessions: verifier,
        limits,
        sendsMails: true,
        deletion: null,
      });
      app.route('/', functionRoutes({ callers: callerReader(verifier) }, functions));
      const gate = keyGate({ keyOf: apiKeyReader({ database, clock }), limits: keyLimits(limitsOfKeys) });
      const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'live' });
      const forecasts = fakeForecasts();
      const predictions = openPredictionStore({ database });
      const events = eventStore(database);
      const market = { symbols: ONLY_SPECIFIED, catalogue: { search: async () => [] }, history: generatedHistory };
      const chances = openChances({
        forecasts,
        predictions,
        limiterOf: limiterOfProcess,
        symbols: ONLY_SPECIFIED,
        history: { latest: generatedHistory.latest, watch: () => () => undefined },
        tablesOf: async () => null,
        similarOf: () => null,
      });
      const latest = latestForecasts({ database, clock, forecasts, predictions, symbols: ONLY_SPECIFIED });
      return app.route(
        '/',
        readApi({
          database,
          clock,
          log,
          marketKind: 'live',
          reveal,
          gate,
          latest,
          events,
          ...market,
          chances,
          live: openLiveChances({ chances, log }),
          checkMs: 20,
          feed: openEventFeed({ store: events, log }),
          keys: keyWatch({ database, clock, log }),
          hasPlan: async () => false,
          addressOf: () => null,
          stopping: new AbortController().signal,
        }),
      );
    },
  });
}

const MINUTES = generatedCandles({ seed: 'read-api', count: 250, firstOpen: 1_790_000_040, tickSize: 0.1 });

/** The same candles for every symbol. */
const generatedHistory: Pick<CandleHistory, 'latest'> = {
  latest: async () => ({
    candles: MINUTES,
    marketKind: 'live',
    venueId: 'generated',
    attribution: 'Generated',
    delayS: 0,
    asOfS: MINUTES.at(-1)?.time ?? null,
    isStale: false,
    isOpen: true,
    nowMs: Date.now(),
  }),
};

export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Of JSON. */
  body: Record<string, unknown>;
}

const objectSchema = z.record(z.string(), z.unknown());
const createdSchema = z.object({ ok: z.literal(true), id: z.string(), key: z.string() });

export function apiCalls(server: () => BackendTestServer) {
  const call = functionCalls(server);

  async function newKey(user: { accessToken: string }, body: object = { name: 'laptop' }) {
    return createdSchema.parse(await call(user.accessToken, 'create-api-key', body));
  }

  /** @param path  below /api/v1 */
  async function request(path: string, key: string | null, init: RequestInit = {}): Promise<ApiAnswer> {
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...Object.fromEntries(new Headers(init.headers)),
    };
    const answer = await fetch(`${server().url}/api/v1${path}`, { ...init, headers });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson && text !== '' ? objectSchema.parse(JSON.parse(text)) : {};
    return { status: answer.status, headers: answer.headers, text, body };
  }
  return { call, newKey, request };
}

const contentSchema = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const responseSchema = z.object({ description: z.string(), content: z.optional(contentSchema) });
const documentSchema = z.object({
  components: z.object({ responses: z.record(z.string(), responseSchema) }),
  openapi: z.literal('3.1.0'),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        parameters: z.array(
          z.object({
            name: z.string(),
            in: z.enum(['query', 'path', 'header']),
            schema: z.record(z.string(), z.unknown()),
          }),
        ),
        responses: z.record(z.string(), z.union([responseSchema, z.object({ $ref: z.string() })])),
      }),
    }),
  ),
});

/** What the document itself says of an answer: null where it is as documented, else what is not. */
export type Documented = (path: string, answer: ApiAnswer) => string | null;

export async function documentedBy(server: BackendTestServer): Promise<Documented & { paths: string[] }> {
  const document = documentSchema.parse(await (await fetch(`${server.url}/api/v1/openapi.json`)).json());
  const validators = new Map<string, ZodType>();
  const check: Documented = (path, answer) => {
    const plain = path.replace(/\?.*/s, '');
    const known = document.paths[plain] ?? document.paths[plain.replace(/\/[^/]+$/, '/{id}')];
    const found = known?.get.responses[String(answer.status)];
    const response =
      found !== undefined && '$ref' in found
        ? document.components.responses[found.$ref.replace('#/components/responses/', '')]
        : found;
    if (response === undefined) return `status ${answer.status} of ${path} is not documented`;
    if (answer.status === 304) return answer.text === '' ? null : 'a body with 304';
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const content = response.content?.[type];
    if (content === undefined) return `${type} with ${answer.status} of ${path} is not documented`;
    if (type !== 'application/json') return null;
    const key = `${path.replace(/\?.*/s, '')} ${answer.status}`;
    const validator = validators.get(key) ?? fromJSONSchema(content.schema);
    validators.set(key, validator);
    const read = validator.safeParse(JSON.parse(answer.text));
    return read.success ? null : `${key}: ${read.error.issues[0]?.path.join('.')} ${read.error.issues[0]?.message}`;
  };
  return Object.assign(check, { paths: Object.keys(document.paths) });
}

/** A saved prediction of 200 candles; `outcome` as its columns, default: it waits. */
export async function savePrediction(
  database: Database,
  {
    userId,
    coin = 'BTC',
    savedAt = '2026-11-20T10:00:00.123456Z',
    isVoid = false,
  }: { userId: string; coin?: string; savedAt?: string; isVoid?: boolean },
): Promise<string> {
  const candles = Array.from({ length: 200 }, (_, i) => ({
    time: 1_790_000_040 + i * 60,
    open: 1,
    high: 2,
    low: 1,
    close: 2,
    volume: 1,
  }));
  const [row] = await asOwner(database).query<{ id: string }>(
    `insert into public.user_predictions (user_id, cryptocurrency, model, created_at, data)
     values ($1::text::uuid, $2::text, 'kat1', $3::text::timestamptz, $4::text::jsonb) returning id::text as id`,
    [userId, coin, savedAt, JSON.stringify(candles)],
  );
  const id = row?.id ?? '';
  await asOwner(database).query(
    `insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at, state, void_reason, resolved_at)
     values ($1::text::uuid, $2::text::uuid, 'live', 'BTCUSDT.P', 1790000040 / 60 * 60, now(), now(), $3::text, $4::text, $5::text::timestamptz)`,
    [id, userId, isVoid ? 'void' : 'waiting', isVoid ? 'candles-gone' : null, isVoid ? savedAt : null],
  );
  return id;
}
