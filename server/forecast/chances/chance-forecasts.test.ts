import { expect, test, vi } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { makeForecast } from '../testing/fake-forecasts.ts';
import { PLAIN_TABLES } from '../testing/model-fixtures.ts';
import { openChanceForecasts } from './chance-forecasts.ts';

const MARKET = { symbol: symbolNamed('BTC'), model: 'bobcat', timeframe: '1min' } as const;
const T0 = 1_700_000_040;

test('prepares a new forecast once for all requests that wait for it, and again after a failure', async () => {
  const source = makeForecast('BINANCE', MARKET.symbol, 'bobcat', T0);
  const tablesOf = vi.fn(async () => PLAIN_TABLES);
  tablesOf.mockRejectedValueOnce(new Error('busy'));
  const forecasts = openChanceForecasts({
    forecasts: { current: async () => source, isKnown: () => true },
    tablesOf,
  });
  const ask = () => forecasts.current(MARKET, (T0 + 60) * 1000, new AbortController().signal);

  await expect(ask()).rejects.toThrow('busy');
  const answers = await Promise.all(Array.from({ length: 100 }, ask));

  expect(new Set(answers).size).toBe(1);
  expect(tablesOf).toHaveBeenCalledTimes(2);
});
