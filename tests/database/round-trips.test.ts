/** A request costs one round trip to the database, wherever the server is. */
import { createServer, connect as dial, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, SERVICE } from '../../server/platform/database/database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { createTestPostgres, POSTGRES_SKIPPED, testDatabaseKinds, testLimits } from '../support/database/database.ts';

const hasPostgres = testDatabaseKinds().includes('postgres');

describe.skipIf(!hasPostgres)(`round trips to a server${hasPostgres ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  let database: Database;
  let proxy: Server;
  let drop: () => Promise<void>;
  /** How often the client side began to send after the server side. */
  let turns = 0;

  beforeAll(async () => {
    const created = await createTestPostgres();
    drop = created.drop;
    const url = new URL(created.url);
    const target = { host: url.hostname, port: Number(url.port) };
    proxy = createServer((client) => {
      let isPending = false;
      const upstream = dial(target);
      client.on('data', (chunk) => {
        if (!isPending) turns += 1;
        isPending = true;
        upstream.write(chunk);
      });
      upstream.on('data', (chunk) => {
        isPending = false;
        client.write(chunk);
      });
      client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
      upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (typeof address === 'object' && address) url.port = String(address.port);
    database = await openPostgresDatabase({ ...testLimits(), url: url.href, poolSize: 1 });
  });
  afterAll(async () => {
    await database?.close();
    await new Promise((resolve) => proxy?.close(resolve));
    await drop?.();
  });

  test.each([
    ['without values', "select price_id from public.billing_prices where plan = 'lion'", []],
    ['with values, never seen before', 'select price_id from public.billing_prices where plan = $1', ['lion']],
  ])('uses one for a statement %s', async (_which, text, values) => {
    await database.query(SERVICE, 'select 1');
    turns = 0;

    const rows = await database.query(SERVICE, text, values);

    expect(rows).toEqual([{ price_id: 'price_kat_lion_monthly' }]);
    expect(turns).toBe(1);
  });
});
