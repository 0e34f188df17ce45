import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { meteredRunner } from './forecast-meter.ts';
import type { ModelRunner } from './model-runner.ts';

test('counts what was made and what failed of each model, and how long the last one took', async () => {
  let isFailing = false;
  const inner: ModelRunner = {
    open: async () => undefined,
    onLost: () => undefined,
    close: async () => undefined,
    async forecast() {
      if (isFailing) throw new AppError('forecast/failed');
      return { t0: 0, lastClose: 1, path: [], band: { low: [], high: [] } } as never;
    },
  };
  const runner = meteredRunner(inner);
  const [symbol] = SYMBOLS;
  if (symbol === undefined) throw new Error('no symbol');

  expect(runner.figures().lion).toEqual({ forecasts: 0, failures: 0, lastMs: null });
  await runner.forecast('lion', symbol, []);
  isFailing = true;
  await expect(runner.forecast('lion', symbol, [])).rejects.toThrow('forecast/failed');

  expect(runner.figures()).toMatchObject({
    lion: { forecasts: 1, failures: 1, lastMs: expect.any(Number) },
    bobcat: { forecasts: 0, failures: 0, lastMs: null },
  });
});
