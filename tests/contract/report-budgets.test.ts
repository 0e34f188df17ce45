/** Error reports, however large and many: what is stored of them, and what is refused. */
import { describe, expect, test } from 'vitest';
import { rateLimits } from '../../server/backend/limits.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { rateCountStore } from '../../server/platform/http/guards/rate-count-store.ts';
import { sharedRateLimiters } from '../../server/platform/http/guards/shared-rate-limit.ts';
import { openTestDatabase, POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer, unlimited } from '../support/servers/whole-server.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

/** As large as a page could make them. */
const LARGE = {
  error_message: 'ada@example.com '.repeat(300),
  error_stack: 'at draw (x.js) password=hunter2 '.repeat(600),
  context: { page: '/kat', body: 'Bearer abc.def '.repeat(1300) },
};
const budget = (points: number) => ({ points, perS: 3600 });

// On one kind by day: the counters are those of tests/database/shared-limits.test.ts, which runs on both.
describeBothAtNight('error reports', (kind) => {
  const opened = openedForTests(() =>
    backendTestServer(kind, {
      limits: { reportKibPerAddressAnHour: budget(400), reportKibPerAccountADay: budget(100) },
      gateway: { clientAddress: (c) => c.req.header('x-test-address') ?? 'somewhere' },
    }),
  );
  const report = (body: unknown, address: string, token?: string) =>
    opened().request('/rest/v1/error_logs', {
      method: 'POST',
      headers: {
        ...JSON_TYPE,
        'x-test-address': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const newest = async () => {
    const [row] = await opened().database.query<Record<string, string>>(
      OWNER,
      `select error_message, error_stack, context::text as context, octet_length(error_message) as message_bytes,
              octet_length(error_stack) as stack_bytes, pg_column_size(context) as context_bytes
         from public.error_logs order by id desc limit 1`,
    );
    return row;
  };

  test('are stored without secrets, truncated to 16 KiB', async () => {
    const { status } = await report(LARGE, 'cut');

    expect(status).toBe(201);
    const row = await newest();
    expect(row?.error_message).toMatch(/^\[email\] \[email\] .*…$/);
    expect(row?.error_stack).toMatch(/^at draw \(x\.js\) password=\[redacted\] .*…$/);
    expect(row?.context).toMatch(/"Bearer \[token\] .*…"/);
    expect(JSON.stringify(row)).not.toMatch(/ada@|hunter2|abc\.def/);
    expect(Number(row?.message_bytes)).toBeLessThanOrEqual(2000);
    expect(Number(row?.stack_bytes)).toBeLessThanOrEqual(4096);
    expect(Number(row?.context_bytes)).toBeLessThanOrEqual(8192);
  });

  test('are truncated whatever the shape of their context', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`);
    const contexts: unknown[] = [
      Array.from({ length: 5000 }, (_, n) => n / 3),
      Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`k${n}`, null])),
      Array.from({ length: 300 }, () => [[[]]]),
      Array.from({ length: 50 }, () => deep),
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`.repeat(300), '\u{1f600}'.repeat(50)])),
      'x'.repeat(20_000),
    ];

    const statuses: number[] = [];
    for (const context of contexts) statuses.push((await report({ error_message: 'x', context }, 'made')).status);

    expect(statuses).toEqual(contexts.map(() => 201));
  });

  test('are truncated but not counted when the service writes them', async () => {
    const { error } = await opened()
      .service()
      .from('error_logs')
      .insert(Array.from({ length: 20 }, () => LARGE));

    expect(error).toBeNull();
    expect(Number((await newest())?.stack_bytes)).toBeLessThanOrEqual(4096);
  });

  test('share one budget per address across visitors and fresh accounts', async () => {
    const users = [await opened().user(), await opened().user(), await opened().user()];
    const tokens = [undefined, ...users.map((user) => user.accessToken)];
    const statuses: number[] = [];
    for (let n = 0; n < 24; n += 1)
      for (const token of tokens) statuses.push((await report(LARGE, 'flood', token)).status);

    const taken = statuses.filter((status) => status === 201).length;
    const beyond = await report({ error_message: 'one more' }, 'flood');
    const elsewhere = await report({ error_message: 'of someone else' }, 'elsewhere');

    // The budget is 400 KiB. A refused report costs nothing, and a small one may still fit.
    expect(taken).toBeGreaterThan(5);
    expect(taken).toBeLessThan(12);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect([beyond.status, elsewhere.status]).toEqual([201, 201]);
  });

  test('share one daily budget per account across addresses, with a time to retry', async () => {
    const { accessToken } = await opened().user();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await report(LARGE, `moving ${n}`, accessToken)).status);

    const refused = await report(LARGE, 'moved', accessToken);

    expect(statuses).toEqual([201, 201, 429, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(await refused.json()).toMatchObject({
      code: 'PGRST003',
      message:
        'The report was not stored. Your account has used up its allowance for now. Please try again in 60 minutes.',
    });
  });
});

const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`two servers on one PostgreSQL${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const database = openedForTests(() => openTestDatabase('postgres'));

  test('count the bytes of an address together', async () => {
    const limits = () =>
      rateLimits(
        { ...unlimited(), reportKibPerAddressAnHour: budget(50) },
        sharedRateLimiters({ store: rateCountStore(database()), secret: 'of the site', log: testLog }),
      );
    const servers = [
      await startWholeServer(database(), { limits: limits() }),
      await startWholeServer(database(), { limits: limits() }),
    ];
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const url = servers[n % 2]?.url ?? '';
      const { supabaseAnonKey } = await (await fetch(`${url}/config.json`)).json();
      const body = JSON.stringify({ error_message: 'x', error_stack: 'x '.repeat(10_000) });
      const answer = await fetch(`${url}/rest/v1/error_logs`, {
        method: 'POST',
        headers: { ...JSON_TYPE, apikey: supabaseAnonKey },
        body,
      });
      statuses.push(answer.status);
    }
    for (const server of servers) await server.close();

    expect(statuses).toEqual([201, 201, 429, 429]);
  });
});
