/**
 * A network that silently loses everything: database calls are refused immediately until the database is responding again.
 */
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { createTestPostgres, POSTGRES_SKIPPED, testDatabaseKinds, testLimits } from '../support/database/database.ts';
import { runningTime } from '../support/run/running-time.ts';

const hasPostgres = testDatabaseKinds().includes('postgres');
/** Two seconds without an answer, three of the probe, and one more. */
const DETECTED_WITHIN_MS = 6000;

describe.skipIf(!hasPostgres)(`an unresponsive database${hasPostgres ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  let database: Database;
  let proxy: Server;
  let drop: () => Promise<void>;
  let isCut = false;
  const held: (() => void)[] = [];

  /** As in a real network, what was sent in between arrives afterwards. */
  function pass(to: Socket, chunk: Buffer): void {
    if (isCut) held.push(() => to.write(chunk));
    else to.write(chunk);
  }
  function heal(): void {
    isCut = false;
    for (const send of held.splice(0)) send();
  }

  beforeAll(async () => {
    const created = await createTestPostgres();
    drop = created.drop;
    const url = new URL(created.url);
    const target = { host: url.hostname, port: Number(url.port) };
    proxy = createServer((client) => {
      const upstream = dial(target);
      client.on('data', (chunk) => pass(upstream, chunk));
      upstream.on('data', (chunk) => pass(client, chunk));
      client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
      upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (typeof address === 'object' && address) url.port = String(address.port);
    database = await openPostgresDatabase({ ...testLimits({ statementLimitMs: 20_000 }), url: url.href, poolSize: 3 });
  });
  afterAll(async () => {
    heal();
    await database?.close();
    await new Promise((resolve) => proxy?.close(resolve));
    await drop?.();
  });

  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const UNAVAILABLE = { code: 'database/unavailable' };

  test('finishes a slow statement while the server answers others', async () => {
    // Ends between two probes: one that is under way would delay the next test's by up to its three seconds.
    const [row] = await database.query(OWNER, "select 'there' as answer from pg_sleep(7)");
    expect(row).toEqual({ answer: 'there' });
  });

  test('fails all pending work together, refuses more immediately, and notifies a listener of the gap', async () => {
    const received: string[] = [];
    await database.listen('kat_silence_test', (payload) => received.push(payload));
    isCut = true;
    const time = runningTime();
    const inTransaction = database.transaction(OWNER, (tx) => tx.query('select 1'));
    const waiting = [inTransaction, ...[1, 2, 3, 4, 5].map(() => database.query(OWNER, 'select 1'))];

    for (const one of await Promise.all(waiting.map(refusal))) expect(one).toMatchObject(UNAVAILABLE);
    expect(time.ms()).toBeLessThan(DETECTED_WITHIN_MS);

    const nextMs = time.ms();
    expect(await refusal(database.query(OWNER, 'select 1'))).toMatchObject(UNAVAILABLE);
    expect(time.ms() - nextMs).toBeLessThan(200);

    heal();
    await expect.poll(() => refusal(database.query(OWNER, 'select 1'))).toBeNull();
    await expect.poll(() => received).toEqual(['']);
    await database.query(OWNER, "select pg_notify('kat_silence_test', 'on again')");
    await expect.poll(() => received).toEqual(['', 'on again']);
  });
});
