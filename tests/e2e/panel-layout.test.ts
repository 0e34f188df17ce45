/**
 * Tests the prediction panel's layout where space is tightest, while one panel replaces another, and with the ghost
 * baseline.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight, sampleSize } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { type Account, newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;
let viewer: Account;
/** Its forecast comes back on the next page, so other tests use another account. */
let predictor: Account;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  [viewer, predictor] = await Promise.all([newSubscriber(kat.url, 'bobcat'), newSubscriber(kat.url, 'lion')]);
});

afterAll(async () => {
  await browser?.close();
});

async function comeIn(viewport: { width: number; height: number }, account: Account) {
  const page = await (await signedInContext(browser, kat.url, account.email, { viewport })).newPage();
  const trouble = watchTrouble(page, kat.url);
  return { page, trouble };
}

const MOMENTS = ['before it is alive', 'before its own panel is there'] as const;

test.each(MOMENTS.slice(0, sampleSize(1, MOMENTS.length)))(
  'keeps a symbol list opened %s usable in the arriving panel, and a locked model leads to the plans',
  async (when) => {
    const { page, trouble } = await comeIn({ width: 1440, height: 900 }, viewer);
    const clicked = Promise.withResolvers<void>();
    const code =
      when === 'before it is alive' ? /\/assets\/forecast-panel-[^/]*\.js/ : /\/assets\/live-panel-[^/]*\.js/;
    await page.route(code, async (route) => {
      await clicked.promise;
      await route.continue();
    });

    await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
    await page.getByRole('combobox', { name: 'Symbol' }).click();
    if (when === 'before its own panel is there') await page.getByRole('option', { name: 'ETH' }).waitFor();
    clicked.resolve();
    await page
      .getByText(/left today/)
      .first()
      .waitFor();
    await page.getByRole('option', { name: 'ETH' }).click();

    await page.getByRole('heading', { name: 'ETH Prediction' }).waitFor();
    await waitForCandles(page, 150);
    await page.getByRole('combobox', { name: 'Model' }).first().click();
    const lion = page.getByRole('option', { name: /Lion \(Kat 2\.4\)/ });
    await expect.poll(() => lion.getAttribute('title')).toBe('Upgrade to unlock');
    await lion.click();
    await page.waitForURL('**/account/subscription');
    expect(trouble).toEqual([]);
    await page.context().close();
  },
);

/** Counts the lines that the text of an element takes. */
async function linesOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
}

describe('the panel on one page', () => {
  const left = () => page.getByText(/^\d+ left today \/ \d+ this month$/).first();
  let page: Page;
  let trouble: string[];
  beforeAll(async () => {
    ({ page, trouble } = await comeIn({ width: 1440, height: 900 }, predictor));
    await watchShifts(page);
    await page.goto(`${kat.url}/kat`);
    await waitForCandles(page, 150);
  });
  afterAll(() => page?.context().close());

  test('aligns the order book with the chart, keeps the predictions left on one line, and draws the ghost baseline without moving anything', async () => {
    await alignBook();
    await keepOneLine();
    await drawGhost();
  });

  /** Gives the order book the chart’s height at two screen heights, without layout shift while parts load. */
  async function alignBook(): Promise<void> {
    await page.getByRole('region', { name: 'Paper Trading' }).getByText('streaming', { exact: true }).waitFor();
    await page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
    await page.getByRole('region', { name: 'Trading Sessions' }).scrollIntoViewIfNeeded();
    await page.locator('[data-date]').first().waitFor();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    // A tenth of the shift that browsers rate as good.
    expect(await shiftOf(page)).toBeLessThan(0.01);
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const bottomOf = (box: { y: number; height: number } | null | undefined) => (box ? box.y + box.height : Number.NaN);
    for (const height of [900, 1200]) {
      await page.setViewportSize({ width: 1440, height });
      await nextFrames(page);
      const [chart, book, range, paper] = await Promise.all(
        ['BTC Prediction', 'Order Book', 'Forecast Range', 'Paper Trading'].map((name) => region(name).boundingBox()),
      );
      const table = await region('Forecast Range').getByRole('table').boundingBox();
      const key = await page.getByRole('list', { name: 'How to read the chart' }).boundingBox();
      const message = await page.getByText('The bands appear here once a forecast is on the chart.').boundingBox();

      const tabs = await page.getByRole('tablist', { name: 'Beside the chart' }).boundingBox();
      expect([tabs?.y, bottomOf(book)]).toEqual([chart?.y, bottomOf(chart)]);
      expect((book?.y ?? 0) - bottomOf(tabs)).toBe(8);
      expect([paper?.y, bottomOf(paper)]).toEqual([range?.y, bottomOf(range)]);
      expect((key?.y ?? Number.NaN) - bottomOf(message)).toBeLessThan(32);
      expect(bottomOf(range) - bottomOf(table)).toBeLessThan(64);
      // The chart, its button and its book fit on the first screen.
      expect(bottomOf(chart)).toBeLessThan(height);
    }
  }

  /** Keeps the predictions left on one line at 360 and 390 pixels, with the spinner and without. */
  async function keepOneLine(): Promise<void> {
    await left().waitFor();
    await expectOneLine();
    // Holds the stream until both widths are measured.
    const isMeasured = Promise.withResolvers<void>();
    await page.route('**/stream-kat2*', async (route) => {
      await isMeasured.promise;
      await route.continue();
    });

    await left().click();
    await page.locator('button[aria-busy="true"]', { has: left() }).waitFor();

    await expectOneLine();
    isMeasured.resolve();
  }

  /** Draws the ghost baseline over the forecast by keyboard without moving anything, and describes it. */
  async function drawGhost(): Promise<void> {
    await page.setViewportSize({ width: 1440, height: 1000 });
    await waitForCandles(page, 200);
    await page.getByText('saved', { exact: true }).waitFor();
    const below = page.getByRole('heading', { name: 'Your Predictions' });
    const before = await below.boundingBox();
    await page.getByRole('button', { name: 'Ghost baseline', disabled: false }).focus();
    await page.keyboard.press('Space');

    const chart = page.getByRole('img', {
      name: /one-minute candles: last close .* Ghost baseline, dashed: the last close/,
    });
    await chart.waitFor();
    expect(await below.boundingBox()).toEqual(before);
    // In the daytime run web/features/forecast/panel-figures.test.tsx covers this.
    if (isNight) {
      await page.reload();
      // Its 50 minutes still run, so the saved forecast comes back. The market alone is on the chart only until then.
      await waitForCandles(page, 200);
      await page.getByText('saved', { exact: true }).waitFor();
      await chart.waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Ghost baseline' }).getAttribute('aria-pressed'))
        .toBe('true');
    }
    expect(trouble).toEqual([]);
  }

  async function expectOneLine(): Promise<void> {
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      await nextFrames(page);
      expect(await linesOf(left()), `${width}`).toBe(1);
    }
  }
});
