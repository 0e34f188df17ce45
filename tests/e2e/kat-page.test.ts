/** Tests /kat as a whole: its keyboard order, a server that never answers, code that fails to load, no market. */
import type { Browser, Page, Route, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { overflowOf, watchArrival } from '../support/browser/page-quality.ts';
import { readDownTo } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** How long a page waits for an answer. */
const CALL_LIMIT_MS = 15_000;

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

/** @param isMoving  allows motion, because only a moving ticker can be paused */
async function open(viewport = WIDE, isMoving = false) {
  const context = await browser.newContext({ viewport, reducedMotion: isMoving ? 'no-preference' : 'reduce' });
  const page = await context.newPage();
  const widget = (name: string) => page.getByRole('region', { name, exact: true });
  return { page, widget, close: () => context.close() };
}

/** @returns the Tab stops within the main element up to this one, in order: name and distance from the top */
async function tabStopsUpTo(page: Page, last: string) {
  const stops: { name: string; top: number }[] = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element.closest('main') === null) return null;
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return { name, top: element.getBoundingClientRect().top + window.scrollY };
    });
    if (stop !== null) stops.push(stop);
    if (stop?.name.startsWith(last)) break;
  }
  return stops;
}

test('orders the keyboard stops visually on wide screens and in the tabs of narrow ones, and keeps the ticker paused', async () => {
  const { page, widget, close } = await open(WIDE, true);
  await page.goto(`${kat.url}/kat`);
  const pause = widget('Market Ticker').getByRole('button', { name: 'Pause ticker' });
  await pause.waitFor();
  await page.getByRole('combobox', { name: 'Symbol' }).waitFor();
  const expectOrder = async (...order: [string, string]) => {
    const stops = await tabStopsUpTo(page, order[1]);
    const places = order.map((one) => stops.findIndex(({ name }) => name.startsWith(one)));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places[0]).toBeLessThan(places[1] ?? -1);
    expect(stops[places[0] ?? -1]?.top).toBeLessThan(stops[places[1] ?? -1]?.top ?? 0);
    const headings = await page.locator('main :is(h1, h2)').evaluateAll((all) => all.map(({ tagName }) => tagName));
    expect(headings[0]).toBe('H1');
  };
  await expectOrder('Pause ticker', 'Symbol');

  await pause.click();
  await page.setViewportSize(PHONE);
  const tab = (name: string) => page.getByRole('tab', { name });
  await page.getByRole('heading', { level: 1 }).click();
  await expectOrder('Forecast', 'Symbol');
  await tab('Market').click();
  await widget('Market Ticker').getByRole('button', { name: 'Play ticker' }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await expectOrder('Market', 'Play ticker');
  await close();
});

test('reports a hanging server or lost code in each widget until its button helps, and keeps the ticker’s height', async () => {
  const { page, widget, close } = await open();
  await page.clock.install();
  const unresponsive = /\/(rest\/v1\/price_snapshots|functions\/v1\/ff-proxy|0\/public\/OHLC)/;
  const arrival = watchArrival(page, unresponsive);
  // Leaves these requests without an answer.
  await page.route(unresponsive, () => {});
  const code = /\/assets\/market-clock-[^/]*\.js/;
  await page.route(code, (route) => route.abort());
  await page.goto(`${kat.url}/kat`);
  const lost = ['Trading Sessions', 'Market Holidays & Announcements'].map((name) => ({
    message: widget(name).getByText(`We couldn’t show ${name}`),
    button: widget(name).getByRole('button', { name: 'Reload this part' }),
  }));
  for (const { message } of lost) await readDownTo(page, message);
  await page.unroute(code);
  // If Chromium remembers the failed import, a part reloads the page, which takes the other button away.
  for (const { message, button } of lost)
    await expect
      .poll(async () => {
        if (await button.isVisible()) await button.click({ timeout: 1000 }).catch(() => undefined);
        return message.count();
      })
      .toBe(0);

  const messages = [
    widget('Market Ticker').getByText('Failed to load market data — fallback active.'),
    widget('Trading Sessions').getByText('Failed to load sessions.'),
    widget('Market Holidays & Announcements').getByText('Holiday check unavailable.'),
    widget('BTC-USD Weekly').getByText('Failed to load BTC-USD (1W): the server didn’t respond in time'),
  ];
  const shown = async () =>
    (await Promise.all(messages.map((message) => message.count()))).filter((count) => count > 0);
  await expect
    .poll(async () => {
      // The page's clock ends every call that still waits, and these are all answered by then.
      await arrival();
      await page.clock.fastForward(CALL_LIMIT_MS);
      return (await shown()).length;
    })
    .toBe(messages.length);
  const heightOfTicker = async () => (await widget('Market Ticker').boundingBox())?.height;
  const before = await heightOfTicker();
  const placeholders = await widget('Market Ticker').getByRole('listitem').allTextContents();
  expect(placeholders.map((line) => line.replace(/:.*$/, ''))).toEqual([
    ...['BTC', 'ETH', 'ADA', 'SOL', 'MATIC', 'AVAX', 'LINK', 'DOT', 'ATOM', 'NEAR'],
  ]);
  await page.unroute(unresponsive);
  // A widget may also load by its own retry, which takes the button away.
  const names = ['Market Ticker', 'Trading Sessions', 'Market Holidays & Announcements', 'BTC-USD Weekly'];
  for (const [at, name] of names.entries()) {
    const retry = widget(name).getByRole('button', { name: 'Retry' });
    await expect
      .poll(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => undefined);
        return messages[at]?.count();
      })
      .toBe(0);
  }

  await widget('Market Ticker')
    .getByText(/^Last updated/)
    .waitFor();
  expect(await heightOfTicker()).toBe(before);
  expect(await overflowOf(page)).toBe(0);
  expect(await page.locator('[data-loop]').count()).toBe(0);
  const list = widget('Market Ticker').getByRole('region', { name: 'All symbols' });
  // Even a very short transition starts, fires events and ends with each style change, so there must be none.
  expect(await list.evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0s');
  const place = () => list.evaluate((element) => element.scrollLeft);
  expect(await place()).toBe(0);
  await list.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(place).toBeGreaterThan(0);
  await close();
});

