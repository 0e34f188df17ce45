/** Candles of 5 and 15 minutes: from the choice to the saved prediction and back. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toColumns } from '#domain/market/candle.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { anUnsaved, aRow, aStart, candlesUntil, forecastPath, T0 } from './testing/forecast-fixtures.ts';
import {
  address,
  count,
  history,
  type PanelServer,
  panelServer,
  pick,
  predict,
  show,
  stream,
} from './testing/forecast-panel.tsx';

const BAR_S = 300;
const TF = { '5min': BAR_S, '15min': 900 } as const;

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
  server.on('GET /history', ({ search }) => history({}, barOf(search)));
});

function barOf(search: string): number {
  const tf = new URLSearchParams(search).get('tf');
  return tf === null ? 60 : TF[tf as keyof typeof TF];
}

/** The user's saved predictions, as the database filters them. */
function store(...rows: ReturnType<typeof aRow>[]): void {
  server.on('GET /rest/v1/user_predictions', ({ search }) => {
    const query = new URLSearchParams(search);
    const isWanted = (row: ReturnType<typeof aRow>) =>
      (['id', 'cryptocurrency', 'timeframe'] as const).every(
        (name) => query.get(name) === null || query.get(name) === `eq.${row[name]}`,
      );
    return json(rows.filter(isWanted));
  });
}

const ready = () => screen.findByText('15 left today / 300 this month');
const choose = (label: string) => userEvent.click(screen.getByRole('radio', { name: label }));
const chosen = () => screen.getByRole('radio', { checked: true }).getAttribute('value');

test('shows candles of the chosen timeframe, and writes it into the address', async () => {
  await show(server, 'lion');
  await ready();
  await vi.waitFor(() => expect(count()).toBe(150));
  expect(screen.getByRole('group', { name: 'Timeframe: 1 minute' })).toBeDefined();

  await choose('5m');

  expect(await screen.findByText('last 150 5-minute candles')).toBeDefined();
  expect(screen.getByRole('group', { name: 'Timeframe: 5 minutes' })).toBeDefined();
  expect(address()).toBe('/kat?sym=BTC&tf=5min');
  // The minutes of the candle that forms are requested too, somewhat later.
  expect(server.callsTo('/history').filter((call) => /&amp=100&tf=5min$/.test(call))).toHaveLength(1);
  expect(screen.getByText('over 12 h 30')).toBeDefined();
  expect(screen.getByRole('columnheader', { name: 'bars' })).toBeDefined();

  await choose('1m');

  expect(await screen.findByText('last 150 one-minute candles')).toBeDefined();
  expect(address()).toBe('/kat?sym=BTC');
  expect(server.callsTo('/history').at(-1)).not.toContain('tf=');
});

test('changes the timeframe by keyboard, and starts the next visit with it', async () => {
  const first = await show(server, 'lion');
  await ready();
  screen.getByRole('radio', { name: '1m' }).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(await screen.findByText('last 150 15-minute candles')).toBeDefined();
  first.unmount();

  await show(server, 'lion');

  expect(await screen.findByText('last 150 15-minute candles')).toBeDefined();
  expect(chosen()).toBe('15min');
});

test('streams a forecast of the timeframe, and saves it under its name', async () => {
  server.on('GET /stream-kat2', () => stream({ timeframe: '5min' }));
  await show(server, 'bobcat', '/kat?sym=BTC&tf=5min');
  await ready();

  await predict();

  await vi.waitFor(() => expect(server.to('/functions/v1/create-prediction')).toHaveLength(1));
  expect(server.callsTo('/stream-kat2')[0]).toMatch(/&tf=5min&ver=/);
  const [{ body } = { body: null }] = server.to('/functions/v1/create-prediction');
  const { timeframe, data } = body as { timeframe: string; data: { time: number }[] };
  expect(timeframe).toBe('5min');
  expect(data.map(({ time }) => time)).toEqual(Array.from({ length: 200 }, (_, i) => T0 + (i - 149) * BAR_S));
  expect(await screen.findByText(/^In 4 h 10, 8 of 10 closes should fall between/)).toBeDefined();
});

test('refuses a stream of another timeframe than it requested', async () => {
  server.on('GET /stream-kat2', () => stream());
  await show(server, 'bobcat', '/kat?sym=BTC&tf=5min');
  await ready();

  await predict();

  expect(await screen.findByText('We couldn’t read the forecast.')).toBeDefined();
  expect(server.to('/functions/v1/create-prediction')).toEqual([]);
});

test('brings back the running forecast of the timeframe on the chart, and not that of another', async () => {
  store(aRow({ timeframe: '5min', joinS: T0 - 3 * BAR_S }));
  const first = await show(server, 'lion', '/kat?tf=5min');
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.getByText(/3 of 50 bars, 3 in the 80% band/)).toBeDefined();
  first.unmount();

  await show(server, 'lion', '/kat?tf=1min');
  await ready();

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(server.to('/rest/v1/user_predictions').at(-1)?.search).toContain('timeframe=eq.1min');
});

