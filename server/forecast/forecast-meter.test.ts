import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { meteredRunner, meteredSlots } from './forecast-meter.ts';
import type { ModelRunner } from './model-runner.ts';
import { streamSlots } from './stream-slots.ts';

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

test('tells how many streams are open and how many were refused; what is given back twice counts once', async () => {
  const slots = meteredSlots(streamSlots(1));
  const giveBack = await slots.take('ada');
  await slots.take('ben');
  await expect(slots.take('ada')).rejects.toThrow('request/too-many');
  expect(slots.figures()).toEqual({ open: 2, refused: 1 });

  await giveBack();
  await giveBack();

  expect(slots.figures()).toEqual({ open: 1, refused: 1 });
  await slots.take('ada');
});

test('a place that the database could not give is no refusal', async () => {
  const away = new AppError('database/unavailable');
  const slots = meteredSlots({ take: () => Promise.reject(away) });

  await expect(slots.take('ada')).rejects.toBe(away);

  expect(slots.figures()).toEqual({ open: 0, refused: 0 });
});
