/** Forecasts for the public record: real networks on the sandbox market, a real chain in a real database. */
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { NO_HASH, type RecordBody, readRecordText } from '#domain/record/ledger/ledger.ts';
import type { Forecasts } from '../../server/forecast/forecast.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import { openBaselines } from '../../server/record/house/baselines.ts';
import { type House, openHouse } from '../../server/record/house/issue-forecasts.ts';
import { missStore } from '../../server/record/house/miss-store.ts';
import { recordOf } from '../../server/record/house/unsealed-record.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type MarketStack, startMarketStack } from '../support/market/market-stack.ts';
import { isNight } from '../support/run/test-size.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const MODELS_DIR = new URL('../../models/', import.meta.url).pathname;
/** Real networks: one by day, all of them at night. */
const MODELS: readonly ModelName[] = isNight ? MODEL_NAMES : ['bobcat'];
const [MODEL = 'bobcat'] = MODELS;
const never = new AbortController().signal;
const BTC = symbolNamed('BTC');
const COINS = SYMBOLS.filter(({ hours }) => hours === 'always');
/** Due in every slot of a Saturday. */
const PER_SLOT = COINS.length * MODELS.length;
/** A Saturday, when only coins are traded. */
const START_S = Date.parse('2025-11-15T09:00:00Z') / 1000;

const { currentOf: baselineOf } = await openBaselines();
const runner = inProcessRunner();
let folder: ModelsFolder;
let registry: ModelRegistry;

beforeAll(async () => {
  folder = makeModelsFolder({});
  for (const model of MODELS) cpSync(join(MODELS_DIR, model), join(folder.path, model), { recursive: true });
  registry = await openModelRegistry(folder.path, runner);
});
afterAll(async () => {
  await runner.close();
  folder.remove();
});

interface StoredRecord {
  body: string;
  hash: string;
  [column: string]: unknown;
}

type Read = StoredRecord & { record: RecordBody; document: string };

async function recordsOf(database: Database): Promise<Read[]> {
  const queries = asOwner(database);
  const rows = await queries.query<StoredRecord>(
    "select body, encode(hash, 'hex') as hash from private.track_records order by seq",
  );
  const stored = await queries.query<{ hash: string; body: string }>(
    "select encode(hash, 'hex') as hash, body from private.track_documents",
  );
  const documents = new Map(stored.map(({ hash, body }) => [hash, body]));
  return rows.map((row) => {
    const record = readRecordText(row.body);
    if (record === null) throw new Error(`no record: ${row.body}`);
    return { ...row, record, document: documents.get(record.document) ?? 'missing' };
  });
}

/** Every text matches its hash, names the previous record, and lies in its own slot's minute. */
function expectWhole(records: readonly Read[]): void {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  for (const [i, { body, hash, record, document }] of records.entries()) {
    expect(hash).toBe(sha256(body));
    expect([record.seq, record.prev]).toEqual([i + 1, records[i - 1]?.hash ?? NO_HASH]);
    expect(record.document).toBe(sha256(document));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024);
  }
}

/** As its job does: a run ends after ten seconds, and the next one continues immediately. */
async function runSlot(house: House): Promise<void> {
  for (let nextInMs = 0; nextInMs <= 0; ) ({ nextInMs } = await house.run(never));
}

