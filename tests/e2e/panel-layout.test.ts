/** What the prediction panel looks like where it is tightest: figures stay whole, no hole is left. */
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

async function openKat(viewport: { width: number; height: number }) {
  const page = await (await browser.newContext({ viewport })).newPage();
  const trouble = watchTrouble(page, kat.url);
  await signIn(page, kat.url, 'lion@example.com');
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  return { page, trouble };
}

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
    const { page, trouble } = await openKat({ width, height: 844 });
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

test.each([900, 1200])('beside a chart on a screen of 1440 x %i the range panel has no hole', async (height) => {
  const { page, trouble } = await openKat({ width: 1440, height });
  const sentence = await page.getByText('The bands stand here once a forecast is on the chart.').boundingBox();
  const key = await page.getByRole('list', { name: 'How to read the chart' }).boundingBox();
  const about = await page.getByText('At one minute nobody beats the last price.').first().boundingBox();
  const panel = await page.getByRole('region', { name: 'Forecast Range' }).boundingBox();

  const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN);
  expect((key?.y ?? Number.NaN) - bottomOf(sentence)).toBeLessThan(32);
  expect(bottomOf(panel) - bottomOf(about)).toBeLessThan(32);
  expect(trouble).toEqual([]);
  await page.context().close();
});