test('shows a phone one part at a time, which the address names, within three screens each', async () => {
  const { page, widget, close } = await open(PHONE);
  await page.goto(`${kat.url}/kat?sym=ETH`);
  const tab = (name: string) => page.getByRole('tab', { name });
  await page.getByRole('tabpanel', { name: 'Forecast' }).waitFor();
  expect(await widget('Order Book').count()).toBe(0);
  await widget('Forecast Range').waitFor();
  const screens = () => page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  await expect.poll(screens).toBeLessThanOrEqual(3);

  const parts = [
    ['Book', 'Order Book'],
    ['Paper', 'Paper Trading'],
    ['Market', 'Today'],
    ['News', 'Current News'],
    ['Saved', 'Your Predictions'],
  ] as const;
  await tab('Forecast').focus();
  for (const [name, part] of parts) {
    await page.keyboard.press('ArrowRight');
    await widget(part).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    expect(await tab(name).getAttribute('aria-selected')).toBe('true');
    expect(new URL(page.url())).toMatchObject({ search: '?sym=ETH', hash: `#${name.toLowerCase()}` });
    await expect.poll(screens).toBeLessThan(3);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.getByRole('tabpanel').count()).toBe(1);
  }

  await page.goBack();
  await widget('Current News').waitFor();
  await page.setViewportSize(WIDE);
  await widget('Order Book').waitFor();
  expect(await tab('News').count()).toBe(0);
  await close();
});

const SCREENS = [
  ['wide', WIDE],
  ['narrow', PHONE],
] as const;

// In the daytime run web/features/market-outage/outage-notice.test.tsx covers phones, where nothing live is on the screen.
test.each(isNight ? SCREENS : SCREENS.slice(0, 1))(
  'reports a market that is down on arrival, and a server that goes down later, in one message on %s screens',
  async (_, viewport) => {
    const { page, widget, close } = await open(viewport);
    let lost: 'market' | 'server' | null = 'market';
    const sockets: WebSocketRoute[] = [];
    const lose = (next: typeof lost) => {
      lost = next;
      return Promise.all(sockets.splice(0).map((socket) => socket.close()));
    };
    await page.routeWebSocket(/\/market\/ws/, (socket) => {
      sockets.push(socket);
      if (lost === null) socket.connectToServer();
      else if (lost === 'server') void socket.close();
    });
    const refuse = (route: Route) => (lost === 'server' ? route.abort() : route.fulfill({ status: 503, json: {} }));
    await page.route(/\/(history|forecast\/latest|0\/public)/, (route) =>
      lost === null ? route.continue() : refuse(route),
    );
    await page.route(/\/(readyz|functions\/v1|rest\/v1)/, (route) => {
      if (lost === 'server') return route.abort();
      const isState = lost === 'market' && route.request().url().endsWith('/readyz');
      return isState ? route.fulfill({ json: { checks: { market: 'degraded' } } }) : route.continue();
    });
    await page.goto(`${kat.url}/kat`);
    const market = page.getByText('Market data is unavailable.');
    await market.waitFor();
    expect(await widget('BTC Demo').getByText('sample data').count()).toBe(1);
    expect(await overflowOf(page)).toBe(0);
    const top = () => widget('BTC Demo').evaluate((part) => part.getBoundingClientRect().top);
    const before = await top();

    await lose(null);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await market.waitFor({ state: 'detached' });
    // This minute's shared forecast replaces the samples.
    await widget('BTC Demo').getByText('sample data').waitFor({ state: 'detached' });
    expect(await top()).toBe(before);

    await lose('server');
    // A phone notices it within a minute and a half, with nothing live on the screen.
    if (viewport === WIDE) {
      await page.getByText('We can’t reach Kat.').waitFor();
      expect(await top()).toBe(before);
      await readDownTo(page, widget('Market Holidays & Announcements').getByText('Holiday check unavailable.'));
      await expect.poll(() => page.locator('main').innerText()).not.toContain('The rest of the page still works');
      await expect.poll(() => page.getByRole('button', { name: 'Retry' }).count()).toBe(1);
    }
    await close();
  },
);
