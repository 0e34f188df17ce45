/** Anybody may report an error; nobody may fill the table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabaseKinds } from '../support/database.ts';
import { type BackendTestServer, backendTestServer } from './support-backend.ts';

describe.each(testDatabaseKinds())('visitors’ error reports on %s', (kind) => {
  let server: BackendTestServer;
  beforeAll(async () => {
    server = await backendTestServer(kind, { limits: { visitorWritesPerAddress: { points: 3, perS: 60 } } });
  });
  afterAll(() => server.close());

  test('are taken a few times a minute, then refused with 429 and the seconds to wait; reading goes on', async () => {
    const report = () => server.visitor().from('error_logs').insert({ error_message: 'it broke', context: {} });

    const taken = [await report(), await report(), await report()];
    const refused = await server.request('/rest/v1/error_logs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error_message: 'once more' }),
    });
    const read = await server.visitor().from('billing_prices').select('plan');

    expect(taken.map((answer) => answer.error)).toEqual([null, null, null]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(read.data).toHaveLength(2);
  });

  test('of signed-in users are not counted with the visitors’', async () => {
    const { client, id } = await server.user();

    const answers = [];
    for (let i = 0; i < 5; i += 1)
      answers.push(await client.from('error_logs').insert({ error_message: 'x', user_id: id }));

    expect(answers.every((answer) => answer.error === null)).toBe(true);
  });
});
