/** Checks that only symbols with readers are polled. */
import { afterEach, expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { polledUpdates, pollingReaders } from './polled-updates.ts';

const BTC = symbolNamed('BTC');
/** Wednesday 12 November 2025, 15:00:05 UTC: the minute before is due. */
const START_MS = 1_762_959_605_000;
const MINUTE_MS = 60_000;

const stopping: AbortController[] = [];
afterEach(() => {
  for (const one of stopping.splice(0)) one.abort();
});

const aCandle = (time: number): Candle => ({ time, open: 101, high: 102, low: 100, close: 101, volume: 1 });

/** The market's clock and ours move together; `minutes` moves both. */
function setUp() {
  const time = { ms: 0 };
  const stop = new AbortController();
  stopping.push(stop);
  let calls = 0;
  let polls = 0;
  const readers = pollingReaders(() => time.ms);
  const nowMs = (): number => {
    polls += 1;
    return START_MS + time.ms;
  };
  const last = (): Candle => aCandle(Math.floor((START_MS + time.ms) / MINUTE_MS) * 60 - 60);
  const updates = polledUpdates(
    {
      venue: 'polled',
      symbols: [BTC],
      isWanted: readers.isWanted,
      nowMs,
      log: createLogger('silent'),
      checkMs: 1,
      async candles() {
        calls += 1;
        return [last()];
      },
    },
    stop.signal,
  );
  void (async () => {
    for await (const _update of updates);
  })();
  /** Waits until the clock was read twice, so that what was due has been requested. */
  async function settle(): Promise<void> {
    const until = polls + 2;
    while (polls < until) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return {
    async minutes(count: number) {
      const before = calls;
      for (let i = 0; i < count; i++) {
        time.ms += MINUTE_MS;
        await settle();
      }
      return calls - before;
    },
    read: () => readers.record(BTC, [last()]),
  };
}

test('polls nothing before a first reader', async () => {
  const { minutes } = setUp();

  expect(await minutes(5)).toBe(0);
});

test('stops polling within minutes after a single read', async () => {
  const { minutes, read } = setUp();
  read();

  expect(await minutes(10)).toBeLessThanOrEqual(5);
  expect(await minutes(60)).toBe(0);
});

test('polls again for a reader that returns', async () => {
  const { minutes, read } = setUp();
  read();
  await minutes(30);

  read();

  expect(await minutes(3)).toBe(3);
});

test('polls every minute for a reader that returns every few minutes', async () => {
  const { minutes, read } = setUp();
  for (let i = 0; i < 10; i++) {
    read();
    expect(await minutes(4)).toBe(4);
  }
});
