/** Drives failover through random faults of three venues, and through a listener that throws. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { scriptedVenue } from '../testing/scripted-venue.ts';
import { openFailoverHistory } from './failover-history.ts';

const IDS = ['first', 'second', 'third'] as const;
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;
const DOWN = new AppError('venue/unavailable', { details: { reason: 'ECONNREFUSED' } });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('serves one venue per series, in order, closed and labelled correctly, whatever fails', async () => {
  const trouble = fc.constantFrom('well', 'well', 'well', 'down', 'lags', 'lacks');
  const step = fc.record({ minutes: fc.integer({ min: 0, max: 4 }), venues: fc.tuple(trouble, trouble, trouble) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const clock = { nowS: NOON_S + 5 };
      const [first, second, third] = [100, 101, 102].map((close, i) => scriptedVenue(`${IDS[i]}`, clock, { close }));
      if (first === undefined || second === undefined || third === undefined) return;
      const history = openFailoverHistory({
        venues: [first.venue, second.venue, third.venue],
        marketKind: () => 'live',
        symbols: SYMBOLS,
        log: createLogger('silent'),
        store: null,
        timing: { retryMs: 1, maxRetryMs: 1 },
      });
      for (const { minutes, venues } of steps) {
        clock.nowS += minutes * 60;
        for (const [i, script] of [first, second, third].entries()) {
          script.failure = venues[i] === 'down' ? DOWN : null;
          script.lagS = venues[i] === 'lags' ? 900 : 0;
          script.missing = new Set(venues[i] === 'lacks' ? [NOON_S - 600, NOON_S + 60] : []);
        }
        const slice = await history.latest(symbolNamed('BTC'), 450, never).catch((error: unknown) => error);
        if (isAppError(slice)) continue;
        if (slice instanceof Error) throw slice;
        expectSound(slice, clock.nowS);
        await pause(2);
      }
      await history.close();
    }),
    { numRuns: 60 },
  );
});

function expectSound(answer: unknown, nowS: number): void {
  const slice = sliceSchema.parse(answer);
  const times = slice.candles.map((c) => c.time);
  expect(new Set(slice.candles.map((c) => c.close))).toEqual(
    new Set([{ first: 100, second: 101, third: 102 }[slice.venueId]]),
  );
  expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true);
  expect(slice.asOfS).toBe(times.at(-1));
  expect(slice.asOfS + 60).toBeLessThanOrEqual(nowS);
  expect(slice.isStale).toBe(nowS - slice.asOfS >= 240);
}

const sliceSchema = z.object({
  candles: z.array(z.object({ time: z.number(), close: z.number() })),
  venueId: z.enum(IDS),
  asOfS: z.number(),
  isStale: z.boolean(),
});

test('continues the stream and other listeners when a listener throws', async () => {
  const clock = { nowS: NOON_S + 5 };
  const first = scriptedVenue('first', clock);
  const history = openFailoverHistory({
    venues: [first.venue],
    marketKind: () => 'live',
    symbols: SYMBOLS,
    log: createLogger('silent'),
    store: null,
  });
  const latest = () => history.latest(symbolNamed('BTC'), 450, never);
  const notified: number[] = [];
  history.watch(() => {
    throw new Error('a fault of the listener');
  });
  history.watch(({ symbol, candle }) => {
    if (symbol.sym === symbolNamed('BTC').sym) notified.push(candle.time);
  });
  await latest();

  for (const timeS of [NOON_S, NOON_S + 60]) {
    clock.nowS = timeS + 61;
    await first.emit(first.candleAt(timeS));
  }

  expect(notified).toEqual([NOON_S, NOON_S + 60]);
  expect(await latest()).toMatchObject({ venueId: 'first', asOfS: NOON_S + 60, isStale: false });
  await history.close();
});
