/** Models that run unseen: nothing that happens to them affects the serving ones. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findSymbol } from '#domain/market/symbols.ts';
import { type Inference, openInference } from '../../server/forecast/inference/inference-client.ts';
import { type ModelRegistry, openModelRegistry, servingVersion } from '../../server/forecast/models/model-registry.ts';
import { openShadowModels, type ShadowModels } from '../../server/forecast/models/shadow-models.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import type { CandleHistory } from '../../server/market/candles/candle-history.ts';
import { testLog as log } from '../support/database/database.ts';
import { BTC, CALM, PATIENT_MS, WILD } from '../support/market/inference-questions.ts';

const never = new AbortController().signal;
const SYMBOL = findSymbol('BINANCE', 'BTCUSDT.P');
const clock = { nowMs: () => 1000 };
const pathKeyOf = async () => '0'.repeat(64);
let candles = CALM;
const history: CandleHistory = {
  async latest() {
    const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
    const asOfS = candles.at(-1)?.time ?? null;
    return { candles, ...from, asOfS, isStale: false, isOpen: true, nowMs: ((asOfS ?? 0) + 61) * 1000 };
  },
  async close() {},
};

let serving: ModelsFolder;
let unseen: ModelsFolder;
let inference: Inference;
let registry: ModelRegistry;
let shadows: ShadowModels;

beforeAll(async () => {
  serving = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
  inference = openInference({ log, timeoutMs: PATIENT_MS });
  registry = await openModelRegistry(serving.path, inference);
});
beforeEach(() => {
  candles = CALM;
});
afterEach(async () => {
  await shadows.close();
  unseen.remove();
});
afterAll(async () => {
  await inference.close();
  serving.remove();
});

async function open(networks: Parameters<typeof makeModelsFolder>[0], timeoutMs = PATIENT_MS): Promise<void> {
  unseen = makeModelsFolder(networks);
  await openUnseen(timeoutMs);
}

async function openUnseen(timeoutMs: number): Promise<void> {
  const opened = await openShadowModels({
    dir: unseen.path,
    serving: registry,
    history,
    clock,
    log,
    pathKeyOf,
    timeoutMs,
  });
  if (opened === null) throw new Error('the folder exists');
  shadows = opened;
}

const requestForecast = (model: 'bobcat' | 'panther') => {
  if (SYMBOL === null) throw new Error('the symbol is known');
  return shadows.forecasts.current('BINANCE', SYMBOL, model, never);
};

test("forecasts the same candles with the shadow's own network, without band corrections", async () => {
  await open({ bobcat: 'nan-when-wild' });

  const forecast = await requestForecast('bobcat');

  expect(forecast.modelVersion).toBe(servingVersion(shadows.registry, 'bobcat'));
  expect(forecast.modelVersion).not.toBe(servingVersion(registry, 'bobcat'));
  expect(forecast.correction.p80).toEqual([1, 1, 1, 1, 1]);
  expect(shadows.registry.states.lion.state).toBe('not-trained');
});

test('disables a shadow of the version that already serves', async () => {
  await open({ bobcat: 'sound', panther: 'nan-when-wild' });

  expect(shadows.registry.states.bobcat).toEqual({ state: 'disabled', reason: 'this version is already serving' });
  expect(shadows.registry.states.panther.state).toBe('ready');
});

test('kills only a shadow that hangs, while the serving process keeps its models', async () => {
  await open({ bobcat: 'endless-when-wild' }, 1000);
  const servingPid = inference.pid;
  candles = WILD;

  const [hung, served] = await Promise.allSettled([
    requestForecast('bobcat'),
    registry.ready('bobcat').forecast(BTC, WILD),
  ]);

  expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'forecast/failed' } });
  expect(served.status).toBe('fulfilled');
  expect(inference.pid).toBe(servingPid);
  expect(registry.states.bobcat.state).toBe('ready');
});

test('starts despite a shadow with altered files', async () => {
  unseen = makeModelsFolder({ panther: 'nan-when-wild' });
  unseen.edit('panther', 'paths.json', (text) => `${text} `);
  await openUnseen(PATIENT_MS);

  expect(shadows.registry.states.panther.state).toBe('disabled');
  expect(registry.states.panther.state).toBe('ready');
});

test('opens nothing without the folder', async () => {
  await open({});
  const parts = { serving: registry, history, clock, log, pathKeyOf, timeoutMs: PATIENT_MS };

  expect(await openShadowModels({ dir: `${unseen.path}-elsewhere`, ...parts })).toBeNull();
});
