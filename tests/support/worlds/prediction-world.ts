/** Real database and socket, with fake forecasts, tokens `<user id>.<session>` and a clock that the test moves. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import pino from 'pino';
import type { PlanName } from '#domain/billing/plans.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { type StoredForecast, storedForecastSchema } from '#domain/forecast/stream-message.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { Forecasts } from '../../../server/forecast/forecast.ts';
import { predictionFunctions } from '../../../server/forecast/predictions/prediction-functions.ts';
import { openPredictionStore, type PredictionStore } from '../../../server/forecast/predictions/prediction-store.ts';
import { forecastRoutes } from '../../../server/forecast/stream/forecast-routes.ts';
import { type FakeForecasts, fakeForecasts, onlyBobcat } from '../../../server/forecast/testing/fake-forecasts.ts';
import type { SymbolLookup } from '../../../server/market/catalogue/symbol-lookup.ts';
import { type Database, OWNER, SERVICE } from '../../../server/platform/database/database.ts';
import { callerReader } from '../../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../../server/platform/http/calls/server-function.ts';
import { listen } from '../../../server/platform/http/listen.ts';
import { openTestDatabase, type TestDatabaseKind } from '../database/database.ts';
import { untilMorningMs } from '../run/until-morning.ts';
import { type EventReader, readEvents } from '../wire/event-reader.ts';

export const STREAM = '/stream-kat2?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';
const LIVE_SESSION = 'live';
const log = pino({ level: 'silent' });

export interface TestUser {
  id: string;
  token: string;
}

export interface PredictionWorld {
  database: Database;
  predictions: PredictionStore;
  forecasts: FakeForecasts;
  /** Where the server listens; changes with restart(). */
  readonly origin: string;
  user(plan: PlanName | 'admin'): Promise<TestUser>;
  /** Stops this process's server and starts another on the same database: state held only in memory is lost. */
  restart(): Promise<void>;
  /** From now on the other of two processes on this database answers. */
  switchProcess(): Promise<void>;
  moveClock(ms: number): void;
  get(path: string, token: string | null, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** @param more  further parameters: `&tf=5min` */
  stream(user: TestUser, headers?: Record<string, string>, more?: string): Promise<EventReader>;
  fetchAgain(user: TestUser, reservationId: string): Promise<StoredForecast>;
  invoke(user: TestUser, name: string, body?: unknown): Promise<Record<string, unknown>>;
  save(user: TestUser, candles: readonly Candle[], over?: Record<string, unknown>): Promise<Record<string, unknown>>;
  left(user: TestUser): Promise<{ daily: unknown; monthly: unknown }>;
  savedRows(user: TestUser): Promise<{ id: string; model: string; cryptocurrency: string; data: Candle[] }[]>;
  close(): Promise<void>;
}

/** The source of forecasts: fakes unless a test passes real ones. */
interface Served {
  forecasts: Forecasts;
  /** Its `open` refuses a model that cannot forecast. */
  registry: { open(model: ModelName, timeframe: Timeframe): Promise<unknown> };
  /** Absent: only the ten symbols of the picker. */
  symbols?: SymbolLookup;
}

