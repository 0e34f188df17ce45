/** What the prediction panel looks like where it is tightest, and while one takes another's place: nothing is lost. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { signIn, waitForCandles, watchTrouble } from '../support/site-driver.ts';

let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  kat = await startKat({ args: ['--demo'] });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

/** Whoever leaves a forecast on its way finds it again on the next page: those who press have an account of their own. */
const PRESSES = 'lion@example.com';
const LOOKS = 'bobcat@example.com';

async function comeIn(viewport: { width: number; height: number }, email = LOOKS) {
  const page = await (await browser.newContext({ viewport })).newPage();
  const trouble = watchTrouble(page, kat.url);
  await signIn(page, kat.url, email);
  return { page, trouble };
}

async function openKat(viewport: { width: number; height: number }, email = LOOKS) {
  const { page, trouble } = await comeIn(viewport, email);
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  return { page, trouble };
}

test.each(['before it is alive', 'before its own panel is there'])(
  'a list of symbols that somebody signed in presses %s is open in the panel that comes, and chooses',
  async (when) => {
    const { page, trouble } = await comeIn({ width: 1440, height: 900 });
    const isPressed = Promise.withResolvers<void>();
    const code =
      when === 'before it is alive' ? /\/assets\/forecast-panel-[^/]*\.js/ : /\/assets\/live-panel-[^/]*\.js/;
    await page.route(code, async (route) => {
      await isPressed.promise;
      await route.continue();
    });

    await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
    await page.getByRole('combobox', { name: 'Symbol' }).click();
    if (when === 'before its own panel is there') await page.getByRole('option', { name: 'ETH' }).waitFor();
    isPressed.resolve();
    await page
      .getByText(/left today/)
      .first()
      .waitFor();
    await page.getByRole('option', { name: 'ETH' }).click();

    await page.getByRole('heading', { name: 'ETH Prediction' }).waitFor();
    await waitForCandles(page, 150);
    expect(trouble).toEqual([]);
    await page.context().close();
  },
);

/** Lines that the text of an element takes. */
async function linesOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
}

test.each([360, 390])(
  'on a phone of %i pixels the predictions left stand on one line, spinner or not',
  async (width) => {
    const { page, trouble } = await openKat({ width, height: 844 }, PRESSES);
    const left = page.getByText(/^\d+ left today \/ \d+ this month$/).first();
    await left.waitFor();
    expect(await linesOf(left)).toBe(1);

    await left.click();
    await page.locator('button[aria-busy="true"]', { has: left }).waitFor();

    expect(await linesOf(left)).toBe(1);
    expect(trouble).toEqual([]);
    await page.context().close();
  },
);

test.each([900, 1200])(
  'on a screen of 1440 x %i the order book is as high as the chart, and the range below has no hole',
  async (height) => {
    const { page, trouble } = await openKat({ width: 1440, height });
    await page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const [chart, book, range, paper] = await Promise.all(
      ['BTC Prediction', 'Order Book', 'Forecast Range', 'Paper Trading'].map((name) => region(name).boundingBox()),
    );
    const table = await region('Forecast Range').getByRole('table').boundingBox();
    const key = await page.getByRole('list', { name: 'How to read the chart' }).boundingBox();
    const sentence = await page.getByText('The bands stand here once a forecast is on the chart.').boundingBox();

    const bottomOf = (box: { y: number; height: number } | null | undefined) => (box ? box.y + box.height : Number.NaN);
    expect([book?.y, bottomOf(book)]).toEqual([chart?.y, bottomOf(chart)]);
    expect([paper?.y, bottomOf(paper)]).toEqual([range?.y, bottomOf(range)]);
    expect((key?.y ?? Number.NaN) - bottomOf(sentence)).toBeLessThan(32);
    expect(bottomOf(range) - bottomOf(table)).toBeLessThan(64);
    // The chart, its press and its book fit on the first screen.
    expect(bottomOf(chart)).toBeLessThan(height);
    expect(trouble).toEqual([]);
    await page.context().close();
  },
);

test('nothing jumps while book, prices and calendar arrive', async () => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      // @ts-expect-error: the browser's own entries, and the figure set above
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

  await page.goto(`${kat.url}/kat`);
  await page.getByRole('region', { name: 'Paper Trading' }).getByText('streaming', { exact: true }).waitFor();
  await page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
  await page.locator('[data-date]').first().waitFor({ state: 'attached' });

  // A tenth of what browsers call good.
  expect(await page.evaluate('window.shifted')).toBeLessThan(0.01);
  await page.context().close();
});
