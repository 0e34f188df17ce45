/** A server that cannot start leaves nothing running behind it. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { startServer } from '../../server/main.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { productClock } from '../../server/platform/product-clock.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { NO_COMMUNITY } from '../support/servers/no-community.ts';

test('closes the market connection and reports the reason when its port is taken', async () => {
  const database = await openTestDatabase(dayDatabase);
  const dataDir = await mkdtemp(join(tmpdir(), 'kat-start-'));
  const clock = productClock();
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'start', startMs: null });
  const books = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const taken = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(books, 'listening'), once(taken, 'listening')]);
  const market = sandboxSource(sandbox);
  const wsUrl = `ws://127.0.0.1:${(books.address() as AddressInfo).port}`;
  const PORT = String((taken.address() as AddressInfo).port);
  let connections = 0;
  books.on('connection', () => {
    connections += 1;
  });

  const start = startServer({
    config: readConfig({ PORT, DATA_DIR: dataDir, MARKET: 'sandbox', HOUSE_FORECASTS: 'off' }),
    market: { ...market, addresses: { ...market.addresses, coinbase: { ...market.addresses.coinbase, wsUrl } } },
    community: NO_COMMUNITY,
    clock,
    log: testLog,
    database,
    siteDir: dataDir,
    isDemo: false,
  });

  await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await vi.waitFor(() => expect(connections).toBeGreaterThan(0));
  await vi.waitFor(() => expect(books.clients.size).toBe(0));
  expect(await database.query(SERVICE, 'select 1 as one')).toEqual([{ one: 1 }]);

  books.close();
  taken.close();
  await Promise.all([sandbox.close(), database.close(), rm(dataDir, { recursive: true, force: true })]);
});
