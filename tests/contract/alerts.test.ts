/** Alerts from the rule to the mail: the functions over HTTP, and rounds of the job on a market that the test makes up. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { type AlertFacts, alertListSchema } from '#domain/alerts/alert.ts';
import { type AlertRule, alertRuleSchema, MOST_ALERT_RULES } from '#domain/alerts/alert-rule.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { MOST_MAILS_AN_HOUR } from '../../server/alerts/mails/alert-mail.ts';
import { type AlertDeps, alertRounds, openAlerts } from '../../server/alerts/open-alerts.ts';
import { BRAND } from '../../server/backend/auth/mail/account-mails.ts';
import type { PastSeries } from '../../server/market/past-candles.ts';
import { callerReader } from '../../server/platform/caller.ts';
import { asOwner } from '../../server/platform/database.ts';
import { errorResponse } from '../../server/platform/http-errors.ts';
import { functionRoutes } from '../../server/platform/server-function.ts';
import { insertRecords, makeRecords } from '../../server/record/made-up-records.ts';
import { testLog } from '../support/database.ts';
import { describeOneDatabase } from '../support/each-database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { functionCalls } from './support-account.ts';
import { backendTestServer } from './support-backend.ts';

const SYM = 'BTCUSDT.P';
const MINUTE_MS = MINUTE_S * 1000;
const never = new AbortController().signal;

describeOneDatabase('alerts', (kind) => {
  /** What the market's serving venue has; the test writes it. */
  let series: PastSeries | null = null;
  /** Of the market's clock behind ours. */
  let behindMs = 0;
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
      ...{ database, clock, log: testLog, brand: BRAND, sendsMails: true },
      marketClock: { nowMs: () => clock.nowMs() - behindMs },
      past: { recent: async () => series, stored: async () => [] },
      kindOf: () => 'live',
      siteUrl: () => 'https://kat.test',
    };
  }
  /** A process of its own: it knows nothing of what others have seen. */
  const process = (over: Partial<AlertDeps> = {}) => alertRounds({ ...depsOf(server()), ...over });
  const round = () => process()(never);
  const sql = (text: string, params: readonly unknown[] = []) => asOwner(server().database).query(text, params);

  afterEach(async () => {
    // The job runs beside the tests' own rounds only in the test that is about it.
    for (const one of closing.splice(0)) await one.close();
    series = null;
    behindMs = 0;
    await sql('delete from auth.users');
    await sql('delete from private.outgoing_mail');
    await sql('delete from private.alert_progress');
  });

  const nowS = () => Math.floor(server().clock.nowMs() / 1000);
  const minuteAgo = (minutes: number) => Math.floor(nowS() / MINUTE_S) * MINUTE_S - minutes * MINUTE_S;

  async function someone() {
    const user = await server().confirmedUser();
    let token = user.accessToken;
    const ask = (name: string, body: unknown = {}) => call(token, name, body);
    return {
      ...user,
      ask,
      /** After hours that made the token too old. */
      async signInAgain() {
        const { data } = await user.client.auth.signInWithPassword(user);
        token = data.session?.access_token ?? '';
      },
      list: async () => alertListSchema.parse(await ask('list-alerts')),
      rule: async (body: Record<string, unknown>): Promise<AlertRule> =>
        alertRuleSchema.parse((await ask('save-alert-rule', { byMail: false, byPush: false, ...body })).rule),
      /** As if the rules had been made some minutes earlier. */
      backdate: (minutes: number) =>
        sql(
          `update public.alert_rules set created_at = created_at - make_interval(mins => $2::int) where user_id = $1::text::uuid`,
          [user.id, minutes],
        ),
    };
  }
  type Someone = Awaited<ReturnType<typeof someone>>;
  const mails = (user: Someone) =>
    sql(
      `select subject, text_body as text from private.outgoing_mail
        where kind = 'alert' and to_address = $1::text order by created_at, id`,
      [user.email],
    );

  /** A saved prediction whose band is 95 to 105 on a market that stood at 100. */
  async function prediction(user: Someone, joinS: number, marketKind: MarketKind = 'live'): Promise<string> {
    const id = randomUUID();
    const candles = Array.from({ length: 200 }, (_, i) => candle(joinS + (i - 149) * MINUTE_S, 100));
    const edges = (price: number) => Array.from({ length: 50 }, () => price);
    const start = { ampPercent: 100, band: { lower95: edges(95), upper95: edges(105) } };
    await sql(
      `insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, data)
       values ($1::text::uuid, $2::text::uuid, 'BTC', '1min', 'kat2_4', $3::text::jsonb)`,
      [id, user.id, JSON.stringify(candles)],
    );
    await sql(
      `insert into private.prediction_reservations
         (id, user_id, model, model_version, exc, sym, label, t0, state, start, created_at, expires_at, prediction_id)
       values ($1::text::uuid, $2::text::uuid, 'kat2_4', 'v', $3::text, '${SYM}', 'BTC', $4::bigint, 'spent',
         $5::text::jsonb, now(), now(), $1::text::uuid)`,
      [id, user.id, id, joinS, JSON.stringify(start)],
    );
    await sql(
      `insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
       values ($1::text::uuid, $2::text::uuid, $3::text, '${SYM}', $4::bigint, now(), now())`,
      [id, user.id, marketKind, joinS],
    );
    return id;
  }

  /** Ten minutes at 100 up to the join, then these closes; null: the market has no candle. */
  function trade(joinS: number, closes: readonly (number | null)[], over: Partial<PastSeries> = {}): void {
    const tail = Array.from({ length: 10 }, (_, i) => candle(joinS - (9 - i) * MINUTE_S, 100));
    const since = closes.flatMap((close, i) => (close === null ? [] : [candle(joinS + (i + 1) * MINUTE_S, close)]));
    series = { marketKind: 'live', venueId: 'own', candles: [...tail, ...since], ...over };
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

  test('rules are their owner’s: one a subject, fifty at most, none about another’s prediction', async () => {
    const [user, other] = [await someone(), await someone()];
    const [own, foreign] = [await prediction(user, minuteAgo(5)), await prediction(other, minuteAgo(5))];
    const first = await user.rule({ kind: 'band-broken', predictionId: own });
    const changed = await user.rule({ kind: 'band-broken', predictionId: own, byMail: true });
    const standing = await user.rule({ kind: 'band-broken', predictionId: null });

    expect(changed).toEqual({ ...first, byMail: true });
    expect((await user.list()).rules).toEqual([changed, standing]);
    for (const predictionId of [foreign, randomUUID()])
      expect(
        await user.ask('save-alert-rule', { kind: 'prediction-resolved', predictionId, byMail: false, byPush: false }),
      ).toMatchObject({ ok: false, reason: 'alerts/no-such-prediction' });
    expect(await other.ask('remove-alert-rule', { id: first.id })).toMatchObject({ reason: 'alerts/no-such-rule' });
    expect((await other.list()).rules).toEqual([]);
    expect((await user.ask('save-alert-rule', { kind: 'models-disagree', sym: 'NONE' })).status).toBe(400);

    await sql(
      `insert into public.user_predictions (id, user_id, cryptocurrency, model, data)
       select gen_random_uuid(), p.user_id, 'BTC', 'kat1', p.data
         from public.user_predictions p, generate_series(1, 60) where p.id = $1::text::uuid`,
      [own],
    );
    const ids = (
      await sql('select id::text from public.user_predictions where user_id = $1::text::uuid', [user.id])
    ).map((row) => row.id);
    const save = (predictionId: unknown) =>
      user.ask('save-alert-rule', { kind: 'prediction-resolved', predictionId, byMail: false, byPush: false });
    for (const id of ids.slice(0, 43)) await save(id);
    const answers = await Promise.all(ids.slice(43, 53).map(save));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(MOST_ALERT_RULES - 45);
    expect(answers.find(({ ok }) => ok === false)).toMatchObject({ reason: 'alerts/too-many-rules' });
    expect((await user.list()).rules).toHaveLength(MOST_ALERT_RULES);
    expect(await save(ids[0])).toMatchObject({ ok: true });
    expect(await user.ask('remove-alert-rule', { id: first.id })).toMatchObject({ ok: true });
    expect(await user.ask('remove-alert-rule', { id: first.id })).toMatchObject({ reason: 'alerts/no-such-rule' });
  });

  test('a close outside the band is told once, to its owner, however many processes see it and however often', async () => {
    const [user, other] = [await someone(), await someone()];
    const joinS = minuteAgo(10);
    const id = await prediction(user, joinS);
    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.rule({ kind: 'band-broken', predictionId: id, byMail: true, byPush: true });
    await sql(
      `insert into public.push_subscriptions (user_id, device, endpoint, endpoint_hash, p256dh, auth)
       values ($1::text::uuid, 'a device', 'https://push.example.com/x', repeat('a', 64), repeat('a', 87), repeat('a', 22))`,
      [user.id],
    );
    await sql('update public.profiles set push_notifications = true where id = $1::text::uuid', [user.id]);
    await other.rule({ kind: 'band-broken', predictionId: null, byMail: true });
    await Promise.all([user.backdate(30), other.backdate(30)]);
    trade(joinS, [101, 105, 95]);
    expect(await round()).toBe(0);

    trade(joinS, [101, 105, 95, 105.5, 120]);
    const [one, two] = [process(), process()];
    const told = await Promise.all([one(never), two(never)]);
    await round();

    expect(told.toSorted()).toEqual([0, 1]);
    const { alerts, unread } = await user.list();
    const facts: AlertFacts = {
      kind: 'band-broken',
      ...{ sym: SYM, marketKind: 'live', predictionId: id, model: 'lion', joinS },
      ...{ bar: 4, close: 105.5, lower: 95, upper: 105 },
    };
    expect({ facts: alerts.map((alert) => alert.facts), unread }).toEqual({ facts: [facts], unread: 1 });
    expect(await mails(user)).toMatchObject([
      {
        subject: 'BTC closed above the 95 % band',
        text: expect.stringContaining('https://kat.test/track-record#alerts'),
      },
    ]);
    expect(await sql('select title, path from private.outgoing_pushes')).toEqual([
      { title: 'BTC closed above the 95 % band', path: '/account/predictions' },
    ]);
    expect([(await other.list()).alerts, await mails(other)]).toEqual([[], []]);

    const newest = alerts[0]?.id ?? 0;
    expect(await other.ask('read-alerts', { upTo: newest })).toMatchObject({ ok: true });
    expect((await user.list()).unread).toBe(1);
    expect(await user.ask('read-alerts', { upTo: newest })).toMatchObject({ ok: true });
    expect((await user.list()).unread).toBe(0);
    expect(alertListSchema.parse(await user.ask('list-alerts', { after: newest })).alerts).toEqual([]);
  });

  test.each<[string, readonly (number | null)[], Partial<PastSeries>]>([
    ['a minute without a candle', [101, null, 102], {}],
    ['another kind of market', [120], { marketKind: 'simulated' }],
    ['a venue that stands in with prices of its own', [120], { venueId: 'other', candles: [] }],
  ])('%s raises no alert', async (what, closes, over) => {
    const user = await someone();
    const joinS = minuteAgo(10);
    await prediction(user, joinS);
    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.backdate(30);
    trade(joinS, closes, what.startsWith('a venue') ? { ...over, candles: standIn(joinS) } : over);

    expect(await round()).toBe(0);
    // Once the venue is back its own close tells.
    trade(joinS, [101, null, 120]);
    expect(await round()).toBe(1);
  });

  test('a rule looks ahead: bars that had closed when it was made are not told, on a market behind our time either', async () => {
    behindMs = 3 * 24 * 60 * MINUTE_MS;
    const user = await someone();
    const joinS = minuteAgo(10) - behindMs / 1000;
    const id = await prediction(user, joinS, 'live');
    trade(joinS, [120, 101]);
    await user.rule({ kind: 'band-broken', predictionId: id });
    trade(joinS, [120, 101, 101, 101, 101, 101, 101, 101, 101]);
    expect(await round()).toBe(0);

    server().advance(3 * MINUTE_MS);
    trade(joinS, [120, 101, 101, 101, 101, 101, 101, 101, 101, 101, 101, 90]);
    expect(await round()).toBe(1);
    expect((await user.list()).alerts[0]?.facts).toMatchObject({ bar: 12, close: 90 });
  });

  test('outcomes are told once, by a process that died half way and the next, and not those of before the rule', async () => {
    const user = await someone();
    const ids = [await prediction(user, minuteAgo(60)), await prediction(user, minuteAgo(59))];
    const before = await prediction(user, minuteAgo(70));
    // Older than the other: one rule must not lend the other its past.
    await user.rule({ kind: 'band-broken', predictionId: null });
    await resolve([before]);
    server().advance(1000);
    await user.rule({ kind: 'prediction-resolved', predictionId: null, byMail: true });
    await round();
    server().advance(MINUTE_MS);
    await resolve(ids);

    const { database } = server();
    const dying: typeof database = Object.assign(Object.create(database), {
      transaction: (...[caller, work]: Parameters<typeof database.transaction>) =>
        database.transaction(caller, async (tx) => {
          await work(tx);
          throw new Error('the process died');
        }),
    });
    await expect(process({ database: dying })(never)).rejects.toThrow('died');
    await round();
    await Promise.all([round(), round()]);

    const { alerts } = await user.list();
    expect(alerts.map(({ facts }) => facts.kind === 'prediction-resolved' && facts.predictionId).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(alerts[0]?.facts).toMatchObject({
      pathErrorBp: 12.5,
      lastCloseErrorBp: 11,
      voidReason: null,
      isReturned: false,
    });
    expect(await mails(user)).toHaveLength(2);
  });

  test('a rule about one prediction ends once its outcome was told; the standing one stays', async () => {
    const user = await someone();
    const [over, running] = [await prediction(user, minuteAgo(60)), await prediction(user, minuteAgo(5))];
    for (const predictionId of [over, running, null]) await user.rule({ kind: 'prediction-resolved', predictionId });
    const about = async () => new Set((await user.list()).rules.map(({ predictionId }) => predictionId));
    server().advance(MINUTE_MS);
    await resolve([over]);
    await round();
    expect(await about()).toEqual(new Set([over, running, null]));

    // Longer than an outcome may be written late.
    server().advance(5 * MINUTE_MS);
    await round();
    await round();

    expect(await about()).toEqual(new Set([running, null]));
    expect((await user.list()).alerts).toHaveLength(1);
  });

  test('what came while no server ran is told afterwards, the band by the candles of the outcome; after a week no more', async () => {
    const user = await someone();
    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.rule({ kind: 'prediction-resolved', predictionId: null });
    await user.backdate(2);
    await round();
    const id = await prediction(user, minuteAgo(1));
    server().advance(3 * 60 * MINUTE_MS);
    await resolve([id], 110);
    server().advance(24 * 60 * MINUTE_MS);

    expect(await round()).toBe(2);
    await user.signInAgain();
    expect((await user.list()).alerts.map(({ facts }) => facts.kind).toSorted()).toEqual([
      'band-broken',
      'prediction-resolved',
    ]);
    const late = await prediction(user, minuteAgo(60));
    await resolve([late], 110);
    server().advance(8 * 24 * 60 * MINUTE_MS);
    expect(await round()).toBe(0);
    server().advance(23 * 24 * 60 * MINUTE_MS);
    await round();
    await user.signInAgain();
    expect((await user.list()).alerts).toEqual([]);
  });

  test('six mails an hour, the sixth says so; none to an unproven address, to whoever wants none, to whoever is banned', async () => {
    const [user, unproven, unwilling, banned] = [await someone(), await someone(), await someone(), await someone()];
    const everyone = [user, unproven, unwilling, banned];
    for (const one of everyone) await one.rule({ kind: 'prediction-resolved', predictionId: null, byMail: true });
    await sql('update auth.users set email_confirmed_at = null where id = $1::text::uuid', [unproven.id]);
    await sql('update public.profiles set email_notifications = false where id = $1::text::uuid', [unwilling.id]);
    await sql(`update auth.users set banned_until = 'infinity' where id = $1::text::uuid`, [banned.id]);
    const ids = await Promise.all([
      ...Array.from({ length: MOST_MAILS_AN_HOUR + 2 }, (_, i) => prediction(user, minuteAgo(60 + i))),
      ...[unproven, unwilling, banned].map((one) => prediction(one, minuteAgo(60))),
    ]);
    server().advance(1000);
    await resolve(ids);

    expect(await round()).toBe(ids.length);
    const sent = await mails(user);
    expect(sent).toHaveLength(MOST_MAILS_AN_HOUR);
    expect(sent.filter(({ text }) => String(text).includes('the last of 6 alerts by mail'))).toHaveLength(1);
    expect((await user.list()).alerts).toHaveLength(MOST_MAILS_AN_HOUR + 2);
    expect(await Promise.all([unproven, unwilling, banned].map(mails))).toEqual([[], [], []]);

    server().advance(61 * MINUTE_MS);
    await resolve([await prediction(user, minuteAgo(60))]);
    await round();
    expect(await mails(user)).toHaveLength(MOST_MAILS_AN_HOUR + 1);
  });

  test('models that disagree are told once an hour and symbol, to whoever waited for it when the slot began', async () => {
    const [user, late, elsewhere] = [await someone(), await someone(), await someone()];
    await user.rule({ kind: 'models-disagree', sym: SYM });
    await elsewhere.rule({ kind: 'models-disagree', sym: 'ETHUSDT.P' });
    // The next full hour and ten minutes on, so that three slots lie in one hour.
    const hourS = (Math.floor(nowS() / 3600) + 1) * 3600;
    const moveClock = (toS: number) => server().advance(toS * 1000 - server().clock.nowMs());
    const drawn = { bobcat: -15, panther: 2, lion: 25 };
    await insertRecords(
      server().database,
      makeRecords({
        ...{ slots: 3, syms: [SYM], firstSlotS: hourS, market: 'live' },
        change: ({ model, slot }) => ({ path: [0, 0, 0, 0, slot === hourS ? 900 : drawn[model] * 100] }),
      }),
    );
    moveClock(hourS + 70);
    expect(await round()).toBe(0);
    moveClock(hourS + 310);
    for (const one of [user, late, elsewhere]) await one.signInAgain();
    await late.rule({ kind: 'models-disagree', sym: SYM });
    expect(await round()).toBe(0);
    moveClock(hourS + 365);
    const told = await Promise.all([round(), round()]);
    expect(told.toSorted()).toEqual([0, 1]);
    moveClock(hourS + 665);
    expect(await round()).toBe(1);

    const [alert] = (await user.list()).alerts;
    expect(alert?.facts).toEqual({
      kind: 'models-disagree',
      ...{ sym: SYM, marketKind: 'live', slotS: hourS + 300, movesBp: drawn, costBp: expect.closeTo(10.2) },
    });
    expect((await user.list()).alerts).toHaveLength(1);
    expect((await late.list()).alerts[0]?.facts).toMatchObject({ slotS: hourS + 600 });
    expect((await elsewhere.list()).alerts).toEqual([]);
  });

  test('whoever removes a rule, or the account, is told nothing; the job finds by itself what there is to tell', async () => {
    const [user, gone] = [await someone(), await someone()];
    const joinS = minuteAgo(10);
    const id = await prediction(user, joinS);
    await prediction(gone, joinS);
    const rule = await user.rule({ kind: 'band-broken', predictionId: id });
    await gone.rule({ kind: 'band-broken', predictionId: null });
    await Promise.all([user.backdate(30), gone.backdate(30)]);
    trade(joinS, [120]);
    // Between what was read and what is written.
    const siteUrl = () => 'https://kat.test';
    const removing = process({
      siteUrl,
      past: {
        recent: async () => {
          await user.ask('remove-alert-rule', { id: rule.id });
          await sql('delete from auth.users where id = $1::text::uuid', [gone.id]);
          return series;
        },
        stored: async () => [],
      },
    });
    expect(await removing(never)).toBe(0);

    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.backdate(30);
    await sql('delete from private.jobs');
    const jobs = [openAlerts(depsOf(server())), openAlerts(depsOf(server()))];
    closing.push(...jobs);
    for (let tries = 0; tries < 100 && (await user.list()).unread === 0; tries++) await sleep(20);
    expect((await user.list()).unread).toBe(1);
  });
});

const candle = (time: number, close: number): Candle => ({
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});

/** Other prices for the same minutes. */
function standIn(joinS: number): Candle[] {
  return Array.from({ length: 20 }, (_, i) => candle(joinS + (i - 9) * MINUTE_S, 120));
}
