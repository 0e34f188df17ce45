import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../../../platform/testing/fake-backend.ts';
import { type PanelServer, panelServer, pick, show, type Who } from '../testing/forecast-panel.tsx';
import { SEND_EVERY_MS } from './latest-answer.ts';
import { aFirst, aFrame, aLine, aRefusal, type ChanceServer, chanceServer, PRICE } from './testing/chance-server.ts';

let server: PanelServer;
let chances: ChanceServer;
beforeEach(() => {
  server = panelServer();
  chances = chanceServer(server);
  // jsdom has none.
  Element.prototype.scrollIntoView = vi.fn();
});

const panel = () => screen.findByRole('region', { name: 'Chances' });
const dial = async (minutes: number) =>
  (await within(await panel()).findByRole('radio', { name: `${minutes} min candle` })).closest('label')?.textContent;
const cell = async (row: string) => {
  const header = await within(await panel()).findByRole('rowheader', { name: row });
  return within(header.closest('tr') as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
};

const requestedPrices = () =>
  server.to('/chances').map(({ search }) => Number(new URLSearchParams(search).get('price')));

async function open(who: Who = 'visitor', address?: string) {
  await show(server, who, address);
  await userEvent.click(await screen.findByRole('button', { name: 'Chances' }));
}

test('requests nothing until its button is clicked, and closes again', async () => {
  await show(server, 'visitor');
  const button = await screen.findByRole('button', { name: 'Chances' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(server.callsTo('/chances')).toEqual([]);

  await userEvent.click(button);
  expect(await dial(5)).toContain('63%');
  expect(button.getAttribute('aria-expanded')).toBe('true');

  await userEvent.click(screen.getByRole('button', { name: 'Close the chances' }));
  expect(screen.queryByRole('region', { name: 'Chances' })).toBeNull();
  expect(screen.queryByRole('slider', { name: 'Line on the chart' })).toBeNull();
});

test('shows a visitor the running candles of Bitcoin, and says what a dial means and how similar ones ended', async () => {
  await open();

  expect(await dial(15)).toContain('63%');
  expect(
    await within(await panel()).findByText('Of 1,240 similar chances, 61% came true.', { exact: false }),
  ).toBeDefined();
  expect((await panel()).textContent).toMatch(/\d\d:\d\d–\d\d:\d\d: 63% to close above 99,950\.0\. Baseline 55%\./);
  expect(await screen.findByText(/^5-minute candle: 63% to close above its open, .* left\.$/)).toBeDefined();
  await userEvent.click(within(await panel()).getByRole('radio', { name: '60 min candle' }));
  expect(await screen.findByText(/^60-minute candle: 63% to close above its open/)).toBeDefined();
});

test('follows the price, at most four times a second', async () => {
  await open();
  expect(await dial(5)).toContain('63%');
  const seen = new Set<string | undefined>();
  const observer = new MutationObserver(() =>
    seen.add(document.querySelector('label [class*=figure]')?.textContent ?? ''),
  );
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  for (let percent = 1; percent <= 20; percent++) chances.send(aFrame(0.4 + percent / 100));

  await vi.waitFor(async () => expect(await dial(5)).toContain('60%'));
  observer.disconnect();
  // Twenty frames at the same time: the first of them, and after a quarter of a second the last.
  expect(seen.size).toBeLessThanOrEqual(3);
});

test('keeps a window’s last chance while it ends, and shows the next one', async () => {
  await open();
  expect(await dial(5)).toContain('63%');
  const frame = aFrame(0.7);
  const error = { code: 'window-over', message: 'The window has ended or ends this second.' };
  if (!('windows' in frame)) throw new Error('not a frame');
  chances.send({ ...frame, windows: [{ minutes: 5, error }, ...frame.windows.slice(1)] });
  await vi.waitFor(async () => expect(await dial(15)).toContain('70%'));
  expect(await dial(5)).toContain('63%');
  expect((await panel()).textContent).toContain(error.message);

  chances.send(aFrame(0.5));

  await vi.waitFor(async () => expect(await dial(5)).toContain('50%'));
});

test.each([
  ['price-stale', 'The price is delayed. Try again when new prices arrive.'],
  ['market-halted', 'The market is halted.'],
])('says why a market has no chances now (%s), and recovers', async (code, message) => {
  await open();
  expect(await dial(5)).toContain('63%');
  chances.send({ symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '1min', error: { code, message } });

  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.getByText('no live price')).toBeDefined();
  chances.send(aFrame(0.41));
  await vi.waitFor(async () => expect(await dial(5)).toContain('41%'));
  expect(screen.queryByText(message)).toBeNull();
});

test('connects again after a lost connection', async () => {
  await open();
  expect(await dial(5)).toContain('63%');
  chances.drop();

  expect(await screen.findByText('reconnecting')).toBeDefined();
  await vi.waitFor(() => expect(server.callsTo('/chances/live')).toHaveLength(2));
  expect(await screen.findByText('live')).toBeDefined();
});

test('answers a typed line in a table with the baseline, and a worded one for screen readers', async () => {
  await open();
  const field = await within(await panel()).findByRole('textbox', { name: 'Line' });
  await vi.waitFor(() => expect((field as HTMLInputElement).value).not.toBe(''));
  await userEvent.clear(field);
  await userEvent.type(field, '100200');

  await vi.waitFor(async () => expect(await cell('closes above')).toEqual(['30%', '27%']));
  expect(await cell('closes below')).toEqual(['70%', '73%']);
  expect(await cell('touched by then')).toEqual(['45%', '36%']);
  const slider = screen.getByRole('slider', { name: 'Line on the chart' });
  expect(slider.getAttribute('aria-valuetext')).toBe('100,200.0, 0.20% above the price');
  expect(
    await screen.findByText('Line 100,200.0, 0.20% above the price. Closes above by bar 50 30%, touched 45%.'),
  ).toBeDefined();
});

test('draws no point for a bar that is over', async () => {
  const over = (bars: readonly (number | null)[]) => [null, ...bars.slice(1)];
  server.on('GET /chances', ({ search }) => {
    const line = aLine(Number(new URLSearchParams(search).get('price')));
    const { above, aboveBaseline, touch, touchBaseline } = line;
    return json({
      ...line,
      above: over(above),
      aboveBaseline: over(aboveBaseline),
      touch: over(touch),
      touchBaseline: over(touchBaseline),
    });
  });
  await open();

  const plot = await within(await panel()).findByRole('img', { name: /^Chances by bar/ });
  const drawn = [...plot.querySelectorAll('path')].map((path) => path.getAttribute('d'));
  expect(drawn.length).toBeGreaterThanOrEqual(4);
  expect(drawn.filter((path) => /NaN|^L/.test(path ?? ''))).toEqual([]);
});

test('moves a line by keyboard: a tick, and more with Page Up', async () => {
  await open();
  const slider = await screen.findByRole('slider', { name: 'Line on the chart' });
  const at = () => Number(screen.getByRole('slider', { name: 'Line on the chart' }).getAttribute('aria-valuenow'));
  const start = at();
  slider.focus();
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}');
  expect(at()).toBeCloseTo(start + 0.1, 6);
  await userEvent.keyboard('{PageDown}');
  expect(at()).toBeLessThan(start - 40);
  await vi.waitFor(() => {
    expect(requestedPrices().at(-1)).toBeCloseTo(at(), 6);
  });
});

test.each(['0', '-5', 'abc'])('requests nothing about %s, and says what a price is', async (typed) => {
  await open();
  const field = await within(await panel()).findByRole('textbox', { name: 'Line' });
  await vi.waitFor(() => expect((field as HTMLInputElement).value).not.toBe(''));
  await userEvent.clear(field);
  await userEvent.type(field, typed);

  expect(await screen.findByText('Enter a price above 0.')).toBeDefined();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(requestedPrices().every((price) => price > 1000)).toBe(true);
});

test('compares a target and a stop, and what neither reaches', async () => {
  server.on('GET /chances', ({ search }) => {
    const params = new URLSearchParams(search);
    const [target, stop] = ['target', 'stop'].map((name) => Number(params.get(name)));
    if (params.get('kind') === 'line') return json(aLine(Number(params.get('price'))));
    return json(aFirst(target ?? 0, stop ?? 0, { count: 12, happened: 5 }));
  });
  await open();
  await userEvent.click(await within(await panel()).findByRole('radio', { name: 'Target and stop' }));

  await vi.waitFor(async () => expect(await cell('target first')).toEqual(['41%', '40%']));
  expect(await cell('stop first')).toEqual(['37%', '40%']);
  expect(await cell('neither')).toEqual(['22%', '20%']);
  expect(screen.getByText('Only 12 similar chances so far, of 30 needed.')).toBeDefined();
  expect(screen.getAllByRole('slider', { name: /^(Target|Stop) on the chart$/ })).toHaveLength(2);
});

test('requests nothing about a target that the price has passed, says so, and goes on once the price is back', async () => {
  const posed = () => server.to('/chances').filter(({ search }) => search.includes('kind=first')).length;
  await open();
  const panelShown = within(await panel());
  await userEvent.click(await panelShown.findByRole('radio', { name: 'Target and stop' }));
  const price = (name: string) =>
    Number(screen.getByRole('slider', { name: `${name} on the chart` }).getAttribute('aria-valuenow'));
  await vi.waitFor(async () => expect(await cell('target first')).toHaveLength(2));
  const target = price('Target');

  chances.send(aFrame(0.5, { price: target }));
  const message = await panelShown.findByText('Target and stop must be on both sides of the current price.');
  const before = posed();
  (await screen.findByRole('slider', { name: 'Stop on the chart' })).focus();
  await userEvent.keyboard('{ArrowDown}');
  await new Promise((resolve) => setTimeout(resolve, 2 * SEND_EVERY_MS));
  expect(posed()).toBe(before);
  expect(await cell('target first')).toHaveLength(2);

  chances.send(aFrame(0.5));
  await vi.waitFor(() => expect(posed()).toBe(before + 1));
  await vi.waitFor(() => expect(message.isConnected).toBe(false));
});

test('proposes a target and a stop on both sides of the price that is live when they are chosen', async () => {
  await open();
  expect(await dial(5)).toContain('63%');
  chances.send(aFrame(0.5, { price: 2 * PRICE }));
  await vi.waitFor(async () => expect(await dial(5)).toContain('50%'));
  await userEvent.click(await within(await panel()).findByRole('radio', { name: 'Target and stop' }));

  const at = async (name: string) =>
    Number((await screen.findByRole('slider', { name: `${name} on the chart` })).getAttribute('aria-valuenow'));
  expect(await at('Target')).toBeGreaterThan(2 * PRICE);
  expect(await at('Stop')).toBeLessThan(2 * PRICE);
});

test('shows the server’s refusal of a line, and the last figures meanwhile', async () => {
  const message = 'Target and stop must be on both sides of the current price.';
  await open();
  expect(await cell('touched by then')).toHaveLength(2);
  server.on('GET /chances', () => aRefusal('same-side', message, 400));
  (await screen.findByRole('slider', { name: 'Line on the chart' })).focus();
  await userEvent.keyboard('{PageUp}');

  expect(await screen.findByText(message)).toBeDefined();
  expect(await cell('touched by then')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('keeps the lines while the server cannot be reached, and tries again on Retry', async () => {
  await open();
  expect(await cell('touched by then')).toHaveLength(2);
  server.on('GET /chances', () => Promise.reject(new TypeError('Failed to fetch')));
  (await screen.findByRole('slider', { name: 'Line on the chart' })).focus();
  await userEvent.keyboard('{PageUp}');
  expect(await screen.findByText(/We couldn’t reach the server\. Your lines stay/)).toBeDefined();

  chances = chanceServer(server);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await vi.waitFor(() => expect(screen.queryByText(/We couldn’t reach the server\./)).toBeNull());
});

test.each([
  ['visitor', 'auth/not-signed-in', 'Not signed in', 401, 'Sign in', '/auth/signin?next=%2Fkat'],
  [
    'free',
    'forecast/model-locked',
    'Your plan does not include this model.',
    403,
    'See the plans',
    '/account/subscription',
  ],
] as const)('leads a %s on from a market that needs more', async (who, code, message, status, step, address) => {
  server.on('GET /chances/live', () => aRefusal(code, message, status));
  await open(who, '/kat?sym=ETHUSDT.P');

  expect(await within(await panel()).findByText(message, { exact: false })).toBeDefined();
  expect(
    within(await panel())
      .getByRole('link', { name: step })
      .getAttribute('href'),
  ).toBe(address);
  expect(screen.queryByRole('slider', { name: 'Line on the chart' })).toBeNull();
});

test('requests the market and the model on the chart', async () => {
  await open('bobcat');
  await vi.waitFor(() => expect(server.callsTo('/chances/live').at(-1)).toContain('symbol=BTCUSDT.P&model=bobcat'));

  await pick('Symbol', 'ETH');

  await vi.waitFor(() => expect(server.callsTo('/chances/live').at(-1)).toContain('symbol=ETHUSDT.P'));
});

test('holds no connection while the page is hidden', async () => {
  await open();
  expect(await dial(5)).toContain('63%');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await vi.waitFor(() =>
    expect(server.requests.find(({ path }) => path === '/chances/live')?.signal?.aborted).toBe(true),
  );
  hidden.mockReturnValue(false);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));

  await vi.waitFor(() => expect(server.callsTo('/chances/live')).toHaveLength(2));
});
