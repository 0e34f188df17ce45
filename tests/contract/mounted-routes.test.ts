/** Tests routes as the whole server mounts them: the chart feeds, and every server function. */
import { expect, test } from 'vitest';
import type { RouteContract } from '#domain/contract/route-contract.ts';
import { ROUTES as ROUTE_CONTRACTS } from '#domain/contract/routes.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { ROUTES } from '../support/fuzz/routes/routes.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const ORIGIN = 'https://pages.example';
const PATHS = ['/0/public/OHLC?pair=XBTUSD&interval=43200', '/products/BTC-USD/candles?granularity=3600'];

const opened = openedForTests(async () => {
  const database = await openTestDatabase(dayDatabase);
  const server = await startWholeServer(database, {
    env: { ALLOWED_ORIGINS: ORIGIN, METRICS_TOKEN: 'wq7Zr-Kp2mX-8vTd4-Lh6sB' },
  });
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

const CONTRACT = Object.entries<RouteContract>(ROUTE_CONTRACTS).filter(([, { answers }]) => answers !== 'socket');
const fetchRoute = (path: string, query: object, init?: RequestInit) =>
  fetch(`${opened().address}${path.replaceAll(/\{\w+\}/g, 'x')}?${new URLSearchParams(Object.entries(query))}`, init);

test.each(CONTRACT)(
  'mounts %s as the contract says',
  async (path, { method, caller, query, unknown, example, crossOrigin }) => {
    const other = await fetchRoute(path, {}, { method: method === 'POST' ? 'GET' : 'POST' });
    expect(other.status).toBe(405);
    if (method === 'POST') return;

    const answer = await fetchRoute(path, example ?? {}, { headers: { origin: ORIGIN } });
    await answer.body?.cancel();
    const isForEveryone = answer.headers.get('access-control-allow-origin') === '*';
    const isForAllowed = answer.headers.get('access-control-allow-origin') === ORIGIN;
    expect(isForEveryone ? 'everyone' : isForAllowed ? 'allowed' : undefined).toBe(crossOrigin);
    expect(answer.status === 401).toBe(caller !== undefined);

    // A part that leads nowhere is refused in any case.
    if (query === undefined || caller !== undefined || answer.status === 400) return;
    const asked = await fetchRoute(path, { ...example, nosuchparameter: '1' });
    const refused: unknown = asked.status === 400 ? await asked.json() : await asked.body?.cancel();
    const problem = refused === undefined ? 'ignored' : 'refused';
    expect(problem).toBe(unknown === 'ignored' ? 'ignored' : 'refused');
  },
);
