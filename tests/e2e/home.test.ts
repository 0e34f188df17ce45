/** The home page in a real browser: the minute's forecast, its gauge and sentence, Bitcoin, and what happens without them. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LatestForecast, latestForecastSchema } from '#domain/forecast/latest-forecast.ts';
import { formatPrice } from '#domain/format/price.ts';
import { narrativeText, readPath } from '#domain/market/narrative.ts';
import { launchChromium } from '../support/chromium.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { readDownTo, waitForCandles, watchTrouble } from '../support/site-driver.ts';

const FORECAST = '**/forecast/latest*';
const PRICES = '**/rest/v1/price_snapshots*';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(viewport = WIDE, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport, timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  await prepare?.(page);
  const forecast = page.getByRole('region', { name: 'BTC, this minute’s forecast' });
  const bitcoin = page.getByRole('region', { name: 'Bitcoin', exact: true });
  return { page, forecast, bitcoin, close: () => context.close() };
}

/** Adds up what moved without anybody's doing, from the first paint on. */
function watchShifts(): void {
  const shifts = { sum: 0 };
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && typeof entry.value === 'number' && !('hadRecentInput' in entry && entry.hadRecentInput))
        shifts.sum += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
const shifted = (page: Page) => page.evaluate(() => Number(Object(window).shifts.sum));

/** The forecast the page drew: the last one it was answered. A page may draw it before its bytes are here. */
function lastAnswer(page: Page): () => Promise<LatestForecast> {
  let last: unknown = null;
  page.on('response', async (response) => {
    // A 304 has no body of its own.
    if (response.url().includes('/forecast/latest') && response.status() === 200) last = await response.json();
  });
  return async () => {
    await expect.poll(() => last).not.toBeNull();
    return latestForecastSchema.parse(last);
  };
}

const fulfil = (status: number, body: string, contentType: string) => (route: Route) =>
  route.fulfill({ status, body, contentType });

test.each([
  ['wide', WIDE],
  ['phone', PHONE],
])('the forecast of this minute is drawn and told, and nothing moves when it comes (%s)', async (_what, viewport) => {
  const { page, forecast, bitcoin, close } = await open(viewport);
  const trouble = watchTrouble(page, kat.url);
  const answer = lastAnswer(page);
  await page.goto(kat.url);

  await waitForCandles(page, 200);
  await readDownTo(page, bitcoin.getByText(/^US dollars\./));

  const { lastClose, path, band, history } = await answer();
  expect([history.length, path.length]).toEqual([150, 50]);
  const reading = readPath([lastClose, ...path.map(({ close: each }) => each)]) ?? expect.fail('no reading');
  const angle = Number(await forecast.locator('[data-angle]').getAttribute('data-angle'));
  expect(angle).toBeCloseTo(reading.needleDeg, 1);
  const ends = { lower80: band.lower80[49] ?? 0, upper80: band.upper80[49] ?? 0 };
  expect(await forecast.locator('[data-narrative]').textContent()).toBe(narrativeText(reading, ends, 1));
  await expect.poll(() => forecast.getByText('simulated').count()).toBe(1);
  await expect
    .poll(() => forecast.getByRole('img', { name: /One plausible path of 50 forecast candles/ }).count())
    .toBe(1);
  await page.waitForLoadState('networkidle');
  expect(await shifted(page)).toBeLessThan(0.02);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  expect(trouble).toEqual([]);
  await close();
});

test('its places are as high as what comes into them', async () => {
  for (const viewport of [WIDE, { width: 768, height: 1024 }, PHONE]) {
    const { page, forecast, bitcoin, close } = await open(viewport);
    await page.goto(kat.url);
    await waitForCandles(page, 200);
    await readDownTo(page, bitcoin.getByText(/^US dollars\./));

    for (const panel of [forecast, bitcoin]) {
      const [height, kept] = await panel.evaluate((element) => [
        element.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(element).minHeight),
      ]);
      expect(Math.abs((height ?? 0) - (kept ?? -1))).toBeLessThanOrEqual(1);
    }
    await close();
  }
});

test('the pointer shows the close of the candle below it, the arrow keys walk through all of them', async () => {
  const { page, forecast, close } = await open();
  const answer = lastAnswer(page);
  await page.goto(kat.url);
  await waitForCandles(page, 200);
  const { history, path } = await answer();
  const tip = forecast.getByRole('tooltip', { includeHidden: true });
  const chart = forecast.locator('[data-candle-count]');
  await chart.locator('canvas').first().waitFor();
  await chart.hover({ position: { x: 200, y: 150 } });

  await expect.poll(() => tip.isVisible()).toBe(true);
  const closes = new Set(history.map((candle) => formatPrice(candle.close, 1)));
  const shown = async () => /Close ([\d,.]+)$/.exec((await tip.textContent()) ?? '')?.[1] ?? '';
  await expect.poll(async () => closes.has(await shown())).toBe(true);
  await page.mouse.move(5, 5);
  await expect.poll(() => tip.isVisible()).toBe(false);

  await forecast.getByRole('slider').focus();
  const last = path.at(-1) ?? expect.fail('no path');
  await expect.poll(() => tip.textContent()).toMatch(new RegExp(`^forecast .*Close ${formatPrice(last.close, 1)}$`));
  await page.keyboard.press('ArrowLeft');
  const before = path.at(-2) ?? expect.fail('no path');
  await expect.poll(() => tip.textContent()).toContain(formatPrice(before.close, 1));
  await page.keyboard.press('Home');
  const first = history[0] ?? expect.fail('no history');
  await expect.poll(() => tip.textContent()).toContain(formatPrice(first.close, 1));
  await close();
});

