import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import type { CandleHistory, HistorySlice } from '../market/candles/candle-history.ts';
import { aBus, aProcess } from '../market/testing/shared-market-fixture.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { openForecasts } from './forecast-cache.ts';
import { forecastPeers } from './forecast-peers.ts';
import { generatedCandles } from './models/generated-candles.ts';
import { type ModelRegistry, openModelRegistry } from './models/model-registry.ts';
import { inProcessRunner } from './models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from './testing/model-fixtures.ts';

const log = createLogger('silent');
const { signal } = new AbortController();
const MINUTES = generatedCandles({ seed: 'peers', count: 452, firstOpen: 60_000, tickSize: 0.1 });

const runner = inProcessRunner();
let folder: ModelsFolder;
let registry: ModelRegistry;

beforeAll(async () => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
  registry = await openModelRegistry(folder.path, runner);
});
afterAll(async () => {
  await runner.close();
  folder.remove();
});

function aHistory() {
  const own = { candles: MINUTES.slice(0, 450), venueId: 'venue' };
  const history: CandleHistory = {
    latest: async (): Promise<HistorySlice> => ({
      ...own,
      marketKind: 'simulated',
      attribution: 'Venue',
      delayS: 0,
      asOfS: own.candles.at(-1)?.time ?? null,
      isStale: false,
      isOpen: true,
      nowMs: Date.parse('2025-02-01T00:00:00Z'),
    }),
    close: async () => undefined,
  };
  return { own, history };
}

/** Creates three processes, of which the first leads. @param timeoutMs  of a request to another process */
function threeProcesses(timeoutMs = 30_000) {
  const bus = aBus();
  const make = (term: number | null, issuedAtMs: number) => {
    const { own, history } = aHistory();
    const sharing = aProcess(bus, term);
    const peers = forecastPeers({ sharing, log, timeoutMs });
    const forecasts = openForecasts({ history, registry, clock: { nowMs: () => issuedAtMs }, log, peers });
    const stop = peers.serve(forecasts);
    const request = () => forecasts.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', signal);
    return { own, leadership: sharing.leadership, forecasts, request, stop };
  };
  return { bus, first: make(1, 1000), second: make(null, 2000), third: make(null, 3000) };
}

test('shares one computation and one forecast among all processes and users', async () => {
  const { first, second, third } = threeProcesses();
  const all = await Promise.all(
    [second, third, first, second, third].flatMap(({ request }) => Array.from({ length: 5 }, request)),
  );

  expect([first, second, third].map(({ forecasts }) => forecasts.computations)).toEqual([1, 0, 0]);
  for (const forecast of all) expect(forecast).toEqual(all[0]);
  expect(all[0]).toMatchObject({ issuedAtMs: 1000, volatility: { minuteVariance: expect.any(Float64Array) } });
});

test.each([
  ['a minute further on', (own: ReturnType<typeof aHistory>['own']) => (own.candles = MINUTES.slice(1, 451))],
  ['of another venue', (own: ReturnType<typeof aHistory>['own']) => (own.venueId = 'another')],
])('computes its own forecast from candles %s', async (_, change) => {
  const { first, second } = threeProcesses();
  change(second.own);
  const [theirs, ours] = [await first.request(), await second.request()];
  expect(second.forecasts.computations).toBe(1);
  expect([ours.lookback, ours.venueId]).toEqual([second.own.candles, second.own.venueId]);
  expect(ours.issuedAtMs).not.toBe(theirs.issuedAtMs);
});

test('computes its own forecast without an answer in time or without a broker', async () => {
  const { bus, first, second, third } = threeProcesses(300);
  first.stop();
  expect((await second.request()).issuedAtMs).toBe(2000);
  bus.isCut = true;
  expect((await third.request()).issuedAtMs).toBe(3000);
});

test('computes for the other processes after taking over the lead', async () => {
  const { first, second, third } = threeProcesses();
  first.leadership.set(null);
  second.leadership.set(2);
  expect((await third.request()).issuedAtMs).toBe(2000);
  expect((await first.request()).issuedAtMs).toBe(2000);
});

test("ignores an answer that isn't a valid forecast", async () => {
  const { bus, first, second } = threeProcesses();
  first.stop();
  const nonsense = vi.fn(async () => ({ t0: 1, lastClose: 'high' }));
  bus.answer('market.test.forecast', nonsense);
  expect((await second.request()).issuedAtMs).toBe(2000);
  expect(nonsense).toHaveBeenCalledTimes(1);
});
