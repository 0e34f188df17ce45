import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { fixtureForecast, fixtureMoment } from '#domain/chances/testing/chance-fixtures.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { makeForecast } from '../testing/fake-forecasts.ts';
import { chanceAnswers } from './answer-chances.ts';
import { openLiveChances } from './live-chances.ts';

const MARKET = { symbol: symbolNamed('BTC'), model: 'bobcat', timeframe: '1min' } as const;
const forecast = fixtureForecast();
const source = { ...makeForecast('BINANCE', MARKET.symbol, 'bobcat', forecast.t0), lastClose: forecast.lastClose };

let close: () => void = () => undefined;
afterEach(() => close());

function open() {
  const state = { moment: { ...fixtureMoment(1), candles: [], marketKind: 'simulated' as const } };
  const answers = chanceAnswers(() => null);
  const momentOf = vi.fn(async () => ({ source, forecast, moment: state.moment }));
  const live = openLiveChances({
    chances: { momentOf, live: answers.live },
    log: pino({ level: 'silent' }),
    everyMs: 1,
  });
  close = live.close;
  return { state, momentOf, live };
}

test('computes one frame for ten thousand viewers, and the next only after a change', async () => {
  const { state, live, momentOf } = open();
  const frames = Array.from({ length: 10_000 }, () => [] as Uint8Array[]);
  for (const own of frames) live.join(MARKET, { send: (frame) => own.push(frame), end: () => undefined });

  await vi.waitFor(() => expect(frames.every((own) => own.length >= 1)).toBe(true));
  await vi.waitFor(() => expect(momentOf.mock.calls.length).toBeGreaterThan(5));
  expect(live.computations).toBe(1);
  expect(new Set(frames.map(([frame]) => frame)).size).toBe(1);

  state.moment = { ...state.moment, price: state.moment.price + 1 };
  await vi.waitFor(() => expect(frames.every((own) => own.length >= 2)).toBe(true));
  expect(live.computations).toBe(2);
});

test('sends the last frame to a later viewer, and stops when all have left', async () => {
  const { live, momentOf } = open();
  const first = vi.fn();
  const leave = live.join(MARKET, { send: first, end: () => undefined });
  await vi.waitFor(() => expect(first).toHaveBeenCalled());
  const second = vi.fn();
  const leaveToo = live.join(MARKET, { send: second, end: () => undefined });

  expect(second).toHaveBeenCalledWith(first.mock.calls[0]?.[0]);
  leave();
  leaveToo();
  const before = momentOf.mock.calls.length;
  await new Promise((done) => setTimeout(done, 50));
  expect(momentOf.mock.calls.length).toBe(before);
});
