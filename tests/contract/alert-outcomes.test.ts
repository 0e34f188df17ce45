/** Outcomes of saved predictions: told once, by whichever process lives, and also later. */
import { expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, MINUTE_MS } from './support/services/alerts.ts';

describeOneDatabase('alerts about outcomes', (kind) => {
  const { server, minuteAgo, someone, mails, prediction, resolve, process, round } = alertWorld(kind);

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
});
