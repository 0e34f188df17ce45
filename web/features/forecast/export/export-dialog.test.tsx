import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import { createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { type SavedFile, savedFiles } from '../../../ui/testing/saved-files.ts';
import { aMarket, aRow, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import type { DrawPicture } from './draw-picture.ts';
import { ExportDialog } from './export-dialog.tsx';
import type { ExportedForecast } from './use-exported.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const PICTURE = new Blob(['a picture'], { type: 'image/png' });
const OWN: ExportedForecast = {
  start: aStart(),
  marketKind: 'simulated',
  phase: 'done',
  origin: 'run',
  userId: 'u1',
  saved: null,
  savedId: null,
};
const SAVED: ExportedForecast = { ...OWN, isSaved: true, saved: aRow() };

const draw = vi.fn<DrawPicture>();

let backend: FakeBackend;
let files: SavedFile[];
let tokens: { token: string }[];

beforeEach(() => {
  draw.mockReset().mockResolvedValue(PICTURE);
  files = savedFiles();
  tokens = [];
  backend = fakeBackend();
  backend.on('GET /rest/v1/prediction_shares', () => json(tokens));
});
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
});

interface Options {
  /** Candles of the forecast that have arrived. */
  arrived?: number;
  isAdmin?: boolean;
  joinS?: number | null;
  shownBars?: number | null;
}

function open(
  exported: ExportedForecast,
  { arrived = 50, isAdmin = false, joinS = T0, shownBars = null }: Options = {},
) {
  const feed = createCandleFeed({
    candles: [...candlesUntil(T0, 150), ...forecastPath(T0, arrived)],
    joinS,
    band: joinS === null ? null : aStart().band,
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ExportDialog
        {...aMarket()}
        feed={feed}
        exported={exported}
        shownBars={shownBars}
        draw={draw}
        onClose={() => undefined}
        entitlement={{ ...NO_ENTITLEMENT, isAdmin }}
      />
    </QueryClientProvider>,
  );
  return feed;
}

const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function savedFile(): Promise<SavedFile> {
  await waitFor(() => expect(files).toHaveLength(1));
  return files[0] ?? expect.fail('nothing was saved');
}

function phone(canShareFiles: boolean, share: (data: ShareData) => Promise<void>) {
  Object.assign(navigator, {
    share: vi.fn(share),
    canShare: ({ files: shared = [] }: ShareData) => canShareFiles && shared.length > 0,
  });
  return vi.mocked(navigator.share);
}

test('saves the picture, the table and the data, each named by coin, timeframe, minute and model', async () => {
  open(OWN);
  expect(await screen.findByRole('img', { name: /^BTC · Bobcat \(Kat 1\) · 1 minute\. / })).toBeDefined();

  await click('Download PNG');
  await waitFor(() => expect(files).toHaveLength(1));
  await click('Download CSV');
  await waitFor(() => expect(files).toHaveLength(2));
  await click('Download JSON');
  await waitFor(() => expect(files).toHaveLength(3));

  expect(files.map(({ name }) => name)).toEqual(
    ['png', 'csv', 'json'].map((ending) => `kat-BTC-1min-2026-01-06T12-01-bobcat.${ending}`),
  );
  expect(files[0]).toMatchObject({ type: 'image/png', text: 'a picture' });
  expect(files[1]?.text.split('\r\n')).toHaveLength(1 + 200 + 1);
  expect(JSON.parse(files[2]?.text ?? '')).toMatchObject({ coin: 'BTC', origin: 'unsaved', market: 'simulated' });
  expect(screen.getByText('Downloaded kat-BTC-1min-2026-01-06T12-01-bobcat.json.')).toBeDefined();
});

test('draws as many real candles as the chart shows, in the theme that the user picks', async () => {
  open(OWN, { shownBars: 60 });
  await screen.findByRole('img');
  const surfaceOf = () => draw.mock.lastCall?.[0].palette.surface;
  const first = surfaceOf();

  await userEvent.click(screen.getByRole('radio', { name: first === '#ffffff' ? 'Dark' : 'Light' }));

  await waitFor(() => expect(surfaceOf()).toBe(first === '#ffffff' ? '#12151a' : '#ffffff'));
  expect(draw.mock.lastCall?.[0].historyBars).toBe(60);
});

test('exports what has arrived of a forecast, says how much that is, and follows it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const feed = open({ ...OWN, phase: 'streaming' }, { arrived: 12 });
  expect(screen.getByText(/12 of 50 candles of the forecast so far/)).toBeDefined();

  await click('Download CSV');
  expect((await savedFile()).name).toMatch(/-12-of-50-candles\.csv$/);

  act(() => feed.append(forecastPath(T0, 13).at(-1) ?? expect.fail()));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByText(/13 of 50 candles of the forecast so far/)).toBeDefined();
  expect(screen.getByText(/This one is saved once all its candles have arrived/)).toBeDefined();
  vi.useRealTimers();
});