describeBothAtNight('house forecasts', (kind) => {
  let database: Database;
  let stack: MarketStack;
  /** The running test's slot. It only advances, because the market's time never runs backwards. */
  let slotS = START_S;

  beforeAll(async () => {
    stack = await startMarketStack();
  });
  afterAll(() => stack.close());

  beforeEach(async () => {
    database = await openTestDatabase(kind);
    goToNext();
  });
  afterEach(() => database.close());

  /** As in a process that starts now. */
  function start(): { house: House; forecasts: Forecasts } {
    const { history, clock } = stack;
    const forecasts = openForecasts({ history, registry, clock, log: testLog });
    const house = openHouse({
      history,
      clock,
      marketClock: clock,
      baselineOf,
      log: testLog,
      issuers: [{ role: 'serving', forecasts, registry }],
      kindOf: () => 'simulated',
      ledger: ledgerStore(database),
      misses: missStore(database),
      // Real time decides nothing: a busy machine takes longer than the product waits.
      patienceMs: WAIT_MS,
      // A retry waits until the clock has advanced by its delay.
      pace: {
        untilMs: (ms) => ms - clock.ms,
        ofOursMs(ms) {
          clock.ms += ms;
          return 5;
        },
      },
    });
    return { house, forecasts };
  }

  function goTo(secondsIn: number): void {
    stack.clock.ms = (slotS + secondsIn) * 1000;
  }

  function goToNext(): void {
    slotS += 300;
    goTo(2);
  }

  test('records the forecasts that users get in the same minute, computed once', async () => {
    const { house, forecasts } = start();
    const early = await forecasts.current('BINANCE', BTC, MODEL, never);

    await runSlot(house);

    const records = await recordsOf(database);
    expect(records).toHaveLength(PER_SLOT);
    expect(forecasts.computations).toBe(PER_SLOT);
    expectWhole(records);
    for (const symbol of COINS) {
      for (const model of MODELS) {
        const shown = await forecasts.current(symbol.exc, symbol, model, never);
        const found = records.find(({ record }) => record.sym === symbol.sym && record.model === model);
        const issuedMs = found?.record.issued ?? 0;
        expect(found?.record).toMatchObject(
          recordOf(shown, { issuedMs, role: 'serving', baseline: baselineOf('1min') }).record,
        );
      }
    }
    const btc = records.find(({ record }) => record.sym === BTC.sym && record.model === MODEL);
    expect(btc?.document).toContain(
      JSON.stringify(early.path.map(({ open, high, low, close }) => [open, high, low, close])),
    );
    expect(forecasts.computations).toBe(PER_SLOT);
    expect(new Set(records.map(({ record }) => [record.slot, record.market].join(' ')))).toEqual(
      new Set([`${slotS} simulated`]),
    );
  });

  test('leaves a whole chain when a process dies mid-slot, and the next process continues it', async () => {
    const dying = start();
    const killed = new AbortController();
    const left = dying.house.run(killed.signal);
    await vi.waitFor(async () => expect((await recordsOf(database)).length).toBeGreaterThan(0), {
      interval: 1,
      timeout: WAIT_MS,
    });
    killed.abort();
    await left.catch(() => undefined);
    goTo(15);

    await runSlot(start().house);

    const records = await recordsOf(database);
    expectWhole(records);
    expect(records).toHaveLength(PER_SLOT);
    expect(new Set(records.map(({ record: { slot, sym, model } }) => `${slot} ${sym} ${model}`)).size).toBe(PER_SLOT);
  });

  test('makes one chain when two leaders run at the same time', async () => {
    await Promise.all([runSlot(start().house), runSlot(start().house)]);

    const records = await recordsOf(database);
    expectWhole(records);
    expect(records).toHaveLength(PER_SLOT);
  });

  test('loses no slot to a restart between two slots', async () => {
    await runSlot(start().house);
    goTo(200);
    const { house } = start();
    await runSlot(house);
    goToNext();
    await runSlot(house);

    const records = await recordsOf(database);
    expectWhole(records);
    expect(records).toHaveLength(2 * PER_SLOT);
  });
});

describeOneDatabase('a whole server', (kind) => {
  let database: Database;
  let tiny: ModelsFolder;
  beforeEach(async () => {
    database = await openTestDatabase(kind);
    // At night too only one, so that a slot of less than a second is enough.
    tiny = makeModelsFolder({ [MODEL]: 'sound' });
  });
  afterEach(async () => {
    await database.close();
    tiny.remove();
  });

  const slots = async () => [...Map.groupBy(await recordsOf(database), ({ record }) => record.slot).values()];

  test('issues consecutive slots on a market that runs sixty times as fast', async () => {
    const env = { HOUSE_FORECASTS: 'on' };
    const server = await startWholeServer(database, { env, marketSpeed: 60, modelsDir: tiny.path });

    // Each slot leaves less than a second to issue here, and a busy machine misses most. It gets fifty of them.
    await vi.waitFor(
      async () => {
        const whole = (await slots()).filter((of) => of.length >= COINS.length);
        expect(whole.length).toBeGreaterThan(1);
      },
      { timeout: 9 * WAIT_MS, interval: 200 },
    );
    await server.close();

    expectWhole(await recordsOf(database));
  });

  test('issues nothing and records no miss when house forecasts are off', async () => {
    const server = await startWholeServer(database, { marketSpeed: 120, modelsDir: tiny.path });
    // Long enough for two slots to begin and end.
    await sleep(5000);
    await server.close();

    expect(await recordsOf(database)).toEqual([]);
    // No slot was recorded as missed either.
    expect(await asOwner(database).query('select 1 from private.track_misses')).toEqual([]);
  });
});
