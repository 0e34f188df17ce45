/** Alerts on a chance: when it becomes likelier than a share, once an hour, by plan, and never from a market without chances. */
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { alertWorld, SYM } from './support/services/alerts.ts';

const CHANCE = { model: 'bobcat', event: 'touch', price: 62_000, bar: 15, percent: 30 } as const;
const RULE = { kind: 'chance-reached', sym: SYM, chance: CHANCE } as const;

describeOneDatabase('alerts on chances', (kind) => {
  const { server, someone, process, mails, chances } = alertWorld(kind);

  beforeEach(() => {
    Object.assign(chances, { chance: 0.2, trouble: null, isInPlan: true, moments: 0, answers: 0, plansTogether: 0 });
  });

  test('alerts when a chance rises above the share, and again only after it fell and an hour passed', async () => {
    const user = await someone();
    const rule = await user.rule({ ...RULE, byMail: true });
    expect(rule.chance).toEqual(CHANCE);
    const round = process();
    expect(await round()).toBe(0);

    chances.chance = 0.34;
    expect([await round(), await round()]).toEqual([1, 0]);
    const [alert] = (await user.list()).alerts;
    expect(alert?.facts).toEqual({
      kind: 'chance-reached',
      sym: SYM,
      marketKind: 'live',
      ...CHANCE,
      chance: 0.34,
      baseline: 0.25,
      livePrice: 61_000,
    });
    expect((await mails(user)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('34% chance to touch 62,000'),
    ]);

    chances.chance = 0.2;
    await round();
    chances.chance = 0.4;
    expect(await round()).toBe(0);
    chances.chance = 0.2;
    await round();
    server().advance(3_600_000);
    chances.chance = 0.4;
    expect(await round()).toBe(1);
  });

  test('sends one alert in an hour however many processes find it', async () => {
    const user = await someone();
    await user.rule(RULE);
    chances.chance = 0.5;

    const counts = await Promise.all([process()(), process()(), process()()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await user.list()).alerts).toHaveLength(1);
  });

  test('computes a market once and a question once and requests all plans together, however many rules there are', async () => {
    const users = [await someone(), await someone(), await someone()];
    for (const user of users) {
      await user.rule(RULE);
      await user.rule({ ...RULE, chance: { ...CHANCE, percent: 60 } });
      await user.rule({ ...RULE, chance: { ...CHANCE, event: 'above' } });
    }
    chances.chance = 0.5;

    // One alert for each user: all rules are about the same price.
    expect(await process()()).toBe(3);
    expect([chances.moments, chances.answers, chances.plansTogether]).toEqual([1, 2, 6]);
    for (const user of users) expect((await user.list()).alerts).toHaveLength(1);
  });

  test('raises one alert an hour for a price, although its rule is deleted and saved again', async () => {
    const user = await someone();
    const rule = await user.rule(RULE);
    chances.chance = 0.9;
    expect(await process()()).toBe(1);

    await user.invoke('remove-alert-rule', { id: rule.id });
    await user.rule({ ...RULE, chance: { ...CHANCE, event: 'above', bar: 12 } });

    expect(await process()()).toBe(0);
  });

  test('raises at most twenty alerts an hour for an account, whatever its rules', async () => {
    const user = await someone();
    for (let n = 0; n < 30; n += 1) await user.rule({ ...RULE, chance: { ...CHANCE, price: CHANCE.price + n } });
    chances.chance = 0.9;

    expect(await process()()).toBe(20);
    expect(await process()()).toBe(0);
  });

  test('raises the rest of the twenty after a restart, which finds the alerts of before again', async () => {
    const user = await someone();
    const prices = (from: number) => Array.from({ length: 10 }, (_, n) => CHANCE.price + from + n);
    for (const price of prices(0)) await user.rule({ ...RULE, chance: { ...CHANCE, price } });
    chances.chance = 0.9;
    expect(await process()()).toBe(10);
    for (const price of prices(10)) await user.rule({ ...RULE, chance: { ...CHANCE, price } });

    expect(await process()()).toBe(10);
  });

  test('tells a user without predictions left only the chances of the forecast already received', async () => {
    const user = await someone();
    await user.rule({ ...RULE, chance: { ...CHANCE, model: 'lion' } });
    Object.assign(chances, { chance: 0.9, grant: { kind: 'held', t0: 60, code: 'quota/daily-spent' }, t0: 120 });
    expect(await process()()).toBe(0);

    chances.t0 = 60;
    expect(await process()()).toBe(1);
  });

  test('refuses a rule outside the plan, and sends nothing once the plan has ended', async () => {
    const user = await someone();
    const lion = { ...RULE, chance: { ...CHANCE, model: 'lion' }, byMail: false, byPush: false };
    chances.isInPlan = false;
    expect(await user.invoke('save-alert-rule', lion)).toMatchObject({ ok: false, reason: 'forecast/model-locked' });
    expect((await user.list()).rules).toEqual([]);

    chances.isInPlan = true;
    await user.rule(lion);
    Object.assign(chances, { isInPlan: false, chance: 0.9 });
    expect(await process()()).toBe(0);
  });

  test('raises nothing while the market is halted, closed or stale, and does not repeat itself afterwards', async () => {
    const user = await someone();
    await user.rule(RULE);
    const round = process();
    chances.chance = 0.9;
    for (const trouble of ['market-halted', 'price-stale', 'price-too-far', new AppError('market/closed')] as const) {
      chances.trouble = trouble;
      expect(await round()).toBe(0);
    }
    chances.trouble = null;
    expect(await round()).toBe(1);
    chances.trouble = 'market-halted';
    await round();
    server().advance(3_600_000);
    chances.trouble = null;
    expect(await round()).toBe(0);
  });

  test('keeps rules apart by user, replaces a rule about the same chance, and refuses nonsense', async () => {
    const [user, other] = [await someone(), await someone()];
    const first = await user.rule(RULE);
    const changed = await user.rule({ ...RULE, byMail: true });
    const second = await user.rule({ ...RULE, chance: { ...CHANCE, percent: 40 } });
    expect([changed, second.id === first.id]).toEqual([{ ...first, byMail: true }, false]);
    expect(await other.invoke('remove-alert-rule', { id: first.id })).toMatchObject({ reason: 'alerts/no-such-rule' });
    expect((await other.list()).rules).toEqual([]);

    const ways = { byMail: false, byPush: false };
    for (const wrong of [
      { price: 0 },
      { price: -1 },
      { bar: 51 },
      { percent: 0 },
      { percent: 100 },
      { event: 'odd' },
    ]) {
      const body = { ...RULE, chance: { ...CHANCE, ...wrong }, ...ways };
      expect((await user.invoke('save-alert-rule', body)).status).toBe(400);
    }
    expect((await user.list()).rules).toHaveLength(2);
  });

  test('does not confuse a rule about a chance with one about models that disagree', async () => {
    const user = await someone();
    await user.rule({ kind: 'models-disagree', sym: SYM });
    await user.rule(RULE);
    chances.chance = 0.5;

    expect(await process()()).toBe(1);
    expect((await user.list()).alerts.map(({ facts }) => facts.kind)).toEqual(['chance-reached']);
  });
});
