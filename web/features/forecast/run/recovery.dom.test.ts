import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredForecast, UnsavedForecast } from '#domain/forecast/stream-message.ts';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { signedIn } from '../../../session/testing/signed-in.ts';
import { anUnsaved, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { recoverLast } from './recovery.ts';
import { rememberRun } from './watched-run.ts';

let backend: FakeBackend;
beforeEach(async () => {
  backend = fakeBackend();
  await signedIn();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const STORED: StoredForecast = {
  start: aStart({ sym: 'ETHUSDT.P' }),
  history: candlesUntil(T0, 150),
  forecast: forecastPath(),
  state: 'reserved',
};

/** The server lists these one after the other, the last one for good. */
function listUnsaved(...lists: UnsavedForecast[][]): void {
  backend.on('GET /forecast/reservations', () =>
    json({ reservations: (lists.length > 1 ? lists.shift() : lists[0]) ?? [] }),
  );
  for (const { id } of lists.flat()) storeForecast(id, STORED);
  backend.fn('create-prediction', () => json({ ok: true }));
}

const storeForecast = (id: string, stored: StoredForecast) =>
  backend.on(`GET /forecast/reservations/${id}`, () => json(stored));
const listed = () => backend.to('/forecast/reservations');
/** Ids of the forecasts that were loaded. */
const loaded = () =>
  backend.requests.flatMap(({ path }) => /^\/forecast\/reservations\/(.+)$/.exec(path)?.slice(1) ?? []);
const saved = () => backend.to('/functions/v1/create-prediction');
/** Reports are sent after the call that reports. */
async function reported() {
  await vi.advanceTimersByTimeAsync(30);
  return backend.errors().map(({ context }) => context.where);
}

const recover = (signal = new AbortController().signal) => recoverLast('u1', signal);

test('saves the newest forecast that was left, with the candles of the server', async () => {
  listUnsaved([anUnsaved({ id: 'new' }), anUnsaved({ id: 'old', label: 'BTC' })]);

  const recovered = await recover();

  expect(loaded()).toEqual(['new']);
  expect(saved().map(({ body }) => body)).toEqual([
    { model: 'kat1', cryptocurrency: 'ETH', timeframe: '1min', data: [...STORED.history, ...STORED.forecast] },
  ]);
  expect(recovered?.stored).toEqual(STORED);
});

test.each<[string, Partial<UnsavedForecast>]>([
  ['of a symbol that the picker no longer has', { label: 'PEPE' }],
  ['of a removed model', { model: 'kat9' }],
  ['of which no candle was seen, because it costs nothing yet', { candlesSent: 0 }],
])('leaves one %s alone', async (_which, change) => {
  listUnsaved([anUnsaved(change)]);

  expect(await recover()).toBeNull();
  expect(loaded()).toEqual([]);
});

test('leaves one that another tab is still streaming to that tab', async () => {
  listUnsaved([anUnsaved({ ageMs: 4000 })], []);

  const recovering = recover();
  await vi.advanceTimersByTimeAsync(10_999);
  expect(listed()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);

  expect(await recovering).toBeNull();
  expect(listed()).toHaveLength(2);
  expect(loaded()).toEqual([]);
});

test('takes up one that is still unsaved after 15 seconds, and none that began meanwhile', async () => {
  listUnsaved(
    [anUnsaved({ id: 'left', ageMs: 4000 })],
    [anUnsaved({ id: 'fresh', ageMs: 2000 }), anUnsaved({ id: 'left', ageMs: 15_000 })],
  );

  const recovering = recover();
  await vi.advanceTimersByTimeAsync(11_000);

  expect(await recovering).not.toBeNull();
  expect(loaded()).toEqual(['left']);
});

test('does not take up one that this tab watches', async () => {
  listUnsaved([anUnsaved()]);
  rememberRun({ reservationId: 'r1', userId: 'u1', symbolLabel: 'ETH', timeframe: '1min', model: 'bobcat' });

  expect(await recover()).toBeNull();
  expect(loaded()).toEqual([]);
});

test.each([
  ['was saved by another tab meanwhile', () => json({ ...STORED, state: 'spent' })],
  ['is no longer stored', () => json({ error: 'Gone.', code: 'forecast/unknown-reservation' }, 404)],
])('saves none that %s and reports nothing', async (_what, answer) => {
  listUnsaved([anUnsaved()]);
  backend.on('GET /forecast/reservations/r1', answer);

  expect(await recover()).toBeNull();
  expect(saved()).toEqual([]);
  expect(await reported()).toEqual([]);
});

test.each(['GET /forecast/reservations', 'GET /forecast/reservations/r1', 'POST /functions/v1/create-prediction'])(
  'reports a failure of %s and shows nothing else',
  async (path) => {
    listUnsaved([anUnsaved()]);
    backend.on(path, () => json({ error: 'Away.', code: 'server/failed' }, 500));

    expect(await recover()).toBeNull();
    expect(await reported()).toEqual(['recovery']);
  },
);

test('requests and reports nothing more once the panel is closed', async () => {
  listUnsaved([anUnsaved({ ageMs: 0 })]);
  const abort = new AbortController();
  const recovering = recover(abort.signal);
  await vi.advanceTimersByTimeAsync(1000);

  abort.abort();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await recovering).toBeNull();
  expect(listed()).toHaveLength(1);
  expect(await reported()).toEqual([]);
});
