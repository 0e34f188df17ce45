/** Alerts by email: how many are sent an hour, and which users get none. */
import { expect, test } from 'vitest';
import { MOST_MAILS_AN_HOUR } from '../../server/alerts/mails/alert-mail.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, MINUTE_MS } from './support/services/alerts.ts';

describeOneDatabase('alert emails', (kind) => {
  const { server, sql, minuteAgo, someone, mails, prediction, resolve, round } = alertWorld(kind);

  test('sends at most six emails an hour, and none to unconfirmed, opted-out or banned users', async () => {
    const [user, unconfirmed, unwilling, banned] = [await someone(), await someone(), await someone(), await someone()];
    const everyone = [user, unconfirmed, unwilling, banned];
    for (const one of everyone) await one.rule({ kind: 'prediction-resolved', predictionId: null, byMail: true });
    await sql('update auth.users set email_confirmed_at = null where id = $1::text::uuid', [unconfirmed.id]);
    await sql('update public.profiles set email_notifications = false where id = $1::text::uuid', [unwilling.id]);
    await sql(`update auth.users set banned_until = 'infinity' where id = $1::text::uuid`, [banned.id]);
    const ids = await Promise.all([
      ...Array.from({ length: MOST_MAILS_AN_HOUR + 2 }, (_, i) => prediction(user, minuteAgo(60 + i))),
      ...[unconfirmed, unwilling, banned].map((one) => prediction(one, minuteAgo(60))),
    ]);
    server().advance(1000);
    await resolve(ids);

    expect(await round()).toBe(ids.length);
    const sent = await mails(user);
    expect(sent).toHaveLength(MOST_MAILS_AN_HOUR);
    expect(sent.filter(({ text }) => String(text).includes('the last of 6 alert emails'))).toHaveLength(1);
    expect((await user.list()).alerts).toHaveLength(MOST_MAILS_AN_HOUR + 2);
    expect(await Promise.all([unconfirmed, unwilling, banned].map(mails))).toEqual([[], [], []]);

    server().advance(61 * MINUTE_MS);
    await resolve([await prediction(user, minuteAgo(60))]);
    await round();
    expect(await mails(user)).toHaveLength(MOST_MAILS_AN_HOUR + 1);
  });
});
