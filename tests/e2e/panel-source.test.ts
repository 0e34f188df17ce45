/**
 * Tests what the prediction panel shows about its candles in a real browser: their venue, delay and age, and why they
 * are missing.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { waitForCandles } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('demo');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function openSignedIn(viewport: { width: number; height: number }): Promise<Page> {
  return (await signedInContext(browser, kat.url, 'lion@example.com', { viewport })).newPage();
}

/** The panel's chart, and the caption below it. */
const chartOf = (page: Page) => page.locator('[data-candle-count]').first();
const captionOf = (page: Page) => page.locator('p', { hasText: 'one-minute candles' }).first();

test('keeps delayed and stale candles, dimmed, without a taller caption, and explains a symbol without a venue', async () => {
  const page = await openSignedIn({ width: 1440, height: 844 });
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  await page.getByText('Sandbox market').first().waitFor();
  const heightsOfCaption = async () => {
    const heights: number[] = [];
    for (const width of [1440, 390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      await nextFrames(page);
      heights.push((await captionOf(page).boundingBox())?.height ?? 0);
      expect(await overflowOf(page), `${width}`).toBe(0);
    }
    return heights;
  };
  const before = await heightsOfCaption();

  await page.route('**/history?*', async (route) => {
    const answer = await route.fetch();
    const asOf = String(Math.floor(Date.now() / 1000) - 13 * 60);
    await route.fulfill({
      response: answer,
      headers: {
        ...answer.headers(),
        ...{ 'x-market-stale': 'true', 'x-market-as-of': asOf, 'x-market-delay-s': '900' },
      },
    });
  });
  await page.getByRole('button', { name: 'Refresh' }).first().click();

  await page.getByText(/^stale · 1[12] min$/).waitFor();
  await expect.poll(() => page.getByText('delayed 15 min').count()).toBe(1);
  await expect.poll(() => chartOf(page).getAttribute('data-candle-count')).toBe('150');
  const filter = await chartOf(page)
    .locator('canvas')
    .first()
    .evaluate((canvas) => getComputedStyle(canvas).filter);
  expect(filter).toContain('grayscale(1)');
  for (const [i, height] of (await heightsOfCaption()).entries())
    expect(height).toBeLessThanOrEqual((before[i] ?? 0) + 1);
  await page.unroute('**/history?*');

  // The viewport still has the last width, 360 pixels.
  const reason = 'No venue of MSFT is connected: shares need ALPACA_KEY.';
  await page.route('**/history?*sym=MSFT*', (route) =>
    route.fulfill({
      status: 503,
      json: {
        error: 'No price source is connected for this symbol.',
        code: 'venue/not-connected',
        details: { reason },
      },
    }),
  );
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: 'MSFT' }).click();
  await page.getByText(reason).waitFor();
  const notice = await page.getByText(reason).boundingBox();
  expect((notice?.x ?? 0) + (notice?.width ?? 999)).toBeLessThanOrEqual(360);

  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: 'ETH' }).click();
  // The account has a saved prediction of ETH that is still running: on a slow machine its fifty candles are there first.
  await expect.poll(() => chartOf(page).getAttribute('data-candle-count')).toMatch(/^(150|200)$/);
  await expect.poll(() => page.getByText(reason).count()).toBe(0);
  await page.context().close();
});
