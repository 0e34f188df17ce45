/** Tests the home page in a real browser: the latest forecast, its gauge and summary, Bitcoin, and failures of both. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LatestForecast, latestForecastSchema } from '#domain/forecast/latest-forecast.ts';
import { formatPrice } from '#domain/format/price.ts';
import { narrativeText, readPath } from '#domain/market/narrative.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf, shiftOf, watchArrival, watchShifts } from '../support/browser/page-quality.ts';
import { readDownTo, simulatedBar, waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

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
  await watchShifts(page);
  await prepare?.(page);
  const forecast = page.getByRole('region', { name: 'BTC, this minute’s forecast' });
  const bitcoin = page.getByRole('region', { name: 'Bitcoin', exact: true });
  return { page, forecast, bitcoin, close: () => context.close() };
}

/** @returns a reader of the last forecast the server sent; the page may draw it before the test has read the body */
function lastAnswer(page: Page): () => Promise<LatestForecast> {
  let last: unknown = null;
  page.on('response', async (response) => {
    // A 304 has no body.
    if (response.url().includes('/forecast/latest') && response.status() === 200) last = await response.json();
  });
  return async () => {
    await expect.poll(() => last).not.toBeNull();
    return latestForecastSchema.parse(last);
  };
}

const TABLET = { width: 768, height: 1024 };

// In the daytime run public-pages.test.ts opens the page on a wide screen.
test.each([['phone', PHONE] as const, ...(isNight ? [['wide', WIDE] as const, ['tablet', TABLET] as const] : [])])(
  'draws and describes the latest forecast without layout shift (%s), and shows its candles on a wide screen',
  async (_what, viewport) => {
    const { page, forecast, bitcoin, close } = await open(viewport);
    const trouble = watchTrouble(page, kat.url);
    const answer = lastAnswer(page);
    const arrival = watchArrival(page);
    await page.goto(kat.url);

    await waitForCandles(page, 200);
    await readDownTo(page, bitcoin.getByText(/^US dollars\./));

    const latest = await answer();
    const { lastClose, path, band, history } = latest;
    expect([history.length, path.length]).toEqual([150, 50]);
    const reading = readPath([lastClose, ...path.map(({ close: each }) => each)]) ?? expect.fail('no reading');
    const angle = Number(await forecast.locator('[data-angle]').getAttribute('data-angle'));
    expect(angle).toBeCloseTo(reading.needleDeg, 1);
    const ends = { lower80: band.lower80[49] ?? 0, upper80: band.upper80[49] ?? 0 };
    expect(await forecast.locator('[data-narrative]').textContent()).toBe(narrativeText(reading, ends, 1));
    await expect.poll(() => forecast.getByText('simulated').count()).toBe(1);
    // The bar says it once for the whole page.
    expect(await forecast.getByText('simulated').isVisible()).toBe(false);
    await simulatedBar(page).waitFor();
    await expect
      .poll(() => forecast.getByRole('img', { name: /One plausible path of 50 forecast candles/ }).count())
      .toBe(1);
    await arrival();
    expect(await shiftOf(page)).toBeLessThan(0.02);
    for (const size of [viewport, WIDE]) {
      await page.setViewportSize(size);
      await nextFrames(page);
      // The reserved heights equal those of the content.
      for (const panel of [forecast, bitcoin]) {
        const [height, reserved] = await panel.evaluate((element) => [
          element.getBoundingClientRect().height,
          Number.parseFloat(getComputedStyle(element).minHeight),
        ]);
        expect(Math.abs((height ?? 0) - (reserved ?? -1))).toBeLessThanOrEqual(1);
      }
      expect(await overflowOf(page)).toBe(0);
    }
    await expectReadableCandles(page, forecast, latest);
    expect(trouble).toEqual([]);
    await close();
  },
);

/**
 * Checks that the tooltip shows the close of the candle below the pointer, and that arrow keys move through the
 * candles.
 */
async function expectReadableCandles(page: Page, forecast: Locator, { history, path }: LatestForecast): Promise<void> {
  const tip = forecast.getByRole('tooltip', { includeHidden: true });
  const chart = forecast.locator('[data-candle-count]');
  // On phones a plain picture, of one canvas, comes first.
  await forecast.locator('[data-candle-count] canvas').nth(1).waitFor();
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
}

test('serves its statement and its links without scripts', async () => {
  const html = await (await fetch(kat.url)).text();
  const main = /<main[\s>][\s\S]*<\/main>/.exec(html)?.[0] ?? '';

  expect(main).toContain('At one minute nobody beats the last price.');
  const links = [...main.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual(expect.arrayContaining(['/kat', '/ai-models', '/research', '/about']));
});
