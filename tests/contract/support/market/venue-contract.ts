/**
 * What every candle venue must do, whatever protocol it uses: run for each connector on the sandbox market, which uses
 * the same protocols and breaks on purpose. A connector joins by one entry in venues.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Candle, isWellFormed } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { BAD_VALUES, type RestFault } from '../../../../sandbox/faults/faults.ts';
import { type SandboxAddresses, startSandboxMarket } from '../../../../sandbox/market/sandbox-market.ts';
import { simulatedSource } from '../../../../sandbox/market/simulation/simulation.ts';
import type { CandleUpdate, Venue, VenueOptions } from '../../../../server/market/venues/venue.ts';
import { createLogger } from '../../../../server/platform/telemetry/log.ts';
import { movableClock } from '../../../support/market/market-stack.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';

export interface VenueCase {
  /** Its name in the sandbox's fault settings. */
  dialect: string;
  open(parts: VenueParts): Venue;
  /** Traded there; the first is requested throughout. */
  symbols: readonly [MarketSymbol, ...MarketSymbol[]];
  /** Of the product's table, and not traded there. */
  unsupported: MarketSymbol;
  /** Path whose answer holds candles. */
  candlePath: string;
  /** Candles that no single call brings. */
  pagedCount: number;
  /** For exchanges with hours: a time inside them, milliseconds. Absent: now. */
  atMs?: number;
  /** False: it streams nothing, and finds new candles by request. The stream's rules are left out. */
  hasStream: boolean;
  /** What is left of a candle on the way: absent where everything is. */
  reduced?(candle: Candle): Candle;
}

/** What a connector is opened with; addresses come as a whole, and each takes its own. */
export interface VenueParts extends Omit<VenueOptions, 'restUrl' | 'wsUrl' | 'symbols'> {
  addresses: SandboxAddresses;
}

const SEED = 'contract';
const MINUTE_MS = 60_000;
const never = new AbortController().signal;

