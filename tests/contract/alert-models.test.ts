/** Models that disagree: told by the record, once an hour and symbol. */
import { expect, test } from 'vitest';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, SYM } from './support/services/alerts.ts';

describeOneDatabase('alerts about models', (kind) => {
  const { server, nowS, someone, round } = alertWorld(kind);

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
      ...{ sym: SYM, marketKind: 'live', slotS: hourS + 300, costBp: expect.closeTo(10.2) },
    });
    expect((await user.list()).alerts).toHaveLength(1);
    expect((await late.list()).alerts[0]?.facts).toMatchObject({ slotS: hourS + 600 });
    expect((await elsewhere.list()).alerts).toEqual([]);
  });
});
