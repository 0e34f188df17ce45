/**
 * Anyone may report an error, and users their activity, but no one may fill the tables. The limits count rows, not
 * requests.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';

const LIMITS = { reportRowsPerAddress: { points: 4, perS: 60 }, reportRowsPerUser: { points: 4, perS: 60 } };
const reports = (count: number) => Array.from({ length: count }, () => ({ error_message: 'it broke' }));

describeBothAtNight('reports', (kind) => {
  let server: BackendTestServer;
  beforeAll(async () => {
    server = await backendTestServer(kind, { limits: LIMITS });
  });
  afterAll(() => server.close());

  const count = async (): Promise<number | null> =>
    (await server.service().from('error_logs').select('*', { count: 'exact', head: true })).count;

  test('are limited to rows per minute and address for visitors, while reading continues', async () => {
    const before = await count();

    const taken = await server.visitor().from('error_logs').insert(reports(3));
    const refused = await server.request('/rest/v1/error_logs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reports(2)),
    });
    const read = await server.visitor().from('billing_prices').select('plan');

    expect(taken.error).toBeNull();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await count()).toBe((before ?? 0) + 3);
    expect(read.data).toHaveLength(2);
  });

  test('share one count of errors and activity of a signed-in user, apart from other users', async () => {
    const { client, id } = await server.user();
    const other = await server.user();
    const activity = { user_id: id, activity_type: 'account_created' };

    const taken = [
      await client.from('error_logs').insert(reports(3)),
      await client.from('user_activity').insert(activity),
    ];
    const refused = [
      await client.from('error_logs').insert(reports(1)),
      await client.from('user_activity').insert({ ...activity, activity_data: { again: true } }),
    ];
    const others = await other.client.from('error_logs').insert(reports(4));

    expect(taken.map((answer) => answer.error)).toEqual([null, null]);
    expect(refused.map((answer) => answer.status)).toEqual([429, 429]);
    expect(others.error).toBeNull();
  });

  test('are refused as a whole with hundreds of rows in one request', async () => {
    const { client } = await server.user();
    const before = await count();

    const { status } = await client.from('error_logs').insert(reports(500));

    expect(status).toBe(429);
    expect(await count()).toBe(before);
  });

  test('are not counted when the service writes them', async () => {
    const { error } = await server.service().from('error_logs').insert(reports(20));

    expect(error).toBeNull();
  });
});
