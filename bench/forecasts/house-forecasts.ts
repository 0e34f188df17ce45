/**
 * The cost of house forecasts: a slot of thirty, and the wait of a user who requests a forecast in the middle of it,
 * alternating with a user without other load: `npm run bench -- house [SLOTS]`. Shipped models in the inference
 * process, sandbox market, PGlite on disk.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { symbolOfLabel } from '#domain/market/symbols.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { openInference } from '../../server/forecast/inference/inference-client.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { openBaselines } from '../../server/record/house/baselines.ts';
import { openHouse } from '../../server/record/house/issue-forecasts.ts';
import { missStore } from '../../server/record/house/miss-store.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { testLog } from '../../tests/support/database/database.ts';
import { startMarketStack } from '../../tests/support/market/market-stack.ts';

const slots = Number(process.argv[2] ?? 60);
/** Wednesday 12 November 2025, 15:00 UTC: everything is traded until the evening. */
const FIRST_SLOT_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const MAX_SLOTS = 60;
if (!Number.isInteger(slots) || slots < 4 || slots > MAX_SLOTS) {
  console.error(`bench:house: 4 to ${MAX_SLOTS} slots`);
  process.exit(2);
}
const never = new AbortController().signal;

const dataDir = await mkdtemp(join(tmpdir(), 'kat-house-'));
const database = await openDatabase({
  databaseUrl: null,
  dataDir,
  isDurable: false,
  clockOffsetMs: () => 0,
  log: testLog,
});
await migrate(database, { log: testLog });
const stack = await startMarketStack();
const inference = openInference({ log: testLog, timeoutMs: 5000 });
const registry = await openModelRegistry(join(import.meta.dirname, '../..', 'models'), inference);
const { history, clock } = stack;
const forecasts = openForecasts({ history, registry, clock, log: testLog });
const appendMs: number[] = [];
const ledger = ledgerStore(database);
const house = openHouse({
  history,
  clock,
  marketClock: clock,
  log: testLog,
  misses: missStore(database),
  baselineOf: (await openBaselines()).currentOf,
  issuers: [{ role: 'serving', forecasts, registry }],
  kindOf: () => 'simulated',
  ledger: {
    async append(records) {
      const beganMs = performance.now();
      const written = await ledger.append(records);
      appendMs.push(performance.now() - beganMs);
      return written;
    },
    appendChances: (chances) => ledger.appendChances(chances),
  },
});

const BTC = symbolOfLabel('BTC');
if (BTC === null) throw new Error('no BTC');
/** Another exchange code than the house's, so that the user's forecast is not shared with it. */
const asUser = async (): Promise<number> => {
  const beganMs = performance.now();
  await forecasts.current('OKX', BTC, 'lion', never);
  return performance.now() - beganMs;
};

const beside: number[] = [];
const alone: number[] = [];
const slotMs: number[] = [];
for (let slot = 0; slot < slots; slot++) {
  clock.ms = (FIRST_SLOT_S + 300 * slot + 2) * 1000;
  // The candles are loaded, as after the start of a minute.
  await Promise.all(
    ['BTC', 'MSFT', 'Gold', 'Oil'].map((label) => history.latest(symbolOfLabel(label) ?? BTC, 1, never)),
  );
  const beganMs = performance.now();
  const issuing = house.run(never).then(() => slotMs.push(performance.now() - beganMs));
  await sleep(20);
  beside.push(await asUser());
  await issuing;
  clock.ms += 120_000;
  await history.latest(BTC, 1, never);
  await sleep(20);
  alone.push(await asUser());
}
const warm = (values: readonly number[]): number[] => values.slice(2).toSorted((a, b) => a - b);
const figures = (values: readonly number[]) => {
  const sorted = warm(values);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
};
const round = (ms: number): number => Math.round(100 * ms) / 100;
console.log(
  JSON.stringify(
    {
      slots,
      load: loadavg().map(round),
      records: appendMs.length,
      slotOfThirty: figures(slotMs),
      appendOfOne: figures(appendMs),
      userBeside: figures(beside),
      userAlone: figures(alone),
    },
    null,
    1,
  ),
);
await inference.close();
await stack.close();
await database.close();
await rm(dataDir, { recursive: true, force: true });
