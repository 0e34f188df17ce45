/** The panel while an overloaded server has no room for a forecast. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { aForecast } from '../../site/testing/latest-forecast-fixtures.ts';
import { toast } from '../../ui/overlay/toast.ts';
import {
  button,
  count,
  history,
  onSaved,
  type PanelServer,
  panelServer,
  predict,
  show,
  stream,
} from './testing/forecast-panel.tsx';

const MESSAGE = 'Kat is busy right now. Please try again in a few seconds.';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

/** Sheds an opening of the stream for each entry, for so many seconds. */
function shedStream(...retryAfterS: number[]): void {
  const left = [...retryAfterS];
  server.on('GET /stream-kat2', () => {
    const seconds = left.shift();
    if (seconds === undefined) return stream();
    const headers = { 'x-kat-shed': '1', 'retry-after': String(seconds) };
    return Response.json({ error: MESSAGE, code: 'server/busy' }, { status: 503, headers });
  });
}

async function clicked() {
  const view = await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  return view;
}

const waiting = () => screen.findByText('Kat is busy.');

test('says that the forecast starts as soon as there is room, and starts it', async () => {
  shedStream(0, 1);
  await clicked();

  expect((await waiting()).closest('[role="status"]')?.textContent).toMatch(
    /^Kat is busy\. Your forecast starts as soon as there is capacity\./,
  );
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());

  expect(screen.queryByText('Kat is busy.')).toBeNull();
  expect(server.to('/stream-kat2')).toHaveLength(3);
  expect(count()).toBe(200);
});

test('explains a failure after a minute without room, and spends nothing', async () => {
  const shown = vi.spyOn(toast, 'error');
  shedStream(60);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);

  await clicked();

  expect((await screen.findByText(MESSAGE)).parentElement?.textContent).toBe(`${MESSAGE} Nothing was charged.`);
  expect(shown).toHaveBeenCalledExactlyOnceWith(MESSAGE);
  expect(server.to('/functions/v1/create-prediction')).toEqual([]);
});

test('stops waiting when the user cancels, and can predict again', async () => {
  shedStream(0, 30);
  await clicked();
  await waiting();

  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));

  expect(screen.queryByText('Kat is busy.')).toBeNull();
  expect(server.to('/stream-kat2')[1]?.signal?.aborted).toBe(true);
  expect(count()).toBe(150);
  await vi.waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
  await predict();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(server.to('/stream-kat2')).toHaveLength(3);
});

test('sends nothing more after the panel was left while it waited', async () => {
  shedStream(0, 2);
  const { unmount } = await clicked();
  await waiting();

  unmount();
  expect(server.to('/stream-kat2')[1]?.signal?.aborted).toBe(true);
  // Longer than the server's Retry-After, jitter included.
  await act(() => new Promise((resolve) => setTimeout(resolve, 3100)));

  expect(server.to('/stream-kat2')).toHaveLength(2);
  expect(onSaved).not.toHaveBeenCalled();
});

/** Refuses until it is called. */
function refuse(path: `GET ${string}`, answer: () => Response): () => void {
  let isBusy = true;
  server.on(path, () => (isBusy ? Response.json({ error: MESSAGE, code: 'server/busy' }, { status: 503 }) : answer()));
  return () => {
    isBusy = false;
  };
}

test.each([
  ['visitor', 'GET /forecast/latest', () => Response.json(aForecast()), 'shared forecast'],
  ['lion', 'GET /history', () => history(), /last 150 one-minute candles/],
] as const)(
  'shows a %s no samples and no failure on arrival, and tries again automatically',
  async (who, path, answer, after) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const shown = vi.spyOn(toast, 'error');
    const allow = refuse(path, answer);
    await show(server, who);

    const notice = (await waiting()).closest('[role="status"]');
    expect(notice?.textContent).toMatch(
      /^Kat is busy\. The chart loads as soon as there is capacity\.Try againin \d+ s/,
    );
    for (const wrong of ['sample data', 'Failed to load', /No model was used/])
      expect(screen.queryByText(wrong)).toBeNull();
    expect(shown).not.toHaveBeenCalled();

    allow();
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    await screen.findByText(after);
    expect(screen.queryByText('Kat is busy.')).toBeNull();
  },
);

test('names only the market until it is known what the chart shows', async () => {
  const pending = Promise.withResolvers<Response>();
  server.on('GET /forecast/latest', () => pending.promise);
  await show(server, 'visitor');

  await screen.findByText('one-minute candles');
  for (const early of ['sample data', 'Sample forecast', /No model was used/])
    expect(screen.queryByText(early)).toBeNull();
  await act(async () => pending.resolve(Response.json(aForecast())));
  await screen.findByText('shared forecast');
});
