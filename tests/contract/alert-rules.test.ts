/** Alert rules: who owns them, how many are allowed, and what is sent after one is removed. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MOST_ALERT_RULES } from '#domain/alerts/alert-rule.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld } from './support/services/alerts.ts';

describeOneDatabase('alert rules', (kind) => {
  const { sql, minuteAgo, someone, market, trade, prediction, process, openJob } = alertWorld(kind);

  test('allows one rule per subject, fifty per user, and none on another user’s prediction', async () => {
    const [user, other] = [await someone(), await someone()];
    const [own, foreign] = [await prediction(user, minuteAgo(5)), await prediction(other, minuteAgo(5))];
    const first = await user.rule({ kind: 'band-broken', predictionId: own });
    const changed = await user.rule({ kind: 'band-broken', predictionId: own, byMail: true });
    const general = await user.rule({ kind: 'band-broken', predictionId: null });

    expect(changed).toEqual({ ...first, byMail: true });
    expect((await user.list()).rules).toEqual([changed, general]);
    for (const predictionId of [foreign, randomUUID()])
      expect(
        await user.invoke('save-alert-rule', {
          kind: 'prediction-resolved',
          predictionId,
          byMail: false,
          byPush: false,
        }),
      ).toMatchObject({ ok: false, reason: 'alerts/no-such-prediction' });
    expect(await other.invoke('remove-alert-rule', { id: first.id })).toMatchObject({ reason: 'alerts/no-such-rule' });
    expect((await other.list()).rules).toEqual([]);
    expect((await user.invoke('save-alert-rule', { kind: 'models-disagree', sym: 'NONE' })).status).toBe(400);

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
      user.invoke('save-alert-rule', { kind: 'prediction-resolved', predictionId, byMail: false, byPush: false });
    for (const id of ids.slice(0, 43)) await save(id);
    const answers = await Promise.all(ids.slice(43, 53).map(save));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(MOST_ALERT_RULES - 45);
    expect(answers.find(({ ok }) => ok === false)).toMatchObject({ reason: 'alerts/too-many-rules' });
    expect((await user.list()).rules).toHaveLength(MOST_ALERT_RULES);
    expect(await save(ids[0])).toMatchObject({ ok: true });
    expect(await user.invoke('remove-alert-rule', { id: first.id })).toMatchObject({ ok: true });
    expect(await user.invoke('remove-alert-rule', { id: first.id })).toMatchObject({ reason: 'alerts/no-such-rule' });
  });

  test('sends nothing once the rule or account is deleted; the job finds due alerts automatically', async () => {
    const [user, deleted] = [await someone(), await someone()];
    const joinS = minuteAgo(10);
    const id = await prediction(user, joinS);
    await prediction(deleted, joinS);
    const rule = await user.rule({ kind: 'band-broken', predictionId: id });
    await deleted.rule({ kind: 'band-broken', predictionId: null });
    await Promise.all([user.backdate(30), deleted.backdate(30)]);
    trade(joinS, [120]);
    // Deletes both between the read and the write.
    const siteUrl = () => 'https://kat.test';
    const removing = process({
      siteUrl,
      past: {
        recent: async () => {
          await user.invoke('remove-alert-rule', { id: rule.id });
          await sql('delete from auth.users where id = $1::text::uuid', [deleted.id]);
          return market.series;
        },
        stored: async () => [],
      },
    });
    expect(await removing()).toBe(0);

    await user.rule({ kind: 'band-broken', predictionId: null });
    await user.backdate(30);
    await sql('delete from private.jobs');
    openJob();
    openJob();
    await expect.poll(async () => (await user.list()).unread, { interval: 20 }).toBe(1);
  });
});
