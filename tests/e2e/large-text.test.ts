/** Opens pages in a browser whose user doubled its text size: nothing is wider than the screen, and texts are whole. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureTestBrowser } from '../support/browser/chromium.ts';
import { overflowOf } from '../support/browser/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([
    sharedKat('plain'),
    chromium.launch({
      executablePath: ensureTestBrowser(),
      args: ['--no-sandbox', '--disable-gpu', '--blink-settings=defaultFontSize=32'],
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
});

async function open(path: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 } });
  const page = await context.newPage();
  await page.goto(kat.url + path);
  return page;
}

test.each([390, 1440])(
  'shows /kat at %i px with the banner, the answer and the chart’s prices whole',
  async (width) => {
    const page = await open('/kat', width);
    await page.waitForFunction(
      () => Number(document.querySelector('main [data-candle-count]')?.getAttribute('data-candle-count')) > 0,
    );

    expect(await overflowOf(page)).toBe(0);
    const banner = page.getByText('nothing here is real money').filter({ visible: true });
    const [text, bar] = [await banner.boundingBox(), await page.getByLabel('About this site’s data').boundingBox()];
    expect(text?.height).toBeLessThanOrEqual(bar?.height ?? 0);
    expect(text?.width).toBeLessThanOrEqual(width);
    const answer = page.locator('[data-answer] > p').first();
    expect(await answer.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
    // The chart library draws its own axis: 12 px at the usual size.
    const axisPx = await page.evaluate(
      () => document.querySelector('[data-candle-count] table tr td:last-child')?.clientWidth,
    );
    expect(axisPx).toBeGreaterThan(120);
    await page.context().close();
  },
);

test.each(['/', '/gallery', '/track-record', '/pricing'])('fits %s on a phone', async (path) => {
  const page = await open(path, 390);
  await page.getByRole('heading', { level: 1 }).waitFor();

  expect(await overflowOf(page)).toBe(0);
  await page.context().close();
});
