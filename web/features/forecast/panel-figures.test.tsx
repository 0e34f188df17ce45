/** What the panel says of the models' figures, and the ghost beside the forecast. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { refit, showGhost } from '../../charts/testing/fake-canvas.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { count, type PanelServer, panelServer, pick, predict, show, stream } from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const LINE = 'Range 0.9% more accurate than a random walk’s';
const ghost = () => screen.getByRole('button', { name: 'Ghost baseline' });
const chartLabel = () => document.querySelector('[data-candle-count]')?.getAttribute('aria-label') ?? '';

test('shows one short honest line for each model, beside its name', async () => {
  await show(server, 'bobcat');
  await screen.findByText(/^The candles are one plausible path.*Its range is 0\.9% more accurate/);
  await userEvent.click(screen.getByText('Show the evidence'));
  await screen.findByText(/Band skill: \+0\.92%/);

  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));

  // The list's code may arrive after the click.
  const option = await screen.findByRole('option', { name: 'Bobcat (Kat 1)' });
  expect(within(option).getByText(LINE)).toBeDefined();
  expect(option.getAttribute('aria-describedby')).toBe(within(option).getByText(LINE).id);
  expect(screen.getByRole('option', { name: 'Lion (Kat 2.4)' }).textContent).toContain('Not trained yet');
  expect(screen.getByRole('option', { name: 'Lion (Kat 2.4)' }).title).toBe('Upgrade to unlock');
});

test('shows the names alone and claims nothing while the figures are unavailable', async () => {
  server.on('GET /models.json', () => json({ error: 'away' }, 503));
  await show(server, 'lion');
  await vi.waitFor(() => expect(server.callsTo('/models.json').length).toBeGreaterThan(0));

  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));

  // The list's code may arrive after the click.
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    'Bobcat (Kat 1)',
    'Panther (Kat 2.2)',
    'Lion (Kat 2.4)',
  ]);
  expect(screen.getByText('The candles are one plausible path of many, not the expected one.')).toBeDefined();
});

test('requests the figures on a visitor’s page when the list is opened, not before', async () => {
  await show(server, 'visitor', '/kat?sym=ETH');
  await screen.findByText('sample data');
  await vi.waitFor(() => expect(server.callsTo('/history').length).toBeGreaterThan(0));
  expect(server.callsTo('/models.json')).toEqual([]);

  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));

  expect(await screen.findByText(LINE)).toBeDefined();
  expect(server.callsTo('/models.json')).toHaveLength(1);
});

test.each(['DXY', 'Oil'])('labels %s: no data existed to measure a model on it', async (label) => {
  await show(server, 'lion');
  await screen.findByText(/Its range is 0\.9% more accurate/);
  expect(screen.queryByText('not evaluated')).toBeNull();

  await pick('Symbol', label);
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));
  const option = screen.getByRole('option', { name: 'Bobcat (Kat 1)' });
  expect(within(option).getByText(`Not evaluated on ${label}`)).toBeDefined();
  expect(option.textContent).not.toContain('%');
  await userEvent.click(option);

  expect(screen.getByText('not evaluated')).toBeDefined();
  expect(screen.getByText(new RegExp(`There was no data to evaluate it on ${label}\\.`))).toBeDefined();
});

test('switches the ghost on by keyboard, describes it, and remembers it', async () => {
  const { unmount } = await show(server, 'lion');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(ghost().getAttribute('aria-pressed')).toBe('false');

  ghost().focus();
  await userEvent.keyboard('{Enter}');

  expect(ghost().getAttribute('aria-pressed')).toBe('true');
  expect(showGhost).toHaveBeenLastCalledWith(true);
  expect(chartLabel()).toContain('Ghost baseline, dashed: the last close 101.0 held flat; the 80% band');
  expect(screen.getByText('walk, 80%')).toBeDefined();
  unmount();
  await show(server, 'lion');
  expect(ghost().getAttribute('aria-pressed')).toBe('true');
  await screen.findByText('ghost: drawn with the next forecast');
  expect(screen.queryByText('walk, 80%')).toBeNull();
  expect(chartLabel()).not.toContain('Ghost');
});

test('shows the last hour on a phone, and all candles by keyboard for the rest of the visit', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('max-width'), media: query }) as MediaQueryList,
  );
  const { unmount } = await show(server, 'lion');
  await vi.waitFor(() => expect(refit).toHaveBeenLastCalledWith(60));

  screen.getByRole('button', { name: 'Show 150 min' }).focus();
  await userEvent.keyboard('{Enter}');

  expect(refit).toHaveBeenLastCalledWith(null);
  unmount();
  await show(server, 'lion');
  const back = await screen.findByRole('button', { name: 'Show 60 min' });
  expect(back.title).toBe('The chart shows all 150 minutes, and the forecast’s minutes after them.');
  await userEvent.click(back);
  await vi.waitFor(() => expect(refit).toHaveBeenLastCalledWith(60));
});

test('has no such button on wide screens, whose chart shows all', async () => {
  await show(server, 'lion');

  await vi.waitFor(() => expect(refit).toHaveBeenLastCalledWith(null));
  expect(screen.queryByRole('button', { name: /^Show .* min$/ })).toBeNull();
});

test('greys the ghost’s switch out until there is a forecast, and says why', async () => {
  await show(server, 'lion');
  await vi.waitFor(() => expect(count()).toBe(150));
  expect(ghost().getAttribute('aria-disabled')).toBe('true');
  expect(ghost().title).toBe('Available once a forecast is on the chart.');
  await userEvent.click(ghost());
  expect(ghost().getAttribute('aria-pressed')).toBe('false');

  await predict();
  await vi.waitFor(() => expect(ghost().getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(ghost());

  expect(ghost().getAttribute('aria-pressed')).toBe('true');
});

test('keeps the switch working while storage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('blocked');
  });
  await show(server, 'visitor');
  await vi.waitFor(() => expect(ghost().getAttribute('aria-disabled')).toBe('false'));

  await userEvent.click(ghost());
  expect(ghost().getAttribute('aria-pressed')).toBe('true');

  await userEvent.click(ghost());
  expect(ghost().getAttribute('aria-pressed')).toBe('false');
});

test('says that the ghost of an amplified forecast is amplified as well', async () => {
  server.on('GET /stream-kat2', () => stream({ ampPercent: 250 }));
  await show(server, 'admin');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await vi.waitFor(() => expect(ghost().getAttribute('aria-disabled')).toBe('false'));

  await userEvent.click(ghost());

  expect(await screen.findByText(/amplified by the same factor/)).toBeDefined();
  await userEvent.click(ghost());
  expect(screen.queryByText(/amplified by the same factor/)).toBeNull();
});
