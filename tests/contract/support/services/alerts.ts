/** Alerts as a test sees them: the functions over HTTP, rounds of the job, and a market that the test makes up. */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { afterEach, beforeEach } from 'vitest';
import { alertListSchema } from '#domain/alerts/alert.ts';
import { type AlertRule, alertRuleSchema } from '#domain/alerts/alert-rule.ts';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import type { Release } from '#domain/market/calendar/release.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { type AlertDeps, alertRounds, openAlerts } from '../../../../server/alerts/open-alerts.ts';
import { BRAND } from '../../../../server/backend/auth/mail/account-mails.ts';
import { readReleaseTable } from '../../../../server/forecast/releases/release-table-file.ts';
import type { PastSeries } from '../../../../server/market/candles/past-candles.ts';
import { asOwner } from '../../../../server/platform/database/database.ts';
import { callerReader } from '../../../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../../../server/platform/http/calls/server-function.ts';
import { limiterOfProcess } from '../../../../server/platform/http/guards/rate-limit.ts';
import { type TestDatabaseKind, testLog } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';
import { functionCalls } from '../auth/account.ts';
import { backendTestServer } from '../backend.ts';
import { fakeChances } from './fake-chances.ts';

export const SYM = 'BTCUSDT.P';
export const MINUTE_MS = MINUTE_S * 1000;
const never = new AbortController().signal;
const TABLE = readReleaseTable();

export interface SavedForecast {
  marketKind?: MarketKind;
  sym?: string;
  timeframe?: Timeframe;
  /** Backend name. */
  model?: string;
  hasBand?: boolean;
  releases?: ForecastReleases | Record<string, unknown> | null;
}

