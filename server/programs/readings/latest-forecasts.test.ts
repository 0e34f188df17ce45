import { expect, test } from 'vitest';
import { MODELS } from '#domain/forecast/models.ts';
import type { StoredForecast, UnsavedForecast } from '#domain/forecast/stream-message.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { Permission } from '../../forecast/predictions/prediction-store.ts';
import { fakeForecasts, makeForecast } from '../../forecast/testing/fake-forecasts.ts';
import { ONLY_SPECIFIED } from '../../market/catalogue/symbol-lookup.ts';
import type { Database } from '../../platform/database/database.ts';
import { forecastContent, forecastSubject } from '../../record/share/testing/view-fixtures.ts';
import { type LatestForecastDeps, latestForecasts, type WantedForecast } from './latest-forecasts.ts';

const owner = { userId: 'ada', isRaised: false };
const { signal } = new AbortController();
const NOW_MS = Date.parse('2025-11-12T00:30:00Z');
const wanted: WantedForecast = { symbol: 'ETHUSDT.P', model: 'lion', timeframe: '1min' };
const { history, path, band, lastClose } = forecastContent(forecastSubject());
const row = {
  id: 'p',
  user_id: 'ada',
  cryptocurrency: 'ETH',
  timeframe: '1min',
  model: 'kat2_4',
  band,
  created_at: '2025-11-12T00:01:02+00:00',
  data: [...history, ...path],
};

interface World {
  permission?: Permission;
  saved?: object[];
  unsaved?: Partial<UnsavedForecast>[];
  stored?: StoredForecast | null;
}

function open({ permission = { kind: 'allowed' }, saved = [], unsaved = [], stored = null }: World = {}) {
  const queried = { permissions: 0, saved: [] as (readonly unknown[])[] };
  const query = async (_caller: unknown, _text: string, params: readonly unknown[]) => {
    queried.saved.push(params);
    return saved;
  };
  const deps: LatestForecastDeps = {
    database: { query } as Partial<Database> as Database,
    clock: { nowMs: () => NOW_MS },
    forecasts: fakeForecasts(),
    predictions: {
      permissionOf: async () => {
        queried.permissions += 1;
        return permission;
      },
      unsavedOf: async () => unsaved as UnsavedForecast[],
      read: async (_userId, _id, count) => {
        expect(count).toBe(50);
        return stored;
      },
    },
    symbols: ONLY_SPECIFIED,
  };
  return { queried, latest: latestForecasts(deps) };
}

test('reads the public forecast for every plan, without a look at the plan', async () => {
  const { queried, latest } = open({ permission: { kind: 'refused', code: 'forecast/model-locked' } });
  const { shown } = await latest(owner, { symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '1min' }, signal);
  expect(shown).toMatchObject({ access: 'public', symbol: 'BTCUSDT.P', label: 'BTC', market: 'simulated' });
  expect(shown.bands).toHaveLength(50);
  expect(queried.permissions).toBe(0);
});

test.each([
  ['another model', { symbol: 'BTCUSDT.P', model: 'lion', timeframe: '1min' }],
  ['another length of candle', { symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '5min' }],
  ['another symbol', { symbol: 'ETHUSDT.P', model: 'bobcat', timeframe: '1min' }],
] as const)('refuses %s than the public one until it is opened on the site', async (_what, question) => {
  const refusal = { code: 'forecast/not-opened', details: { symbol: question.symbol, model: question.model } };
  await expect(open().latest(owner, question, signal)).rejects.toMatchObject(refusal);
});

test('refuses a model that the plan does not include, whatever was saved before', async () => {
  const permission = { kind: 'refused', code: 'forecast/model-locked' } as const;
  const { latest } = open({ permission, saved: [{ cursor: '1', row, outcome: null }] });
  await expect(latest(owner, wanted, signal)).rejects.toMatchObject({ code: 'forecast/model-locked' });
});

test('reads any forecast for an admin', async () => {
  const { latest } = open({ permission: { kind: 'admin' } });
  expect((await latest(owner, wanted, signal)).shown).toMatchObject({ access: 'admin', symbol: 'ETHUSDT.P' });
});

test('reads a saved prediction while its candles close, also with the quota spent', async () => {
  const permission = { kind: 'refused', code: 'quota/daily-spent' } as const;
  const { queried, latest } = open({ permission, saved: [{ cursor: '1', row, outcome: null }] });
  const found = await latest(owner, wanted, signal);
  expect(found.shown).toMatchObject({
    access: 'opened',
    symbol: 'ETHUSDT.P',
    label: 'ETH',
    modelVersion: null,
    market: null,
    lastClose,
    firstBarOpensAt: '2025-11-12T00:01:00Z',
    issuedAt: '2025-11-12T00:01:02Z',
  });
  expect(found.history).toEqual(history);
  expect(found.path).toEqual(path);
  expect(queried.saved).toEqual([['ada', 'ETH', 'kat2_4', '1min', NOW_MS - 50 * 60_000]]);
});

