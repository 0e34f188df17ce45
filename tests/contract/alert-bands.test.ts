/** A close outside the band of a saved prediction: who gets an alert, how often, and on which markets none is sent. */
import { expect, test } from 'vitest';
import { type AlertFacts, alertListSchema } from '#domain/alerts/alert.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { PastSeries } from '../../server/market/candles/past-candles.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, candle, MINUTE_MS, SYM } from './support/services/alerts.ts';

describeOneDatabase('band alerts', (kind) => {
  const { server, sql, minuteAgo, someone, mails, market, trade, prediction, process, round } = alertWorld(kind);

  test('alerts only the owner, once, when a close leaves the band, across processes and rounds', async () => {
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
    const counts = await Promise.all([one(), two()]);
    await round();

    expect(counts.toSorted()).toEqual([0, 1]);
    const { alerts, unread } = await user.list();
    const facts: AlertFacts = {
      kind: 'band-broken',
      sym: SYM,
      marketKind: 'live',
      predictionId: id,
      model: 'lion',
      joinS,
      bar: 4,
      close: 105.5,
      lower: 95,
      upper: 105,
    };
    expect({ facts: alerts.map((alert) => alert.facts), unread }).toEqual({ facts: [facts], unread: 1 });
    expect(await mails(user)).toMatchObject([
      {
        subject: 'BTC closed above the 95% band',
        text: expect.stringContaining('https://kat.test/track-record#alerts'),
      },
    ]);
    expect(await sql('select title, path from private.outgoing_pushes')).toEqual([
      { title: 'BTC closed above the 95% band', path: '/account/predictions' },
    ]);
    expect([(await other.list()).alerts, await mails(other)]).toEqual([[], []]);

    const newest = alerts[0]?.id ?? 0;
    expect(await other.invoke('read-alerts', { upTo: newest })).toMatchObject({ ok: true });
    expect((await user.list()).unread).toBe(1);
    expect(await user.invoke('read-alerts', { upTo: newest })).toMatchObject({ ok: true });
    expect((await user.list()).unread).toBe(0);
    expect(alertListSchema.parse(await user.invoke('list-alerts', { after: newest })).alerts).toEqual([]);
  });

  test.each<[string, readonly (number | null)[], Partial<PastSeries>]>([
    ['a minute without a candle', [101, null, 102], {}],
    ['another kind of market', [120], { marketKind: 'simulated' }],
    ['a substitute venue with other prices', [120], { venueId: 'other', candles: [] }],
  ])('raises no alert for %s', async (what, closes, over) => {
    const user = await someone();
    const joinS = minuteAgo(10);
    await prediction(user, joinS);
    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.backdate(30);
    trade(joinS, closes, what.startsWith('a venue') ? { ...over, candles: substituteCandles(joinS) } : over);

    expect(await round()).toBe(0);
    // Once the venue is back, its own close raises the alert.
    trade(joinS, [101, null, 120]);
    expect(await round()).toBe(1);
  });

  test('ignores bars that closed before the rule was created, also on a delayed market', async () => {
    market.behindMs = 3 * 24 * 60 * MINUTE_MS;
    const user = await someone();
    const joinS = minuteAgo(10) - market.behindMs / 1000;
    const id = await prediction(user, joinS);
    trade(joinS, [120, 101]);
    await user.rule({ kind: 'band-broken', predictionId: id });
    trade(joinS, [120, 101, 101, 101, 101, 101, 101, 101, 101]);
    expect(await round()).toBe(0);

    server().advance(3 * MINUTE_MS);
    trade(joinS, [120, 101, 101, 101, 101, 101, 101, 101, 101, 101, 101, 90]);
    expect(await round()).toBe(1);
    expect((await user.list()).alerts[0]?.facts).toMatchObject({ bar: 12, close: 90 });
  });
});

/** Returns other prices for the same minutes. */
function substituteCandles(joinS: number): Candle[] {
  return Array.from({ length: 20 }, (_, i) => candle(joinS + (i - 9) * MINUTE_S, 120));
}
