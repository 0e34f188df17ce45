/** Closed paper trades through the client library: only their owner's, computed by the database, each once. */
import { expect, test } from 'vitest';
import { MOST_TRADES, MOST_TRADES_A_CALL } from '#domain/paper-trading/paper-trade.ts';
import { AUTO_CLOSE_MS } from '#domain/paper-trading/trade-rules.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';

// Runs on both kinds: functions, checks and locks are SQL.
describeEachDatabase('paper trades', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  /** @param n  later trades have higher numbers */
  function aTrade(n: number, change: Record<string, unknown> = {}) {
    const openedAt = server().clock.nowMs() - 3_600_000 + n * 1000;
    return {
      id: n.toString(16).padStart(32, '0'),
      market_kind: 'simulated',
      sym: 'BTCUSDT.P',
      side: 'short',
      entry_price: 100.5,
      exit_price: 99.25,
      pnl: 1.25,
      opened_at: new Date(openedAt).toISOString(),
      closed_at: new Date(openedAt + AUTO_CLOSE_MS).toISOString(),
      ...change,
    };
  }
  type Client = Awaited<ReturnType<ReturnType<typeof server>['user']>>['client'];
  const add = (client: Client, ...trades: unknown[]) => client.rpc('add_paper_trades', { p_trades: trades });
  const listed = async (client: Client) =>
    (await client.from('paper_trades').select('*').order('closed_at')).data ?? [];

  test('are stored once however often they are sent, with result and duration, for their owner only', async () => {
    const { client } = await server().user();
    const { client: other } = await server().user();

    for (const trades of [[aTrade(1)], [aTrade(1), aTrade(2)]]) expect((await add(client, ...trades)).status).toBe(204);

    const rows = await listed(client);
    expect(rows.map(({ id }) => Number.parseInt(id, 16))).toEqual([1, 2]);
    expect(rows[0]).toMatchObject({ side: 'short', size: 1, pnl: 1.25, duration_s: 60, exit_price: 99.25 });
    expect(Date.parse(rows[0].closed_at) - Date.parse(rows[0].opened_at)).toBe(AUTO_CLOSE_MS);
    expect(await listed(other)).toEqual([]);
    expect((await add(other, aTrade(1, { side: 'long', pnl: -1.25 }))).status).toBe(204);
    expect((await listed(client))[0]).toEqual(rows[0]);
    expect((await server().visitor().from('paper_trades').select('*')).error?.code).toBe('42501');
  });

  test('are refused if another user has signed in since they closed', async () => {
    const { client } = await server().user();
    const { client: other } = await server().user();
    const { data } = await client.auth.getUser();
    const call = { p_trades: [aTrade(1)], p_user: data.user?.id };

    expect((await other.rpc('add_paper_trades', call)).error?.code).toBe('42501');
    expect((await client.rpc('add_paper_trades', call)).status).toBe(204);
    expect([await listed(client), await listed(other)]).toMatchObject([[{}], []]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a result that its prices do not give', { pnl: 5 }],
    ['no result for two prices', { pnl: null }],
    ['a size of 2', { size: 2, pnl: 2.5 }],
    ['a price that is no number', { entry_price: 'high' }],
    ['a price of 0', { entry_price: 0, pnl: -99.25 }],
    ['no time', { closed_at: 'now or never' }],
    ['more than its minute', { closed_at: '2126-01-01T00:00:00Z' }],
    ['an unknown side', { side: 'both' }],
    ['an id that is a sentence', { id: "'; drop table paper_trades; --" }],
  ])('are refused with %s, and the call’s other trades with them', async (_what, change) => {
    const { client } = await server().user();

    const { status } = await add(client, aTrade(1), aTrade(2, change));

    expect(status).toBe(400);
    expect(await listed(client)).toEqual([]);
  });

  test('are refused from visitors, in calls of more than a hundred, and written in no other way', async () => {
    const { client } = await server().user();
    const many = Array.from({ length: MOST_TRADES_A_CALL + 1 }, (_, n) => aTrade(n));

    expect(
      (
        await server()
          .visitor()
          .rpc('add_paper_trades', { p_trades: [aTrade(1)] })
      ).status,
    ).toBe(401);
    expect((await add(client, ...many)).status).toBe(400);
    const { pnl: _, ...row } = aTrade(1);
    const { data } = await client.auth.getUser();
    expect((await client.from('paper_trades').insert({ ...row, user_id: data.user?.id })).error?.code).toBe('42501');
    await add(client, aTrade(1));
    expect((await client.from('paper_trades').update({ entry_price: 1 }).eq('side', 'short')).error?.code).toBe(
      '42501',
    );
    expect((await client.from('paper_trades').delete().eq('side', 'short')).error?.code).toBe('42501');
    expect(await listed(client)).toHaveLength(1);
  });

  test('are the newest 500 of an account', async () => {
    const { client } = await server().user();
    const all = Array.from({ length: MOST_TRADES + MOST_TRADES_A_CALL }, (_, n) => aTrade(n));
    for (let i = 0; i < all.length; i += MOST_TRADES_A_CALL)
      expect((await add(client, ...all.slice(i, i + MOST_TRADES_A_CALL))).status).toBe(204);

    const { data } = await client.from('paper_trades').select('id').order('closed_at', { ascending: false });

    expect(data?.map(({ id }) => Number.parseInt(id, 16))).toEqual(
      Array.from({ length: MOST_TRADES }, (_, i) => all.length - 1 - i),
    );
  });
});
