/** Alerts at the opening of a closed market: sent once, by whichever process sees it open, and their rule ends. */
import { beforeEach, expect, test } from 'vitest';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { alertWorld } from './support/services/alerts.ts';

const FRIDAY_NIGHT_MS = Date.parse('2026-11-20T22:00:00Z');
const MONDAY_OPENING_MS = Date.parse('2026-11-23T14:30:00Z');
const THANKSGIVING_EVE_MS = Date.parse('2026-11-25T22:00:00Z');
const RULE = { kind: 'market-opens', sym: 'MSFT' } as const;

describeEachDatabase('alerts at an opening', (kind) => {
  const { server, sql, someone, process, round, mails, market } = alertWorld(kind);

  /** The market's own time. */
  const setMarketTime = (atMs: number): void => {
    market.behindMs = server().clock.nowMs() - atMs;
  };
  beforeEach(() => setMarketTime(FRIDAY_NIGHT_MS));

  test('sends one alert at the opening, with its email, and removes the rule', async () => {
    const user = await someone();
    await user.rule({ ...RULE, byMail: true });
    setMarketTime(MONDAY_OPENING_MS - 1000);
    expect(await round()).toBe(0);
    expect((await user.list()).rules).toHaveLength(1);

    setMarketTime(MONDAY_OPENING_MS + 1000);
    expect([await round(), await round()]).toEqual([1, 0]);

    const { rules, alerts } = await user.list();
    expect(rules).toEqual([]);
    expect(alerts.map(({ facts }) => facts)).toEqual([
      { kind: 'market-opens', sym: 'MSFT', marketKind: 'live', openedS: MONDAY_OPENING_MS / 1000 },
    ]);
    expect((await mails(user)).map(({ subject }) => subject)).toEqual([expect.stringContaining('MSFT is open')]);
  });

  test('sends one alert however many processes see the market open', async () => {
    const user = await someone();
    await user.rule(RULE);
    setMarketTime(MONDAY_OPENING_MS);

    const counts = await Promise.all([process()(), process()(), process()()]);

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await user.list()).alerts).toHaveLength(1);
  });

  test('keeps one rule for two clicks, and sends nothing once it is removed', async () => {
    const user = await someone();
    const [first, second] = await Promise.all([user.rule(RULE), user.rule(RULE)]);
    expect(first.id).toBe(second.id);
    await user.invoke('remove-alert-rule', { id: first.id });
    setMarketTime(MONDAY_OPENING_MS);

    expect(await round()).toBe(0);
  });

  test('waits through a holiday', async () => {
    setMarketTime(THANKSGIVING_EVE_MS);
    const user = await someone();
    await user.rule(RULE);

    setMarketTime(Date.parse('2026-11-26T15:00:00Z'));
    expect(await round()).toBe(0);
    setMarketTime(Date.parse('2026-11-27T14:30:00Z'));
    expect(await round()).toBe(1);
  });

  test('sends it while the market is still open to a server that was down at the opening', async () => {
    const user = await someone();
    await user.rule(RULE);
    setMarketTime(MONDAY_OPENING_MS + 2 * 3_600_000);

    expect(await round()).toBe(1);
    expect((await user.list()).alerts[0]?.facts).toMatchObject({ openedS: MONDAY_OPENING_MS / 1000 });
  });

  test('refuses an open market, and one that never closes', async () => {
    const user = await someone();
    const channels = { byMail: false, byPush: false };
    setMarketTime(MONDAY_OPENING_MS);
    expect(await user.invoke('save-alert-rule', { ...RULE, ...channels })).toMatchObject({
      ok: false,
      reason: 'alerts/market-open',
    });

    const bitcoin = await user.invoke('save-alert-rule', { ...RULE, ...channels, sym: 'BTCUSDT.P' });

    expect(bitcoin).not.toMatchObject({ ok: true });
    expect((await user.list()).rules).toEqual([]);
  });

  test('counts towards the fifty rules of a user', async () => {
    const user = await someone();
    await sql(
      `insert into public.alert_rules (user_id, kind, sym, chance, by_mail, by_push)
       select $1::text::uuid, 'chance-reached', 'BTCUSDT.P', jsonb_build_object('percent', n), false, false
         from generate_series(1, 50) n`,
      [user.id],
    );

    const refused = await user.invoke('save-alert-rule', { ...RULE, byMail: false, byPush: false });

    expect(refused).toMatchObject({ ok: false, reason: 'alerts/too-many-rules' });
  });

  test('removes a rule that no opening has ended in a month', async () => {
    const user = await someone();
    await user.rule(RULE);
    await user.backdate(31 * 24 * 60);

    await round();

    expect((await user.list()).rules).toEqual([]);
  });
});