export async function openPredictionWorld(
  kind: TestDatabaseKind | Database,
  paceMs = 0,
  real?: Served,
): Promise<PredictionWorld> {
  let clockOffsetMs = untilMorningMs(Date.now());
  const clock = { clockOffsetMs: () => clockOffsetMs };
  const database = typeof kind === 'string' ? await openTestDatabase(kind, clock) : kind;
  const predictions = openPredictionStore({ database });
  const forecasts = fakeForecasts();
  const served = real ?? { forecasts, registry: onlyBobcat };
  let server = await startServer(database, served, paceMs);
  let other: Listening | null = null;

  const world: PredictionWorld = {
    database,
    predictions,
    forecasts,
    get origin() {
      return server.origin;
    },
    user: (plan) => aUser(database, plan),
    async restart() {
      await server.stop();
      server = await startServer(database, served, paceMs);
    },
    async switchProcess() {
      [server, other] = [other ?? (await startServer(database, served, paceMs)), server];
    },
    moveClock(ms) {
      clockOffsetMs += ms;
    },
    get(path, token, headers = {}, signal) {
      const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return fetch(`${server.origin}${path}`, { headers: { ...authorization, ...headers }, signal: signal ?? null });
    },
    async stream(user, headers, more = '') {
      const response = await world.get(STREAM + more, user.token, headers);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return readEvents(response);
    },
    async fetchAgain(user, reservationId) {
      const response = await world.get(`/forecast/reservations/${reservationId}`, user.token);
      return storedForecastSchema.parse(await response.json());
    },
    async invoke(user, name, body) {
      const headers = { authorization: `Bearer ${user.token}` };
      const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`${server.origin}/functions/v1/${name}`, init);
      return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
    },
    save: (user, candles, over = {}) =>
      world.invoke(user, 'create-prediction', {
        model: 'kat1',
        cryptocurrency: 'BTC',
        timeframe: '1min',
        data: candles,
        ...over,
      }),
    async left(user) {
      const quota = await world.invoke(user, 'get-quota');
      return { daily: quota.remaining_daily, monthly: quota.remaining_monthly };
    },
    savedRows: (user) =>
      database.query(
        SERVICE,
        'select id, model, cryptocurrency, data from public.user_predictions where user_id = $1',
        [user.id],
      ),
    async close() {
      await Promise.all([server.stop(), other?.stop()]);
      await database.close();
    },
  };
  return world;
}

interface Listening {
  origin: string;
  stop(): Promise<void>;
}

async function startServer(
  database: Database,
  { forecasts, registry, symbols }: Served,
  paceMs: number,
): Promise<Listening> {
  const callers = callerReader({
    async verify(token) {
      const [sub = '', session = ''] = token.split('.');
      if (session === 'expired' || !/^[0-9a-f-]{36}$/.test(sub)) throw new AppError('auth/bad-token');
      return { role: 'authenticated', sub, session_id: session };
    },
    sessionStatus: async (sessionId) => ({
      isLive: sessionId === LIVE_SESSION,
      hasSecondFactor: false,
      isRaised: false,
    }),
  });
  const predictions = openPredictionStore({ database });
  const stopping = new AbortController();
  const app = new Hono();
  app.route(
    '/',
    forecastRoutes({
      callers,
      forecasts,
      predictions,
      registry,
      symbols,
      log,
      paceMs,
      stopping: stopping.signal,
    }),
  );
  app.route('/', functionRoutes({ callers }, predictionFunctions({ predictions, database })));
  app.onError((error) => errorResponse(error));
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, log);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A user who subscribed ten days ago; `admin` has the role and no subscription. */
export async function aUser(database: Database, plan: PlanName | 'admin'): Promise<TestUser> {
  const id = randomUUID();
  await database.query(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [id, `${id}@example.com`]);
  if (plan === 'admin') {
    await database.query(
      OWNER,
      `insert into public.profiles (id, role) values ($1, 'admin') on conflict (id) do update set role = 'admin'`,
      [id],
    );
  } else if (plan !== 'free') {
    const nowS = Math.floor(Date.now() / 1000);
    await subscribe(database, id, plan, nowS - 10 * 86_400, nowS + 20 * 86_400);
  }
  return { id, token: `${id}.${LIVE_SESSION}` };
}

export async function subscribe(
  database: Database,
  userId: string,
  plan: Exclude<PlanName, 'free'>,
  periodStartS: number | null,
  periodEndS: number | null,
  over: { status?: string; cancelAtPeriodEnd?: boolean } = {},
): Promise<void> {
  await database.query(SERVICE, 'insert into public.stripe_customers (user_id, customer_id) values ($1, $2)', [
    userId,
    `cus_${userId}`,
  ]);
  await database.query(
    SERVICE,
    `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_start,
       current_period_end, cancel_at_period_end, stripe_created)
     values ($1, $2, $3, $4, $5, $6, $7, 0)`,
    [
      `sub_${userId}`,
      `cus_${userId}`,
      `price_kat_${plan}_monthly`,
      over.status ?? 'active',
      periodStartS,
      periodEndS,
      over.cancelAtPeriodEnd ?? false,
    ],
  );
}

/** The streamed candles among a reader's events. */
export function candlesOf(events: readonly { event: string; data: unknown }[]): Candle[] {
  return events.filter((event) => event.event === 'message').map((event) => event.data as Candle);
}
