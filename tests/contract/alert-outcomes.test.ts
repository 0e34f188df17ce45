/** Outcomes of saved predictions raise an alert once, from any live process, and also after downtime. */
import { expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, MINUTE_MS } from './support/services/alerts.ts';

describeOneDatabase('outcome alerts', (kind) => {
  const { server, minuteAgo, someone, mails, prediction, resolve, process, round } = alertWorld(kind);

  test('alerts each outcome once although a process dies midway, and skips outcomes from before the rule', async () => {
    const user = await someone();
    const ids = [await prediction(user, minuteAgo(60)), await prediction(user, minuteAgo(59))];
    const before = await prediction(user, minuteAgo(70));
    // This rule is older than the next one, which must not inherit its start.
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
    await expect(process({ database: dying })()).rejects.toThrow('died');
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

  test('deletes a one-prediction rule after its outcome alert, but not the general rule', async () => {
    const user = await someone();
    const [over, running] = [await prediction(user, minuteAgo(60)), await prediction(user, minuteAgo(5))];
    for (const predictionId of [over, running, null]) await user.rule({ kind: 'prediction-resolved', predictionId });
    const about = async () => new Set((await user.list()).rules.map(({ predictionId }) => predictionId));
    server().advance(MINUTE_MS);
    await resolve([over]);
    await round();
    expect(await about()).toEqual(new Set([over, running, null]));

    // Waits longer than an outcome may be written late.
    server().advance(5 * MINUTE_MS);
    await round();
    await round();

    expect(await about()).toEqual(new Set([running, null]));
    expect((await user.list()).alerts).toHaveLength(1);
  });

  test('sends missed alerts after a day of downtime but not after eight, and deletes old alerts', async () => {
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
});
