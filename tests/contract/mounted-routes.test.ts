/** Tests routes as the whole server mounts them: the chart feeds, and every server function. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { ROUTES } from '../support/fuzz/routes/routes.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const ORIGIN = 'https://pages.example';
const PATHS = ['/0/public/OHLC?pair=XBTUSD&interval=43200', '/products/BTC-USD/candles?granularity=3600'];

const opened = openedForTests(async () => {
  const database = await openTestDatabase(dayDatabase);
  const server = await startWholeServer(database, { env: { ALLOWED_ORIGINS: ORIGIN } });
  const address = `http://127.0.0.1:${new URL(server.url).port}`;
  return {
    address,
    async close() {
      await server.close();
      await database.close();
    },
  };
});

test.each(PATHS)('serves %s to an allowed origin, which may read its headers', async (path) => {
  const response = await fetch(opened().address + path, { headers: { origin: ORIGIN } });

  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(response.headers.get('access-control-expose-headers')).toContain('x-market-stale');
  expect(response.headers.get('x-market-attribution')).toBe('Sandbox market');
});

test.each([
  ['POST', PATHS[0], 405, 'request/method-not-allowed'],
  ['DELETE', PATHS[1], 405, 'request/method-not-allowed'],
  ['GET', '/0/public/Ticker', 404, 'request/not-found'],
  ['GET', '/products', 404, 'request/not-found'],
  ['GET', '/products/BTC-USD/book', 404, 'request/not-found'],
])('refuses %s %s with %d', async (method, path, status, code) => {
  const response = await fetch(`${opened().address}${path}`, { method });

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code });
});

// Those of the contract, and the public ones.
const FUNCTIONS = [...new Set(ROUTES.map(({ path }) => path).filter((path) => /^\/functions\/v1\/[^{]+$/.test(path)))];

test('mounts every server function', async () => {
  const statusOf = async (path: string) => (await fetch(opened().address + path, { method: 'POST' })).status;
  const statuses = await Promise.all(FUNCTIONS.map(async (path) => [path, await statusOf(path)] as const));

  expect(FUNCTIONS.length).toBeGreaterThan(40);
  expect(statuses.filter(([, status]) => status === 404)).toEqual([]);
  expect(await statusOf('/functions/v1/no-such-function')).toBe(404);
});