export function describeVenue(name: string, venueCase: VenueCase): void {
  describe(name, () => {
    const { dialect, symbols, unsupported, candlePath, hasStream, reduced = (candle) => candle } = venueCase;
    const [symbol] = symbols;
    const clock = movableClock();
    clock.ms = venueCase.atMs ?? clock.ms;
    const opened = openedForTests(() =>
      startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null }),
    );
    const sources = new Map(symbols.map((s) => [s.sym, simulatedSource(s, SEED)]));
    const undo: (() => unknown)[] = [];
    afterEach(async () => {
      for (const step of undo.splice(0).reverse()) await step();
      opened().faults.clear();
    });

    function open(options: Partial<VenueOptions> = {}) {
      const calls: URL[] = [];
      const venue = venueCase.open({
        addresses: opened().addresses,
        clock,
        log: createLogger('silent'),
        socketTiming: { retryMs: () => 20 },
        fetch: (input, init) => {
          calls.push(new URL(String(input)));
          return fetch(input, init);
        },
        ...options,
      });
      return { venue, calls };
    }

    function breakRest(fault: Omit<RestFault, 'part' | 'dialect'>): void {
      opened().faults.add({ part: 'rest', dialect, ...fault });
    }

    const truth = (s: MarketSymbol, timeS: number): Candle | null => {
      const candle = sources.get(s.sym)?.candleAt(timeS) ?? null;
      return candle === null ? null : reduced(candle);
    };

    function expectTrue(candles: readonly Candle[], s = symbol): void {
      expect(candles.every(isWellFormed)).toBe(true);
      expect(candles.every((c, i) => i === 0 || c.time > (candles[i - 1]?.time ?? 0))).toBe(true);
      expect(candles).toEqual(candles.map((c) => truth(s, c.time)));
    }

    const newestClosedS = (venue: Venue): number => Math.floor(venue.nowMs() / MINUTE_MS) * 60 - 60;

    test('gives as many closed candles as requested, in order, each once, on whole minutes, with their true figures', async () => {
      for (const s of symbols) {
        const { venue } = open();

        const candles = await venue.candles(s, 450, never);

        expect(candles).toHaveLength(450);
        expectTrue(candles, s);
        expect(candles.at(-1)?.time).toBe(newestClosedS(venue));
        expect(venue.malformed).toBe(0);
      }
    });

    test('pages back past what one call may bring, without a hole or a candle twice', async () => {
      const { venue, calls } = open();

      const candles = await venue.candles(symbol, venueCase.pagedCount, never);

      expect(candles).toHaveLength(venueCase.pagedCount);
      expectTrue(candles);
      const isUnbroken = candles.every((c, i) => i === 0 || c.time === (candles[i - 1]?.time ?? 0) + 60);
      expect(symbol.hours !== 'always' || isUnbroken).toBe(true);
      expect(calls.length).toBeGreaterThan(1);
    });

    test.each([0, 1, 30_000, 59_999])('never gives the open candle, %d ms after its minute began', async (sinceMs) => {
      clock.ms = Math.floor(clock.ms / MINUTE_MS) * MINUTE_MS + sinceMs;
      const { venue } = open();

      const candles = await venue.candles(symbol, 5, never);

      expect(candles.at(-1)?.time).toBe(newestClosedS(venue));
      expectTrue(candles);
    });

    test('refuses what it does not trade and what is no symbol at all, without a call', async () => {
      const { venue, calls } = open();
      const forged = ['../../../admin', `${symbol.sym}&limit=1`, `${symbol.sym}/..`, '', 'BTCUSDT.P\r\nhost: x'];

      for (const wrong of [unsupported, ...forged.map((sym) => ({ ...symbol, sym }))]) {
        expect(venue.supports(wrong)).toBe(false);
        await expect(venue.candles(wrong, 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });
        for await (const _update of venue.updates([wrong], never)) throw new Error('an update of nothing');
      }

      expect(calls).toEqual([]);
    });

    test('delays the next callers without a call after 429 with Retry-After', async () => {
      const { venue, calls } = open();
      breakRest({ what: 'status', status: 429, retryAfterS: 7 });

      await expect(venue.candles(symbol, 10, never)).rejects.toMatchObject({
        code: 'venue/unavailable',
        details: { retryAfterS: 7 },
      });
      opened().faults.clear();
      const callCount = calls.length;
      for (let i = 0; i < 3; i++) {
        await expect(venue.candles(symbol, 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });
      }

      expect(calls).toHaveLength(callCount);
    });

    test.each([
      ['a page instead of JSON', { what: 'html' }],
      ['JSON that is cut off', { what: 'cut-off' }],
      ['status 500', { what: 'status', status: 500 }],
      ['a connection that is cut', { what: 'refusal' }],
    ] as const)('treats %s as a passing outage', async (_what, fault) => {
      const { venue } = open();
      breakRest({ ...fault, path: candlePath, count: 1 });

      await expect(venue.candles(symbol, 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

      expect(await venue.candles(symbol, 10, never)).toHaveLength(10);
    });

    test('gives up a venue that does not answer, and lets a caller who leaves go immediately', async () => {
      const { venue } = open({ timeoutMs: 60 });
      breakRest({ what: 'stall' });
      const leaving = new AbortController();

      await expect(venue.candles(symbol, 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });
      const left = open({ timeoutMs: 60_000 }).venue.candles(symbol, 10, leaving.signal);
      leaving.abort(new Error('closed the tab'));

      await expect(left).rejects.toThrow('closed the tab');
    });

    test.each(BAD_VALUES)('rows with %s are dropped and counted, the others live', async (value) => {
      const { venue } = open();
      breakRest({ what: 'values', value, path: candlePath });

      const candles = await venue.candles(symbol, 60, never);

      expect(venue.malformed).toBeGreaterThan(0);
      expect(candles.length).toBeGreaterThanOrEqual(30);
      expectTrue(candles);
    });

    test('rows out of order and rows twice come out in order, each once', async () => {
      const expected = await open().venue.candles(symbol, 60, never);
      const { venue } = open();
      breakRest({ what: 'disorder', path: candlePath });

      expect(await venue.candles(symbol, 60, never)).toEqual(expected);
    });

    if (!hasStream) return;
    describe('the stream', () => {
      function follow(venue: Venue) {
        const seen: CandleUpdate[] = [];
        const stop = new AbortController();
        const done = (async () => {
          for await (const update of venue.updates(symbols, stop.signal)) seen.push(update);
        })();
        undo.push(async () => {
          stop.abort();
          await done;
        });
        return { seen, stop, done };
      }

      /** Turns a minute, and waits a while for what it brings. */
      async function turnMinute(isThere: () => boolean): Promise<void> {
        clock.ms += MINUTE_MS;
        for (let waitedMs = 0; waitedMs < 220 && !isThere(); waitedMs += 10) await sleep(10);
      }

      /** Turns minutes until the stream has reported one that closed after now. */
      async function untilClosed(seen: readonly CandleUpdate[]): Promise<CandleUpdate> {
        const sinceS = Math.floor(clock.ms / 1000);
        const isNew = (u: CandleUpdate): boolean => u.isClosed && u.candle.time + 60 > sinceS && u.symbol === symbol;
        await vi.waitFor(
          async () => {
            await turnMinute(() => seen.some(isNew));
            expect(seen.some(isNew)).toBe(true);
          },
          { interval: 20 },
        );
        const found = seen.findLast(isNew);
        if (found === undefined) throw new Error('no closed candle');
        return found;
      }

      test('brings the closed candle when its minute turns, with the values that REST tells', async () => {
        const { venue } = open();
        const { seen } = follow(venue);

        const { candle } = await untilClosed(seen);

        expectTrue([candle]);
        expect(await venue.candles(symbol, 3, never)).toContainEqual(candle);
        for (const update of seen.filter((u) => u.isClosed)) expectTrue([update.candle], update.symbol);
      });

      test('takes up a connection that was cut', async () => {
        const { venue } = open();
        const { seen } = follow(venue);
        await untilClosed(seen);

        opened().cutStreams();

        expectTrue([(await untilClosed(seen)).candle]);
      });

      test('ends when its reader is stopped', async () => {
        const { venue } = open();
        const { seen, stop, done } = follow(venue);
        await untilClosed(seen);

        stop.abort();

        await expect(done).resolves.toBeUndefined();
      });

      test.each([
        ['half a frame', 'broken', true],
        ['an invalid figure', 'values', true],
        ['a product that was not requested', 'stranger', false],
        ['frames in the wrong order', 'disorder', false],
      ] as const)('survives %s', async (_what, what, isMalformed) => {
        const { venue } = open();
        const { seen } = follow(venue);
        await untilClosed(seen);
        opened().faults.add({ part: 'stream', dialect, what, count: 3 });

        // Some report closed candles alone: minutes turn until the faults have struck.
        await vi.waitFor(
          async () => {
            await turnMinute(() => opened().faults.list().length === 0);
            expect(opened().faults.list()).toEqual([]);
          },
          { interval: 20 },
        );

        expectTrue([(await untilClosed(seen)).candle]);
        expect(venue.malformed > 0).toBe(isMalformed);
        expect(seen.every((u) => isWellFormed(u.candle) && symbols.includes(u.symbol))).toBe(true);
        for (const update of seen.filter((u) => u.isClosed)) expectTrue([update.candle], update.symbol);
      });
    });
  });
}