test.each([
  ['the chart shows samples', { ...OWN, start: null }, {}, /sample candles, not a forecast/],
  ['its market is unknown', { ...OWN, marketKind: null }, {}, /don’t know which market/],
  [
    'no candle of a stream has arrived',
    { ...OWN, phase: 'streaming' } as const,
    { arrived: 0 },
    /No candle of the forecast/,
  ],
  [
    'the chart shows only the market',
    { ...OWN, start: null },
    { joinS: null, arrived: 0 },
    /Run a prediction, then export/,
  ],
])('explains that nothing can be exported while %s', (_what, exported, options, message) => {
  open(exported, options);

  expect(screen.getByText(message)).toBeDefined();
  expect(screen.queryByRole('button', { name: /Download/ })).toBeNull();
});

test('says that the picture could not be drawn, still saves data, and draws again', async () => {
  draw.mockRejectedValueOnce(new Error('The browser has no canvas.'));
  backend.on('POST /rest/v1/rpc/log_error', () => json(null));
  open(OWN);

  expect(await screen.findByText('We couldn’t draw the picture. CSV and JSON still work.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Download PNG' })).toHaveProperty('disabled', true);
  await click('Download JSON');
  expect((await savedFile()).name).toMatch(/\.json$/);

  await click('Try again');
  expect(await screen.findByRole('img')).toBeDefined();
});

test('offers a link of a saved prediction only after its owner has created it', async () => {
  backend.fn('share-prediction', () => json({ ok: true, path: `/f/${TOKEN}` }));
  open(SAVED);
  const create = await screen.findByRole('button', { name: 'Create link' });
  await waitFor(() => expect(create).toHaveProperty('disabled', false));
  expect(screen.queryByRole('link')).toBeNull();

  await userEvent.click(create);

  expect(await screen.findByRole('link', { name: new RegExp(TOKEN) })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeDefined();
  await waitFor(() => expect(draw.mock.lastCall?.[0].address).toContain(`/f/${TOKEN}`));
  await click('Download JSON');
  expect(JSON.parse((await savedFile()).text)).toMatchObject({ id: TOKEN, origin: 'saved' });
});

test('says beside the link that the browser refused to copy it', async () => {
  tokens = [{ token: TOKEN }];
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('refused', 'NotAllowedError'));
  open(SAVED);

  await user.click(await screen.findByRole('button', { name: 'Copy link' }));

  expect((await screen.findByRole('alert')).textContent).toBe(
    'We couldn’t copy the link. Select its address and copy it.',
  );
});

test('looks up a prediction that came back with the page, and takes no other one for it', async () => {
  backend.on('GET /rest/v1/user_predictions', () => json([aRow({ joinS: T0 - 60 })]));
  open({ ...SAVED, origin: 'returned', saved: null });
  expect(await screen.findByText(/We couldn’t find this prediction among yours/)).toBeDefined();
});

test('offers no link of a prediction that was saved before the one on the chart', async () => {
  backend.on('GET /rest/v1/user_predictions', () => json([]));
  open({ ...SAVED, saved: aRow({ joinS: T0 - 60 }) });

  expect(await screen.findByText(/We couldn’t find this prediction among yours/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull();
});

test('has the link of a prediction that came back with the page', async () => {
  tokens = [{ token: TOKEN }];
  backend.on('GET /rest/v1/user_predictions', () => json([aRow()]));
  open({ ...SAVED, origin: 'returned', saved: null });

  expect(await screen.findByRole('link', { name: new RegExp(TOKEN) })).toBeDefined();
});

test.each([
  ['the shared one', { ...OWN, origin: 'shared' } as const, false, /The shared forecast is replaced every minute/],
  [
    'a visitor’s',
    { start: aStart(), marketKind: 'live' } as const,
    false,
    /The shared forecast is replaced every minute/,
  ],
  ['an administrator’s', OWN, true, /Administrators’ forecasts aren’t saved/],
  ['one that could not be saved', OWN, false, /this one wasn’t saved/],
])('says why a forecast has no link: %s', (_what, exported, isAdmin, message) => {
  open(exported, { isAdmin });

  expect(screen.getByText(message)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull();
});

test('hands the picture to the phone’s share sheet, and takes its closing for no failure', async () => {
  const share = phone(true, async () => {
    throw new DOMException('closed', 'AbortError');
  });
  open(OWN);
  await screen.findByRole('img');

  await click('Share …');

  const [file] = share.mock.lastCall?.[0]?.files ?? [];
  expect(file).toMatchObject({ name: 'kat-BTC-1min-2026-01-06T12-01-bobcat.png', type: 'image/png' });
  expect(screen.queryByText(/Sharing failed/)).toBeNull();
});

test('shares the link where files can’t be shared', async () => {
  tokens = [{ token: TOKEN }];
  const share = phone(false, async () => {});
  open(SAVED);
  await screen.findByRole('link', { name: new RegExp(TOKEN) });
  await click('Share …');
  expect(share.mock.lastCall?.[0]).toMatchObject({ url: expect.stringContaining(`/f/${TOKEN}`) });
});

test('says what to do where neither can be shared, and when the sheet fails', async () => {
  phone(false, async () => {});
  open(OWN);
  await click('Share …');
  expect(await screen.findByText('This browser can’t share pictures. Download the PNG instead.')).toBeDefined();

  phone(true, async () => {
    throw new DOMException('refused', 'NotAllowedError');
  });
  await click('Share …');
  expect(await screen.findByText('Sharing failed. Download the PNG instead.')).toBeDefined();
});
