/** Chances for the public record, issued by the house's job into a real chain: by several processes, and across restarts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { momentAfter, windowsAt } from '#domain/record/chances/chance-moments.ts';
import { type ChanceBody, readChanceText } from '#domain/record/ledger/chance-text.ts';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { makeForecast } from '../../server/forecast/testing/fake-forecasts.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openBaselines } from '../../server/record/house/baselines.ts';
import { CHANCES, type House, type HouseDeps, openHouse } from '../../server/record/house/issue-forecasts.ts';
import { missStore } from '../../server/record/house/miss-store.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';

const never = new AbortController().signal;
/** A Saturday. */
const START_S = Date.parse('2026-11-21T06:00:00Z') / 1000;
const COINS = SYMBOLS.filter(({ hours }) => hours === 'always');
const ETH = symbolNamed('ETH').sym;
const { currentOf: baselineOf } = await openBaselines();

// On PostgreSQL by day, since PGlite never has several processes. record-ledger.test.ts runs the chain on both.
describeBothAtNight('house chances', (kind) => {
  let database: Database;
  let nowMs: number;
  /** Symbols whose candle is a minute late. */
  let late: Set<string>;

  beforeEach(async () => {
    database = await openTestDatabase(kind);
    nowMs = START_S * 1000;
    late = new Set();
  });
  afterEach(() => database?.close());

  const lastCandleS = (): number => Math.floor(nowMs / 1000 / MINUTE_S) * MINUTE_S - MINUTE_S;

  /** One process. Waiting for a retry moves the common clock on. */
  function startProcess(over: Partial<HouseDeps> = {}): House {
    const clock = { nowMs: () => nowMs };
    return openHouse({
      schedule: CHANCES,
      issuers: [
        {
          role: 'serving',
          forecasts: {
            current: async (exc, symbol, model) => makeForecast(exc, symbol, model, lastCandleS(), '1min'),
          },
          // biome-ignore lint/suspicious/noExplicitAny: only the state is read
          registry: { stateOf: () => ({ state: 'ready' }) as any },
        },
      ],
      kindOf: () => 'simulated',
      history: {
        latest: async ({ sym }) => ({
          candles: [],
          marketKind: 'simulated',
          venueId: 'fake',
          attribution: 'Fake',
          delayS: 0,
          asOfS: lastCandleS() - (late.has(sym) ? MINUTE_S : 0),
          isStale: false,
          isOpen: true,
          nowMs,
        }),
      },
      ledger: ledgerStore(database),
      misses: missStore(database),
      baselineOf,
      clock,
      marketClock: clock,
      log: testLog,
      pace: {
        untilMs: (ms) => ms - nowMs,
        ofOursMs(ms) {
          nowMs += ms;
          return 0;
        },
      },
      patienceMs: 5000,
      ...over,
    });
  }

  async function chances(): Promise<ChanceBody[]> {
    const rows = await database.query<{ body: string; hash: string }>(
      OWNER,
      "select body, encode(hash, 'hex') as hash from private.track_records order by seq",
    );
    return rows.map(({ body: text }, i) => {
      const body = readChanceText(text);
      if (body === null) throw new Error(`no chance: ${text}`);
      expect([body.seq, body.prev]).toEqual([i + 1, rows[i - 1]?.hash ?? NO_HASH]);
      return body;
    });
  }
  const misses = () =>
    database.query(OWNER, 'select sym, window_min, reason from private.track_misses order by sym, window_min');
  const keysOf = (bodies: readonly ChanceBody[]) => bodies.map(({ slot, sym, window }) => `${slot} ${sym} ${window}`);

  test('are issued once by three simultaneous processes, at every moment of half an hour', async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    const due: string[] = [];
    for (let atS = momentAfter(START_S); atS < START_S + 30 * MINUTE_S; atS = momentAfter(atS)) {
      nowMs = atS * 1000 + 700;
      await Promise.all(processes.map(({ run }) => run(never)));
      due.push(...COINS.flatMap(({ sym }) => windowsAt(atS).map((window) => `${atS} ${sym} ${window}`)));
    }
    const keys = keysOf(await chances());

    expect(keys.toSorted()).toEqual(due.toSorted());
    // Eighteen windows begin or are half over within half an hour.
    expect([keys.length, await misses()]).toEqual([18 * COINS.length, []]);
  });

  test('continue in the same moment after a restart, and lose nothing', async () => {
    nowMs = (START_S + 3 * MINUTE_S) * 1000 + 700;
    const dying = new AbortController();
    const before = startProcess({
      ledger: {
        ...ledgerStore(database),
        async appendChances(all) {
          const appended = await ledgerStore(database).appendChances(all);
          // Killed after its first chance, before it knows that it was written.
          dying.abort();
          return appended;
        },
      },
    });
    await before.run(dying.signal).catch(() => undefined);
    const written = keysOf(await chances());
    nowMs += 10_000;
    await startProcess().run(never);

    expect(written.length).toBeLessThan(2 * COINS.length);
    expect(keysOf(await chances()).slice(0, written.length)).toEqual(written);
    expect(new Set(keysOf(await chances())).size).toBe(2 * COINS.length);
    expect(await misses()).toEqual([]);
  });

  test('record a miss with its reason for what could not be issued, once, whichever process ends the moment', async () => {
    nowMs = (START_S + 3 * MINUTE_S) * 1000 + 700;
    late.add(ETH);
    const processes = [startProcess(), startProcess()];
    await Promise.all(processes.map(({ run }) => run(never)));
    nowMs = (START_S + 4 * MINUTE_S) * 1000;
    for (const { run } of processes) await run(never);

    expect(await chances()).toHaveLength(2 * (COINS.length - 1));
    expect(await misses()).toEqual([
      { sym: ETH, window_min: 5, reason: 'candle-late' },
      { sym: ETH, window_min: 15, reason: 'candle-late' },
    ]);
  });

  test('are missed, never written later, when a restart takes longer than the moment', async () => {
    nowMs = (START_S + 3 * MINUTE_S) * 1000 + 31_000;
    await startProcess().run(never);
    expect([await chances(), await misses()]).toEqual([[], []]);

    nowMs = (START_S + 6 * MINUTE_S) * 1000 + 500;
    await startProcess().run(never);
    expect(new Set((await chances()).map(({ slot }) => slot))).toEqual(new Set([START_S + 6 * MINUTE_S]));
  });

  test('wait for a database that comes back within the moment, and are missed with the reason otherwise', async () => {
    nowMs = (START_S + MINUTE_S) * 1000 + 500;
    let failures = 4;
    const flaky: HouseDeps['ledger'] = {
      ...ledgerStore(database),
      async appendChances(all) {
        failures -= 1;
        if (failures >= 0) throw new AppError('database/unavailable');
        return await ledgerStore(database).appendChances(all);
      },
    };
    const { run } = startProcess({ ledger: flaky });
    await run(never);
    expect(await chances()).toHaveLength(COINS.length);

    nowMs = (START_S + 3 * MINUTE_S) * 1000 + 500;
    failures = Number.POSITIVE_INFINITY;
    await run(never);
    nowMs = (START_S + 4 * MINUTE_S) * 1000;
    await run(never);
    expect(await chances()).toHaveLength(COINS.length);
    expect(await misses()).toHaveLength(2 * COINS.length);
    expect(await misses()).toContainEqual({ sym: ETH, window_min: 15, reason: 'not-written' });
  });
});
