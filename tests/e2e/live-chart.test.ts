/** The chart of /kat follows its market, and is whole on the first screen of a phone. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

const chartOf = (page: Page) => page.locator('[data-candle-count]').first();
const pictureOf = async (page: Page) => (await chartOf(page).screenshot()).toString('base64');

test('moves with the price, rolls when a bar closes, and follows a prediction over a running one', async () => {
  const { email } = await newSubscriber(kat.url, 'lion');
  const context = await signedInContext(browser, kat.url, email, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  await page.getByText('usual range, from past volatility').waitFor();

  const before = await pictureOf(page);
  await expect.poll(() => pictureOf(page)).not.toBe(before);
  const label = () => chartOf(page).getAttribute('aria-label');
  const first = await label();
  await expect.poll(label, { timeout: 2 * WAIT_MS }).not.toBe(first);
  expect(await chartOf(page).getAttribute('data-candle-count')).toBe('150');
  // No one moved the view.
  expect(await page.getByRole('button', { name: 'Whole chart' }).count()).toBe(0);

  const predict = page.getByRole('button', { name: /^Prediction/ });
  for (const _ of ['first', 'over the first']) {
    await expect.poll(() => predict.getAttribute('aria-disabled')).toBe('false');
    const opened = page.waitForRequest(/\/stream-kat2/);
    await predict.click();
    await opened;
    await expect.poll(() => predict.getAttribute('aria-busy')).toBeNull();
    await waitForCandles(page, 200);
  }
  await page.getByText(/^80% between −\d+\.\d\d and \+\d+\.\d\d% in 50 minutes$/).waitFor();
  expect(await chartOf(page).getAttribute('data-candle-count')).toBe('200');
  expect(await page.getByRole('button', { name: 'Whole chart' }).count()).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

const PHONES = [
  [360, 640],
  [390, 664],
  [844, 390],
] as const;

test('shows the whole chart and one working button on the first screen of a phone, upright and on its side', async () => {
  const { email } = await newSubscriber(kat.url, 'bobcat');
  const users: [Promise<BrowserContext>, string][] = [
    [browser.newContext({ hasTouch: true, isMobile: true }), 'Sign in to predict'],
    [signedInContext(browser, kat.url, email, { hasTouch: true, isMobile: true }), 'Prediction'],
  ];
  for (const [opening, button] of users) {
    const context = await opening;
    const page = await context.newPage();
    for (const [width, height] of PHONES) {
      await page.setViewportSize({ width, height });
      await page.goto(`${kat.url}/kat`);
      await expect.poll(() => chartOf(page).getAttribute('data-candle-count')).not.toBe('0');
      const where = `${button} at ${width}x${height}`;
      await expect.poll(() => coveredShare(page), { message: where }).toBe(0);
      const main = page.getByRole(button === 'Prediction' ? 'button' : 'link', { name: new RegExp(`^${button}`) });
      const box = (await main.boundingBox()) ?? expect.fail(where);
      expect(box.height, where).toBeGreaterThanOrEqual(button === 'Prediction' ? 44 : 36);
      expect(box.y + box.height, where).toBeLessThanOrEqual(height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width);
    }
    await context.close();
  }
});

test('fills a phone’s screen on request, and leads back to the whole chart after a pinch', async () => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  for (const [width, height] of PHONES) {
    await page.setViewportSize({ width, height });
    await page.goto(`${kat.url}/kat`);
    await expect.poll(() => chartOf(page).getAttribute('data-candle-count')).not.toBe('0');
    const before = (await chartOf(page).boundingBox())?.height ?? 0;

    await page.getByRole('button', { name: 'Full screen' }).tap();
    await expect.poll(async () => (await chartOf(page).boundingBox())?.height).toBeGreaterThan(before);
    await expect.poll(() => coveredShare(page), { message: `${width}x${height}` }).toBe(0);
    await pinch(page);
    await page.getByRole('button', { name: 'Whole chart' }).tap();
    await expect.poll(() => page.getByRole('button', { name: 'Whole chart' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Leave full screen' }).tap();

    await expect.poll(async () => (await chartOf(page).boundingBox())?.height).toBe(before);
  }
  // The chances are below the panel.
  await page.getByRole('button', { name: 'Full screen' }).tap();
  await page.getByRole('button', { name: 'Chances', exact: true }).tap();
  await page.getByRole('region', { name: 'Chances' }).waitFor();
  await page.getByRole('button', { name: 'Full screen' }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

/** Two fingers move apart over the middle of the chart. */
async function pinch(page: Page): Promise<void> {
  const box = (await chartOf(page).boundingBox()) ?? expect.fail('no chart');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', awayPx: number | null) => {
    const touchPoints = awayPx === null ? [] : [x - awayPx, x + awayPx].map((at) => ({ x: at, y }));
    return session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await send('touchStart', 20);
  for (const awayPx of [30, 45, 60, 80]) await send('touchMove', awayPx);
  await send('touchEnd', null);
}

test('keeps book, chances, watchlist and paper trading beside the chart in tabs, in two columns from 1800 px', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${kat.url}/kat`);
  await page.getByRole('button', { name: 'Buy', exact: true }).waitFor();
  const sideTab = (name: string) => page.getByRole('tab', { name, exact: true });
  const topOf = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y;

  const bookTop = await topOf('Order Book');
  await sideTab('Paper').click();
  await expect.poll(() => topOf('Paper Trading')).toBe(bookTop);
  expect(await page.getByRole('region', { name: 'Order Book' }).count()).toBe(0);
  await sideTab('Watch').click();
  await expect.poll(() => topOf('Watchlist')).toBe(bookTop);
  // Paper trading stays on the page, below the chart.
  expect(await topOf('Paper Trading')).toBeGreaterThan(bookTop ?? Number.POSITIVE_INFINITY);
  await page.reload();
  await expect.poll(() => topOf('Watchlist')).toBe(bookTop);

  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole('region', { name: 'Order Book' }).waitFor();
  expect(await sideTab('Book').count()).toBe(0);
  await sideTab('Paper').click();
  const boxes = await Promise.all(
    ['BTC Demo', 'Order Book', 'Paper Trading'].map((name) =>
      page.getByRole('region', { name, exact: true }).boundingBox(),
    ),
  );
  const lefts = boxes.map((box) => box?.x ?? Number.NaN);
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
  expect(new Set(boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0)))).size).toBe(1);
  await context.close();
});

/** Share of the chart that is off the screen or under something else than its own controls. */
async function coveredShare(page: Page): Promise<number> {
  return chartOf(page).evaluate((chart) => {
    const { left, top, width, height } = chart.getBoundingClientRect();
    const points = Array.from({ length: 100 }, (_, i) => ({
      x: left + (width * ((i % 10) + 0.5)) / 10,
      y: top + (height * (Math.floor(i / 10) + 0.5)) / 10,
    }));
    return points.filter(({ x, y }) => !chart.parentElement?.contains(document.elementFromPoint(x, y))).length / 100;
  });
}