test.each([
  [
    'a refusal',
    fulfil(
      503,
      JSON.stringify({ error: 'Market data is not available right now.', code: 'venue/unavailable' }),
      'application/json',
    ),
    'Market data is not available right now.',
  ],
  [
    'a page of somebody else',
    fulfil(200, '<!doctype html><h1>Gateway</h1>', 'text/html'),
    'The answer could not be read.',
  ],
  ['nothing', fulfil(200, '', 'application/json'), 'The answer could not be read.'],
  ['an empty object', fulfil(200, '{}', 'application/json'), 'The answer could not be read.'],
  ['no connection', (route: Route) => route.abort(), 'The server could not be reached.'],
])('%s instead of a forecast: it says so, the rest stands, Retry brings it', async (_what, fault, words) => {
  const { page, forecast, bitcoin, close } = await open(PHONE, (opened) => opened.route(FORECAST, fault));
  await page.goto(kat.url);

  await forecast.getByText('No forecast right now').waitFor();

  expect(await forecast.getByRole('alert').textContent()).toContain(`${words} The rest of the page still works.`);
  expect(await forecast.locator('[data-narrative]').textContent()).toBe('Waiting…');
  expect(await forecast.locator('[data-angle]').count()).toBe(0);
  await readDownTo(page, bitcoin.getByText(/^US dollars\./));
  expect(await shifted(page)).toBeLessThan(0.02);
  await page.unroute(FORECAST);
  await forecast.getByRole('button', { name: 'Retry' }).click();
  await waitForCandles(page, 200);
  await close();
});

test('a path with hostile names in it is text, and one that is too short waits', async () => {
  const { page, forecast, close } = await open(WIDE, (opened) =>
    opened.route(FORECAST, async (route) => {
      const latest = latestForecastSchema.parse(await (await route.fetch()).json());
      const cut = (edge: number[]) => edge.slice(0, 20);
      const { lower80, upper80, lower95, upper95 } = latest.band;
      const band = { lower80: cut(lower80), upper80: cut(upper80), lower95: cut(lower95), upper95: cut(upper95) };
      const label = '<img src=x onerror=alert(1)>';
      await route.fulfill({ json: { ...latest, label, modelVersion: label, path: latest.path.slice(0, 20), band } });
    }),
  );
  await page.goto(kat.url);

  await waitForCandles(page, 170);

  expect(await forecast.locator('[data-narrative]').textContent()).toBe('Waiting…');
  expect(await forecast.locator('[data-angle]').count()).toBe(0);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  await close();
});

test.each([
  ['no row', fulfil(200, '[]', 'application/json'), 'No BTC snapshot'],
  [
    'a refusal in words',
    fulfil(
      403,
      JSON.stringify({ code: '42501', message: 'permission denied', details: null, hint: null }),
      'application/json',
    ),
    'permission denied',
  ],
  [
    'a page of somebody else',
    fulfil(502, '<!doctype html><h1>Bad gateway</h1>', 'text/html'),
    'Failed to load BTC stats',
  ],
])('Bitcoin’s figures with %s: a toast, dashes, and Retry', async (_what, fault, words) => {
  const { page, bitcoin, close } = await open(WIDE, (opened) => opened.route(PRICES, fault));
  await page.goto(kat.url);

  await page.getByRole('status').filter({ hasText: words }).first().waitFor();

  expect(await bitcoin.getByRole('alert').textContent()).toBe(words);
  expect(await bitcoin.getByRole('definition').allTextContents()).toEqual(['–', '–', '–', '–']);
  await page.unroute(PRICES);
  await bitcoin.getByRole('button', { name: 'Retry' }).click();
  await readDownTo(page, bitcoin.getByText(/^US dollars\./));
  expect(await bitcoin.getByRole('definition').first().textContent()).toMatch(/^\$[\d,]+$/);
  await close();
});

test('Bitcoin’s figures without a connection: told within three seconds', async () => {
  const { page, bitcoin, close } = await open(PHONE, (opened) => opened.route(PRICES, (route) => route.abort()));
  const asked = page.waitForRequest(PRICES);
  await page.goto(kat.url);
  await readDownTo(page, bitcoin);
  await asked;

  await bitcoin.getByRole('alert').waitFor({ timeout: 3000 });

  expect(await bitcoin.getByRole('alert').textContent()).toBe('Failed to load BTC stats');
  expect(await shifted(page)).toBeLessThan(0.02);
  await close();
});

test('what the page is, and where to go, reads without any script', async () => {
  const context = await browser.newContext({ viewport: WIDE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(kat.url);
  const main = page.getByRole('main');

  await expect.poll(() => main.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expect.poll(() => main.getByText('At one minute nobody beats the last price.').count()).toBe(1);
  const links = await main.getByRole('link').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(links).toEqual(expect.arrayContaining(['/kat', '/ai-models', '/research', '/about']));
  await context.close();
});
