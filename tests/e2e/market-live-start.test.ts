/** Tests `npm start` on the live market, offline: every address leads to a sandbox. */
import { afterEach, expect, test, vi } from 'vitest';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type KatServer, startKat } from '../support/servers/kat-server.ts';
import { liveAt } from '../support/servers/live-settings.ts';

const BTC = '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450';
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(env: Record<string, string>): Promise<KatServer> {
  const kat = await startKat({ env });
  undo.push(() => kat.dispose());
  return kat;
}

async function openSandbox() {
  const sandbox = await startSandboxMarket({
    clock: { nowMs: () => Date.now() },
    dataDir: null,
    speed: 1,
    seed: 'live',
    startMs: null,
  });
  undo.push(() => sandbox.close());
  return sandbox;
}

async function expectReady(kat: KatServer, venue: string): Promise<void> {
  expect((await fetch(`${kat.url}${BTC}`)).headers.get('x-market-venue')).toBe(venue);
  await vi.waitFor(async () => expect((await fetch(`${kat.url}/readyz`)).status).toBe(200));
}

test('starts MARKET=auto on the next venue when one is unavailable, and names the venues', async () => {
  const sandbox = await openSandbox();
  const binance = { restUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1' };

  const kat = await start({ ...liveAt(sandbox, { binance }), MARKET: 'auto' });

  expect(kat.output()).toContain('live (Binance USD-M, Bybit, OKX)');
  await expectReady(kat, 'bybit');
});

// In the daytime run, scripts/start/start-settings.test.ts and the tests of candle venues cover this.
nightTest('uses the venues of MARKET=live in the configured order', async () => {
  const kat = await start({ ...liveAt(await openSandbox()), VENUE_ORDER: 'okx,binance,alpaca' });

  expect(await (await fetch(`${kat.url}/config.json`)).json()).toMatchObject({
    market: { kind: 'live', detail: 'OKX, Binance USD-M' },
  });
  await expectReady(kat, 'okx');
});
