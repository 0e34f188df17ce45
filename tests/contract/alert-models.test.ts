/** Alerts about models that disagree come from the record, at most once an hour per symbol. */
import { expect, test } from 'vitest';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, SYM } from './support/services/alerts.ts';

describeOneDatabase('model disagreement alerts', (kind) => {
  const { server, nowS, someone, round, mails } = alertWorld(kind);

  test('alerts once an hour per symbol when models disagree, starting with the slot after the rule', async () => {
    const [user, late, elsewhere] = [await someone(), await someone(), await someone()];
    await user.rule({ kind: 'models-disagree', sym: SYM });
    // A rule for another market does not decide where this one's alerts go.
    await user.rule({ kind: 'models-disagree', sym: 'ETHUSDT.P', byMail: true });
    await elsewhere.rule({ kind: 'models-disagree', sym: 'ETHUSDT.P' });
    // The run starts at the next full hour, so that three slots fall within one hour.
    const hourS = (Math.floor(nowS() / 3600) + 1) * 3600;
    const moveClock = (toS: number) => server().advance(toS * 1000 - server().clock.nowMs());
    const drawn = { bobcat: -15, panther: 2, lion: 25 };
    await insertRecords(
      server().database,
      makeRecords({
        slots: 3,
        syms: [SYM],
        firstSlotS: hourS,
        market: 'live',
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
    const counts = await Promise.all([round(), round()]);
    expect(counts.toSorted()).toEqual([0, 1]);
    moveClock(hourS + 665);
    expect(await round()).toBe(1);

    const [alert] = (await user.list()).alerts;
    expect(alert?.facts).toEqual({
      kind: 'models-disagree',
      sym: SYM,
      marketKind: 'live',
      slotS: hourS + 300,
      costBp: expect.closeTo(10.2),
    });
    expect((await user.list()).alerts).toHaveLength(1);
    expect(await mails(user)).toEqual([]);
    expect((await late.list()).alerts[0]?.facts).toMatchObject({ slotS: hourS + 600 });
    expect((await elsewhere.list()).alerts).toEqual([]);
  });
});