test('says on which market a saved prediction was made, once that is stored', async () => {
  const outcome = { prediction_id: 'p', market_kind: 'replayed', due_at: '2025-11-12T00:51:00Z', state: 'waiting' };
  const { latest } = open({ saved: [{ cursor: '1', row, outcome }] });
  expect((await latest(owner, wanted, signal)).shown.market).toBe('replayed');
});

test('has what a saved prediction knew of releases, and null of one that stored nothing', async () => {
  const release = { kind: 'inflation', title: 'CPI m/m', name: 'US CPI' };
  const releases = { list: [{ atS: 1_762_906_500, ...release }], factor: 1.9, isComplete: true };
  const shownOf = async (change: object) => {
    const { latest } = open({ saved: [{ cursor: '1', row: { ...row, ...change }, outcome: null }] });
    return (await latest(owner, wanted, signal)).shown.releases;
  };

  expect(await shownOf({ releases })).toEqual({
    list: [{ at: '2025-11-12T00:15:00Z', ...release }],
    widthFactor: 1.9,
    isComplete: true,
  });
  expect(await shownOf({})).toBeNull();
});

test.each([
  ['short', { data: path }],
  ['saved without a band', { band: null }],
  ['saved at no readable time', { created_at: 'soon' }],
])('does not read a prediction that is %s', async (_what, change) => {
  const { latest } = open({ saved: [{ cursor: '1', row: { ...row, ...change }, outcome: null }] });
  await expect(latest(owner, wanted, signal)).rejects.toMatchObject({ code: 'forecast/not-opened' });
});

const ether = SYMBOLS.find(({ sym }) => sym === 'ETHUSDT.P') ?? SYMBOLS[0];
const issued = makeForecast('BINANCE', ether, 'lion', 1_790_000_040);
const { symbol: _symbol, t0, modelVersion, issuedAtMs, marketKind } = issued;
const stored: StoredForecast = {
  state: 'spent',
  history: [...issued.history],
  forecast: [...issued.path],
  start: {
    reservationId: 'r',
    t0,
    lastClose: issued.lastClose,
    exc: 'BINANCE',
    sym: ether.sym,
    model: 'lion',
    modelVersion,
    issuedAtMs,
    marketKind,
    ampPercent: 100,
    band: Object.fromEntries(Object.entries(issued.band).map(([edge, prices]) => [edge, [...prices]])) as never,
  },
};
const unsaved: Partial<UnsavedForecast> = {
  id: 'r',
  sym: ether.sym,
  label: 'ETH',
  model: MODELS.lion.backendName,
  timeframe: '1min',
  candlesSent: 50,
};

test('reads a forecast that was streamed and is not saved yet, with its label', async () => {
  const {
    shown,
    history: real,
    path: drawn,
  } = await open({ unsaved: [unsaved], stored }).latest(owner, wanted, signal);
  expect(shown).toMatchObject({ access: 'opened', label: 'ETH', modelVersion: 'fake-1', timeframe: '1min' });
  expect(shown.bands).toHaveLength(50);
  expect(real).toHaveLength(150);
  expect(drawn).toHaveLength(50);
});

test.each([
  ['another symbol', { ...unsaved, sym: 'SOLUSDT.P' }],
  ['another model', { ...unsaved, model: MODELS.panther.backendName }],
  ['candles of another length', { ...unsaved, timeframe: '15min' as const }],
  ['which no candle was sent', { ...unsaved, candlesSent: 0 }],
])('does not take a streamed forecast of %s for the wanted one', async (_what, other) => {
  const { latest } = open({ unsaved: [other], stored });
  await expect(latest(owner, wanted, signal)).rejects.toMatchObject({ code: 'forecast/not-opened' });
});

test('refuses a streamed forecast whose ten minutes ended between the two reads', async () => {
  const { latest } = open({ unsaved: [unsaved], stored: null });
  await expect(latest(owner, wanted, signal)).rejects.toMatchObject({ code: 'forecast/not-opened' });
});

test('refuses an unknown symbol by the name of its parameter', async () => {
  const question = { ...wanted, symbol: 'NOPE' };
  const refusal = { code: 'market/unknown-symbol', details: { parameter: 'symbol' } };
  await expect(open().latest(owner, question, signal)).rejects.toMatchObject(refusal);
});
