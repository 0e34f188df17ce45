import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { meteredRunner, meteredSlots } from './forecast-meter.ts';
import type { ModelRunner } from './inference/model-runner.ts';
import { streamSlots } from './stream/stream-slots.ts';

test('counts forecasts and failures of each model, and measures the last duration', async () => {
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
  const symbol = symbolNamed('BTC');
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

test('counts open and refused streams, and a slot released twice only once', async () => {
  const slots = meteredSlots(streamSlots(1));
  const place = slots.take('ada');
  slots.take('ben');
  expect(() => slots.take('ada')).toThrow('request/too-many');
  expect(slots.figures()).toEqual({ open: 2, refused: 1 });

  await place.giveBack();
  await place.giveBack();

  expect(slots.figures()).toEqual({ open: 1, refused: 1 });
  slots.take('ada');
});

test.each([
  ['a place that another process has is a refusal', 'request/too-many', 1],
  ['a place that the database could not give is free', 'database/unavailable', 0],
] as const)('counts refusals: %s', async (_, code, refused) => {
  const giveBack = async () => undefined;
  const slots = meteredSlots({ take: () => ({ confirm: () => Promise.reject(new AppError(code)), giveBack }) });
  const place = slots.take('ada');

  await expect(place.confirm()).rejects.toThrow(code);
  await place.giveBack();

  expect(slots.figures()).toEqual({ open: 0, refused });
});
