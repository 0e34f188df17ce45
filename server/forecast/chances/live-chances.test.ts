import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { fixtureForecast, fixtureMoment } from '#domain/chances/testing/chance-fixtures.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { makeForecast } from '../testing/fake-forecasts.ts';
import { chanceAnswers } from './answer-chances.ts';
import { openLiveChances } from './live-chances.ts';

const MARKET = { symbol: symbolNamed('BTC'), model: 'bobcat', timeframe: '1min' } as const;
const forecast = fixtureForecast();
const source = { ...makeForecast('BINANCE', MARKET.symbol, 'bobcat', forecast.t0), lastClose: forecast.lastClose };

let close: () => void = () => undefined;
afterEach(() => {
  close();
  vi.useRealTimers();
});

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

/** A room whose rounds the test runs one by one. @returns what its one viewer got, as text */
function openStepped(lines: string[] = []) {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const moment = { ...fixtureMoment(1), candles: [], marketKind: 'simulated' as const };
  const momentOf = vi.fn(async () => ({ source, forecast, moment }));
  const live = openLiveChances({
    chances: { momentOf, live: chanceAnswers(() => null).live },
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
  });
  close = live.close;
  const got: string[] = [];
  const leave = live.join(MARKET, { send: (frame) => got.push(new TextDecoder().decode(frame)), end: () => undefined });
  return { momentOf, live, got, leave, step: (ms = 250) => vi.advanceTimersByTimeAsync(ms) };
}

test('sends a refusal with its message once, and the chances again once there are some', async () => {
  const { momentOf, got, step } = openStepped();
  momentOf.mockRejectedValue(new AppError('venue/unavailable'));
  await step();
  const started = got.length;
  await step(1000);
  expect(got).toHaveLength(started);
  const error = { code: 'venue/unavailable', message: MESSAGES['venue/unavailable'] };
  expect(got.at(-1)).toContain(
    JSON.stringify({ symbol: MARKET.symbol.sym, model: 'bobcat', timeframe: '1min', error }),
  );

  momentOf.mockResolvedValue({
    source,
    forecast,
    moment: { ...fixtureMoment(2), candles: [], marketKind: 'simulated' },
  });
  await step();
  expect(got).toHaveLength(started + 1);
  expect(got.at(-1)).not.toContain('venue/unavailable');
});

test('logs a bug with its market, sends nothing of it, and goes on with the next round', async () => {
  const lines: string[] = [];
  const { momentOf, got, step } = openStepped(lines);
  await step(1);
  const sent = got.length;
  momentOf.mockRejectedValueOnce(new TypeError('x is null'));
  await step();
  expect(lines.join()).toContain('x is null');
  expect(lines.join()).toContain(MARKET.symbol.sym);
  expect(got).toHaveLength(sent);
  momentOf.mockResolvedValue({
    source,
    forecast,
    moment: { ...fixtureMoment(2), candles: [], marketKind: 'simulated' },
  });
  await step();
  expect(got).toHaveLength(sent + 1);
});

test('repeats an unchanged frame after ten seconds, so that no proxy takes the stream for dead', async () => {
  const { live, got, step } = openStepped();
  await step(9750);
  expect(got).toHaveLength(1);
  await step(500);
  expect(got).toEqual([got[0], got[0]]);
  expect(live.computations).toBe(1);
});

test('starts no second computation while one runs, and sends no frame to a viewer that left meanwhile', async () => {
  const { momentOf, got, leave, step } = openStepped();
  await step(1);
  const slow = Promise.withResolvers<Awaited<ReturnType<typeof momentOf>>>();
  momentOf.mockReturnValue(slow.promise);
  await step();
  const calls = momentOf.mock.calls.length;
  await step(1000);
  expect(momentOf.mock.calls.length).toBe(calls);
  leave();
  slow.resolve({ source, forecast, moment: { ...fixtureMoment(3), candles: [], marketKind: 'simulated' } });
  await step(1000);
  expect(got).toHaveLength(1);
});
