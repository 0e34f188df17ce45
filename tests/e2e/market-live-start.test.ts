/** `npm start` on the live market, offline: every address leads to a sandbox. */
import { afterEach, expect, test } from 'vitest';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { liveAt } from '../support/live-settings.ts';

const BTC = '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450';
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('npm start with MARKET=live and with MARKET=auto: the start names the venues, and the server is ready', async () => {
  const sandbox = await startSandboxMarket({
    ...{ clock: { nowMs: () => Date.now() }, dataDir: null, speed: 1, seed: 'live', startMs: null },
  });
  undo.push(() => sandbox.close());
  const start = async (env: Record<string, string>): Promise<KatServer> => {
    const kat = await startKat({ env });
    undo.push(() => kat.dispose());
    return kat;
  };
  const away = { BINANCE_REST_URL: 'http://127.0.0.1:1', BINANCE_WS_URL: 'ws://127.0.0.1:1' };

  const live = await start({ ...liveAt(sandbox), VENUE_ORDER: 'okx,binance,yahoo' });
  const auto = await start({ ...liveAt(sandbox), ...away, MARKET: 'auto' });

  expect(await (await fetch(`${live.url}/config.json`)).json()).toMatchObject({
    market: { kind: 'live', detail: 'OKX, Binance USD-M' },
  });
  expect(auto.output()).toContain('live (Binance USD-M, Bybit, OKX)');
  for (const [kat, venue] of [
    [live, 'okx'],
    [auto, 'bybit'],
  ] as const) {
    expect((await fetch(`${kat.url}${BTC}`)).headers.get('x-market-venue')).toBe(venue);
    expect((await fetch(`${kat.url}/readyz`)).status).toBe(200);
  }
});