/** One server for a describe block; users, mails and the market go with each test. */
export function alertWorld(kind: TestDatabaseKind) {
  /** What the market's serving venue has, how far its clock is behind ours, and its calendar; the test writes them. */
  const market: { series: PastSeries | null; behindMs: number; releases: Release[] } = {
    series: null,
    behindMs: 0,
    releases: [],
  };
  const chances = fakeChances();
  const closing: { close(): Promise<void> }[] = [];
  const server = openedForTests(() =>
    backendTestServer(kind, {
      mount({ database, clock, verifier }) {
        const { functions, close } = openAlerts(depsOf({ database, clock }));
        closing.push({ close });
        const app = new Hono();
        app.onError((error) => errorResponse(error));
        return app.route('/', functionRoutes({ callers: callerReader(verifier) }, functions));
      },
    }),
  );
  const call = functionCalls(server);

  function depsOf({ database, clock }: Pick<AlertDeps, 'database' | 'clock'>): AlertDeps {
    return {
      database,
      clock,
      log: testLog,
      limiterOf: limiterOfProcess,
      brand: BRAND,
      sendsMails: true,
      marketClock: { nowMs: () => clock.nowMs() - market.behindMs },
      past: { recent: async () => market.series, stored: async () => [] },
      kindOf: () => 'live',
      chances,
      releases: {
        calendar: {
          between: async (fromS, toS) => ({
            releases: market.releases.filter(({ timeS }) => timeS >= fromS && timeS < toS),
            isComplete: true,
          }),
        },
        table: TABLE,
      },
      siteUrl: () => 'https://kat.test',
    };
  }
  /** A separate process: it knows nothing of what others have seen. */
  const process = (over: Partial<AlertDeps> = {}) => {
    const run = alertRounds({ ...depsOf(server()), ...over });
    return () => run(never);
  };
  /** @returns how many alerts it sent */
  const round = () => process()();
  /** The job beside the tests' own rounds, until the test ends. */
  const openJob = () => void closing.push(openAlerts(depsOf(server())));
  const sql = (text: string, params: readonly unknown[] = []) => asOwner(server().database).query(text, params);

  async function closeJobs(): Promise<void> {
    for (const one of closing.splice(0)) await one.close();
  }
  // The server has a job too, which would send what a test's round should.
  beforeEach(closeJobs);
  afterEach(async () => {
    await closeJobs();
    Object.assign(market, { series: null, behindMs: 0, releases: [] });
    await sql('delete from auth.users');
    await sql('delete from private.outgoing_mail');
    await sql('delete from private.alert_progress');
  });

  const nowS = () => Math.floor(server().clock.nowMs() / 1000);
  const minuteAgo = (minutes: number) => Math.floor(nowS() / MINUTE_S) * MINUTE_S - minutes * MINUTE_S;

  async function someone() {
    const user = await server().confirmedUser();
    let token = user.accessToken;
    const invoke = (name: string, body: unknown = {}) => call(token, name, body);
    return {
      ...user,
      invoke,
      /** After hours that made the token too old. */
      async signInAgain() {
        const { data } = await user.client.auth.signInWithPassword(user);
        token = data.session?.access_token ?? '';
      },
      list: async () => alertListSchema.parse(await invoke('list-alerts')),
      rule: async (body: Record<string, unknown>): Promise<AlertRule> =>
        alertRuleSchema.parse((await invoke('save-alert-rule', { byMail: false, byPush: false, ...body })).rule),
      /** As if the rules had been made some minutes earlier. */
      backdate: (minutes: number) =>
        sql(
          `update public.alert_rules set created_at = created_at - make_interval(mins => $2::int) where user_id = $1::text::uuid`,
          [user.id, minutes],
        ),
    };
  }
  const mails = ({ email }: { email: string }) =>
    sql(
      `select subject, text_body as text from private.outgoing_mail
        where kind = 'alert' and to_address = $1::text order by created_at, id`,
      [email],
    );

  /** A saved prediction whose band is 95 to 105 on a market that was at 100. */
  async function prediction(
    user: { id: string },
    joinS: number,
    {
      marketKind = 'live',
      sym = SYM,
      timeframe = '1min',
      model = 'kat2_4',
      hasBand = true,
      releases = null,
    }: SavedForecast = {},
  ): Promise<string> {
    const id = randomUUID();
    const candles = Array.from({ length: 200 }, (_, i) => candle(joinS + (i - 149) * barSecondsOf(timeframe), 100));
    const edges = (price: number) => Array.from({ length: 50 }, () => price);
    const [lower, upper] = [edges(95), edges(105)];
    const band = { lower80: lower, upper80: upper, lower95: lower, upper95: upper };
    await sql(
      `insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, data, band, releases)
       values ($1::text::uuid, $2::text::uuid, 'BTC', $5::text, $6::text, $3::text::jsonb, $4::text::jsonb, $7::text::jsonb)`,
      [
        id,
        user.id,
        JSON.stringify(candles),
        hasBand ? JSON.stringify(band) : null,
        timeframe,
        model,
        releases === null ? null : JSON.stringify(releases),
      ],
    );
    await sql(
      `insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, timeframe, join_s, due_at, next_try_at)
       values ($1::text::uuid, $2::text::uuid, $3::text, $5::text, $6::text, $4::bigint, now(), now())`,
      [id, user.id, marketKind, joinS, sym, timeframe],
    );
    return id;
  }

  /** Ten minutes at 100 up to the join, then these closes; null: the market has no candle. */
  function trade(joinS: number, closes: readonly (number | null)[], over: Partial<PastSeries> = {}): void {
    const tail = Array.from({ length: 10 }, (_, i) => candle(joinS - (9 - i) * MINUTE_S, 100));
    const since = closes.flatMap((close, i) => (close === null ? [] : [candle(joinS + (i + 1) * MINUTE_S, close)]));
    market.series = { marketKind: 'live', venueId: 'own', candles: [...tail, ...since], ...over };
  }

  /** Ends the waiting, at the product's time now. */
  async function resolve(ids: readonly string[], closes = 100): Promise<void> {
    const nowIso = new Date(server().clock.nowMs()).toISOString();
    const candles = JSON.stringify(Array.from({ length: 50 }, () => ({ close: closes })));
    const score = JSON.stringify({ path: { maeBp: 12.5 }, lastClose: { maeBp: 11 } });
    await sql(
      `update public.prediction_outcomes set state = 'known', candles = $2::text::jsonb, score = $3::text::jsonb,
         resolved_at = $4::text::timestamptz where prediction_id = any ($1::text[]::uuid[])`,
      [ids, candles, score, nowIso],
    );
  }

  return {
    chances,
    server,
    sql,
    nowS,
    minuteAgo,
    someone,
    mails,
    market,
    trade,
    prediction,
    resolve,
    process,
    round,
    openJob,
  };
}

export const candle = (time: number, close: number): Candle => ({
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});