test('shows the timeframe of a saved prediction that the user opens', async () => {
  const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
  store(aRow({ id, timeframe: '15min', joinS: T0 - 200 * 900 }));
  await show(server, 'lion', `/kat?sym=BTC&saved=${id}`);

  await vi.waitFor(() => expect(count()).toBe(200));

  await vi.waitFor(() => expect(chosen()).toBe('15min'));
  expect(address()).toBe(`/kat?sym=BTC&saved=${id}&tf=15min`);
});

test('finishes a forecast of the timeframe that another page left', async () => {
  const unsaved = anUnsaved({ sym: 'BTCUSDT.P', label: 'BTC', timeframe: '15min' });
  server.on('GET /forecast/reservations', () => json({ reservations: [unsaved] }));
  server.on('GET /forecast/reservations/r1', () =>
    json({
      start: aStart({ timeframe: '15min' }),
      history: candlesUntil(T0, 150, 900),
      forecast: forecastPath(T0, 50, 900),
      state: 'reserved',
    }),
  );
  await show(server, 'lion');

  await vi.waitFor(() => expect(server.to('/functions/v1/create-prediction')).toHaveLength(1));

  expect(server.to('/functions/v1/create-prediction')[0]?.body).toMatchObject({ timeframe: '15min' });
  await vi.waitFor(() => expect(chosen()).toBe('15min'));
});

test('says that a timeframe has too few candles, and offers one minute', async () => {
  server.on('GET /history', ({ search }) =>
    search.includes('tf=') ? json(toColumns(candlesUntil(T0, 43, 900))) : history(),
  );
  await show(server, 'lion', '/kat?sym=MSFT&tf=15min');
  await ready();
  const notice = (await screen.findByText('Only 43 candles so far.')).closest('div');
  if (notice === null) throw new Error('no notice');
  expect(notice.textContent).toContain('A forecast needs 120.');

  await userEvent.click(within(notice).getByRole('button', { name: 'Show 1 minute' }));

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(address()).toBe('/kat?sym=MSFT');
  expect(screen.queryByText(/A forecast needs/)).toBeNull();
});

test('offers one minute where the candles of a timeframe can’t be loaded', async () => {
  server.on('GET /history', ({ search }) =>
    search.includes('tf=') ? json({ error: 'Away.', code: 'venue/unavailable' }, 503) : history(),
  );
  await show(server, 'lion', '/kat?tf=5min');
  await screen.findByText('Failed to load');

  await userEvent.click(screen.getByRole('button', { name: 'Show 1 minute' }));

  await vi.waitFor(() => expect(count()).toBe(150));
});

test('shows one minute and a message for a timeframe of the address that does not exist', async () => {
  const shown = vi.spyOn(toast, 'error');

  await show(server, 'lion', '/kat?sym=ETH&tf=7min');

  expect(await screen.findByText('last 150 one-minute candles')).toBeDefined();
  const message = 'There is no timeframe 7min. The chart shows 1 minute.';
  await vi.waitFor(() => expect(shown).toHaveBeenCalledExactlyOnceWith(message));
  expect(chosen()).toBe('1min');
});

test('says in the list of models that they are equally accurate at 5 minutes', async () => {
  await show(server, 'lion', '/kat?tf=5min');
  await ready();
  expect(screen.getByText(/At 5 minutes, the three models are equal in measured accuracy\./)).toBeDefined();

  await pick('Model', 'Bobcat (Kat 1)');
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));

  expect(await screen.findAllByText('At 5 minutes, as accurate as the other two')).toHaveLength(3);
});

test('says to a visitor that another timeframe needs a plan, and stays at one minute', async () => {
  await show(server, 'visitor');
  await screen.findByText('shared forecast');

  await choose('15m');

  expect(await screen.findByText('Without a plan: 1 minute only')).toBeDefined();
  expect(chosen()).toBe('1min');
  expect(address()).toBe('/kat?sym=BTC&tf=15min');
  expect(server.callsTo('/history').filter((call) => call.includes('tf='))).toEqual([]);
});

test('shows a free user the candles of another timeframe, without the shared forecast of one minute', async () => {
  await show(server, 'free', '/kat?tf=5min');

  expect(await screen.findByText('Without a plan: 1 minute only')).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(150));
  expect(server.callsTo('/forecast/latest')).toEqual([]);
});

test('says so beside the button on a phone, where the caption may be below the screen', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(max-width: 40em)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  await show(server, 'free', '/kat?tf=5min');

  const note = await screen.findByText('Without a plan: 1 minute only');

  expect(note.parentElement?.contains(screen.getByRole('button', { name: /left today/ }))).toBe(true);
});
