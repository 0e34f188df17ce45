/** Alerts before a scheduled release within a running forecast: when, how often, about which forecasts, and when none is sent. */
import { beforeEach, expect, test } from 'vitest';
import type { AlertFacts } from '#domain/alerts/alert.ts';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import type { Release } from '#domain/market/calendar/release.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { alertWorld, MINUTE_MS, type SavedForecast, SYM } from './support/services/alerts.ts';

const RELEASED_MS = Date.parse('2026-12-10T13:30:00Z');
const RELEASED_S = RELEASED_MS / 1000;
const CPI: Release = { timeS: RELEASED_S, kind: 'inflation', title: 'CPI m/m' };
const RULE = { kind: 'release-due' } as const;
const CHANNELS = { byMail: false, byPush: false };
/** Opening of the last real candle of a forecast made some minutes before the release. */
const joinedBefore = (minutes: number, barS = MINUTE_S) => RELEASED_S - minutes * MINUTE_S - barS;
const AWARE: ForecastReleases = {
  list: [{ atS: RELEASED_S, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }],
  factor: 1.93,
  isComplete: true,
};

describeEachDatabase('alerts before a release', (kind) => {
  const { server, sql, someone, process, round, mails, market, prediction, resolve } = alertWorld(kind);

  /** The market's own time, by minutes before the release. */
  const setMinutesBefore = (minutes: number): void => {
    market.behindMs = server().clock.nowMs() - (RELEASED_MS - minutes * MINUTE_MS);
  };
  beforeEach(() => {
    market.releases = [CPI];
    setMinutesBefore(5);
  });
  type User = Awaited<ReturnType<typeof someone>>;
  const factsOf = async (user: User) => (await user.list()).alerts.map(({ facts }) => facts);

  test('alerts the owner of a running forecast once, five minutes before a release, across processes', async () => {
    const [user, other, without] = [await someone(), await someone(), await someone()];
    const joinS = joinedBefore(28);
    const predictionId = await prediction(user, joinS, { releases: AWARE });
    await prediction(without, joinS, { releases: AWARE });
    await Promise.all([user.rule({ ...RULE, byMail: true }), other.rule(RULE)]);
    setMinutesBefore(5.5);
    expect(await round()).toBe(0);

    setMinutesBefore(4.9);
    const counts = await Promise.all([process()(), process()(), process()()]);
    setMinutesBefore(2);
    expect(await round()).toBe(0);

    expect(counts.toSorted()).toEqual([0, 0, 1]);
    const facts: AlertFacts = {
      kind: 'release-due',
      sym: SYM,
      marketKind: 'live',
      predictionId,
      model: 'lion',
      joinS,
      release: 'US CPI',
      releasedS: RELEASED_S,
      factor: 1.93,
      known: 1,
      others: 0,
      unaware: 0,
    };
    expect(await factsOf(user)).toEqual([facts]);
    expect(await mails(user)).toMatchObject([
      {
        subject: 'BTC: US CPI at 13:30 UTC',
        text: expect.stringContaining('whose band is 1.9 times wider for it by the last bar.'),
      },
    ]);
    expect([await factsOf(other), await factsOf(without)]).toEqual([[], []]);
  });

  test.each([0, -0.1, -20])('sends nothing %d minutes before it: a late alert is worth nothing', async (minutes) => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await user.rule(RULE);
    setMinutesBefore(minutes);

    expect(await round()).toBe(0);
  });

  test('says of a forecast that it didn’t know: made before the release was learnt or moved, or without a calendar', async () => {
    const moved = { ...AWARE, list: AWARE.list.map((one) => ({ ...one, atS: RELEASED_S - 600 })) };
    const another = { ...AWARE, list: AWARE.list.map((one) => ({ ...one, kind: 'ism' })) };
    const unreadable = { list: 'US CPI', factor: 'two' };
    for (const releases of [null, { list: [], factor: 1, isComplete: false }, moved, another, unreadable]) {
      const user = await someone();
      await prediction(user, joinedBefore(28), { releases });
      await user.rule(RULE);

      expect(await round()).toBe(1);
      expect(await factsOf(user)).toMatchObject([{ factor: null, others: 0, unaware: 0 }]);
    }
  });

  test('sends one alert for each market, which names its newest forecast and counts the others', async () => {
    const user = await someone();
    await user.rule(RULE);
    const ether = SYMBOLS.find(({ label }) => label === 'ETH')?.sym ?? '';
    await prediction(user, joinedBefore(40), { releases: null });
    // Made 10 minutes before the release, though its last real candle opened earlier than that of the next.
    const newest = await prediction(user, joinedBefore(10, 900), { timeframe: '15min', releases: AWARE });
    await prediction(user, joinedBefore(20), { releases: AWARE, model: 'kat1' });
    await prediction(user, joinedBefore(15), { sym: ether, releases: null });

    expect(await round()).toBe(2);

    const alerts = await factsOf(user);
    expect(alerts.find(({ sym }) => sym === SYM)).toMatchObject({
      predictionId: newest,
      timeframe: '15min',
      factor: 1.93,
      others: 2,
      unaware: 1,
    });
    expect(alerts.find(({ sym }) => sym === ether)).toMatchObject({ factor: null, others: 0, unaware: 0 });
    // A forecast that is saved later is one more of the same market.
    await prediction(user, joinedBefore(4), { releases: AWARE });
    setMinutesBefore(3);
    expect(await round()).toBe(0);
  });

  test('sends nothing for the old moment of a release that was moved or cancelled, and one for the new moment', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(10), { releases: AWARE });
    await user.rule(RULE);
    market.releases = [{ ...CPI, timeS: RELEASED_S + 20 * MINUTE_S }];
    expect(await round()).toBe(0);

    setMinutesBefore(-15);
    expect(await round()).toBe(1);
    expect(await factsOf(user)).toMatchObject([{ releasedS: RELEASED_S + 20 * MINUTE_S, factor: null }]);
  });

  test.each<[string, SavedForecast & { joinS: number }]>([
    ['whose fifty candles end with the release', { joinS: joinedBefore(50) }],
    ['whose fifty longer candles end with it', { joinS: joinedBefore(250, 300), timeframe: '5min' }],
    ['made after it', { joinS: joinedBefore(-1) }],
    ['of another kind of market', { joinS: joinedBefore(28), marketKind: 'simulated' }],
    ['that was saved without its band', { joinS: joinedBefore(28), hasBand: false }],
    ['of a market that is no longer offered', { joinS: joinedBefore(28), sym: 'GONE' }],
  ])('sends nothing about a forecast %s', async (_what, { joinS, ...saved }) => {
    const user = await someone();
    await prediction(user, joinS, { releases: AWARE, ...saved });
    await user.rule(RULE);

    expect(await round()).toBe(0);
  });

  test('sends nothing where prices are replayed, because a replay has no calendar', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { marketKind: 'replayed' });
    await user.rule(RULE);

    expect(await process({ kindOf: () => 'replayed' })()).toBe(0);
  });

  test('sends nothing about a forecast whose outcome is known or void already', async () => {
    const user = await someone();
    await resolve([await prediction(user, joinedBefore(28), { releases: AWARE })]);
    await user.rule(RULE);

    expect(await round()).toBe(0);
  });

  test('counts the last candle of a forecast, and the moment at which it was made', async () => {
    for (const minutes of [49, 0]) {
      const user = await someone();
      await prediction(user, joinedBefore(minutes), { releases: AWARE });
      await user.rule(RULE);

      expect(await round()).toBe(1);
    }
  });

  test('leaves out releases that widen no band, and shares for those that widen coins only', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await prediction(user, joinedBefore(28), { sym: 'MSFT', releases: AWARE });
    await user.rule(RULE);
    market.releases = [{ ...CPI, kind: 'speech', title: 'Fed Chair Powell Speaks' }];
    expect(await round()).toBe(0);

    market.releases = [{ ...CPI, kind: 'ism', title: 'ISM Services PMI' }];
    expect(await round()).toBe(1);
    expect(await factsOf(user)).toMatchObject([{ sym: SYM, release: 'US ISM' }]);
  });

  test('chooses the channels by its own rule, and ends with it', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await user.rule({ kind: 'band-broken', predictionId: null, byMail: true });
    expect(await round()).toBe(0);

    const rule = await user.rule(RULE);
    expect((await user.rule({ ...RULE, byPush: true })).id).toBe(rule.id);
    await user.rule(RULE);
    expect(await round()).toBe(1);
    expect(await mails(user)).toEqual([]);

    await sql('delete from public.alerts');
    await user.invoke('remove-alert-rule', { id: rule.id });
    expect(await round()).toBe(0);
  });

  test('lets a notification expire at the release', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await sql(
      `insert into public.push_subscriptions (user_id, device, endpoint, endpoint_hash, p256dh, auth)
       values ($1::text::uuid, 'a device', 'https://push.example.com/x', repeat('a', 64), repeat('a', 87), repeat('a', 22))`,
      [user.id],
    );
    await sql('update public.profiles set push_notifications = true where id = $1::text::uuid', [user.id]);
    await user.rule({ ...RULE, byPush: true });
    setMinutesBefore(2);

    expect(await round()).toBe(1);

    const [row] = await sql(
      `select extract(epoch from expires_at - created_at)::float8 as "livesS" from private.outgoing_pushes`,
    );
    expect(row?.livesS).toBeGreaterThan(115);
    expect(row?.livesS).toBeLessThanOrEqual(121);
  });

  test('asks the database once a minute and release, and not at all while none is near', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await user.rule(RULE);
    let count = 0;
    const { database } = server();
    const counted: typeof database = Object.create(database, {
      query: {
        value: (...args: Parameters<typeof database.query>) => {
          if (args[1].includes('release-due')) count += 1;
          return database.query(...args);
        },
      },
    });
    const run = process({ database: counted });
    setMinutesBefore(30);
    await run();
    expect(count).toBe(0);

    setMinutesBefore(4.9);
    for (const minutes of [4.9, 4.6, 4.4, 4.1]) {
      setMinutesBefore(minutes);
      await run();
    }
    expect(count).toBe(1);
    setMinutesBefore(3.9);
    await run();
    expect(count).toBe(2);
  });

  test('tries a market again that could not be looked up, and sends the others meanwhile', async () => {
    const user = await someone();
    await prediction(user, joinedBefore(28), { releases: AWARE });
    await prediction(user, joinedBefore(28), { sym: 'PEPEUSDT.P', releases: AWARE });
    await user.rule(RULE);
    const btc = SYMBOLS.find(({ sym }) => sym === SYM) ?? SYMBOLS[0];
    let isAway = true;
    const run = process({
      symbols: {
        savedSymbol: async (sym) => {
          if (sym !== SYM && isAway) throw new Error('the venue is away');
          return btc;
        },
      },
    });

    expect(await run()).toBe(1);
    isAway = false;
    expect(await run()).toBe(1);
    expect((await factsOf(user)).map(({ sym }) => sym).toSorted()).toEqual([SYM, 'PEPEUSDT.P']);
  });

  test('refuses a rule about one prediction or one market', async () => {
    const user = await someone();
    const id = await prediction(user, joinedBefore(28));
    for (const extra of [{ predictionId: id }, { predictionId: null }, { sym: SYM }, { byMail: 'yes' }])
      expect((await user.invoke('save-alert-rule', { ...RULE, ...CHANNELS, ...extra })).status).toBe(400);

    expect((await user.list()).rules).toEqual([]);
  });
});
