/** Faults of the sandbox market set through the server's own address, as browser tests do. */
import { afterEach, expect, test } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { startWholeServer, type WholeServer } from '../support/whole-server.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(env: Readonly<Record<string, string>>): Promise<WholeServer> {
  const database = await openTestDatabase('pglite');
  undo.push(() => database.close());
  const server = await startWholeServer(database, { env });
  undo.push(() => server.close());
  return server;
}

// Of a service that nobody reads, so that none of its count is spent.
const FAULT = { part: 'stream', dialect: 'nobody', product: 'BTC-USD', what: 'crossed', count: 3 };

test('with MARKET_FAULTS=1 faults are added, listed and ended, and nothing else gets through', async () => {
  const { url } = await start({ MARKET_FAULTS: '1' });
  const path = `${url}/dev/market-faults`;
  const post = (body: string, type = 'application/json') =>
    fetch(path, { method: 'POST', body, headers: { 'content-type': type } });

  const added = await post(JSON.stringify(FAULT));
  const listed = await fetch(path);
  const refused = await post('{"part":"rest"}');
  const form = await post(JSON.stringify(FAULT), 'text/plain');
  const large = await post(JSON.stringify({ ...FAULT, product: 'x'.repeat(70_000) }));
  const other = await fetch(path, { method: 'PUT', body: '{}' });
  const beside = await fetch(`${path}/../binance/fapi/v1/time`);
  const ended = await fetch(path, { method: 'DELETE' });

  expect([added.status, await added.json()]).toEqual([200, { faults: [FAULT] }]);
  expect(await listed.json()).toEqual({ faults: [FAULT] });
  expect([refused.status, form.status, large.status, other.status]).toEqual([400, 400, 413, 405]);
  expect(beside.status).toBe(404);
  expect(await ended.json()).toEqual({ faults: [] });
});

test('without it there is no such path', async () => {
  const { url } = await start({});

  expect((await fetch(`${url}/dev/market-faults`)).status).toBe(404);
  const post = await fetch(`${url}/dev/market-faults`, {
    method: 'POST',
    body: JSON.stringify(FAULT),
    headers: { 'content-type': 'application/json' },
  });
  expect(post.status).toBe(404);
});
