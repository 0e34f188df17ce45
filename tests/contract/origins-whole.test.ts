/** Which pages of other origins may call addresses outside the backend's protocol, and read their responses. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const ALLOWED = 'https://app.example';
const PATHS = [
  ['/functions/v1/get-quota', 'POST', 401],
  ['/history?exc=BINANCE&sym=NONE&fbars=1&lkbk=450', 'GET', 400],
  ['/config.json', 'GET', 200],
  ['/models.json', 'GET', 200],
  ['/stream-kat2?exc=BINANCE', 'GET', 401],
  ['/forecast/reservations', 'GET', 401],
  ['/forecast/reservations/x', 'GET', 401],
] as const;

const world = openedForTests(async () => {
  const database = await openTestDatabase(dayDatabase);
  const server = await startWholeServer(database, { env: { ALLOWED_ORIGINS: ALLOWED } });
  return {
    url: server.url,
    async close() {
      await server.close();
      await database.close();
    },
  };
});

const preflight = (path: string, method: string, origin: string) =>
  fetch(`${world().url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,last-event-id',
    },
  });

test.each(PATHS)('allows the origin in the settings to call and read %s', async (path, method, status) => {
  const allowed = await preflight(path, method, ALLOWED);
  const answer = await fetch(`${world().url}${path}`, { method, headers: { origin: ALLOWED } });

  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, ALLOWED]);
  expect(allowed.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
  for (const header of ['apikey', 'authorization', 'content-type', 'last-event-id', 'x-client-info'])
    expect(allowed.headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, ALLOWED]);
  expect(answer.headers.get('access-control-expose-headers')).toContain('x-market-kind');
  expect(answer.headers.get('vary')).toContain('origin');
  await answer.body?.cancel();
});

test.each(PATHS)('refuses every other origin for %s', async (path, method) => {
  const checked = await preflight(path, method, 'https://evil.example');
  const answer = await fetch(`${world().url}${path}`, { method, headers: { origin: 'https://evil.example' } });
  const plain = await fetch(`${world().url}${path}`, { method: 'OPTIONS' });

  expect([checked.status, plain.status]).toEqual([403, 405]);
  for (const { headers } of [checked, answer, plain]) expect(headers.get('access-control-allow-origin')).toBeNull();
  await answer.body?.cancel();
});
