/** The models' figures and the ghost in a real browser: nothing is refused by the policy, nothing sticks out, choices stay. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { readDownTo, signIn, waitForCandles, watchTrouble } from '../support/site-driver.ts';

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

test.each([360, 1440])(
  'on %i pixels the figures stand within the page, and every chart has its words',
  async (width) => {
    const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
    const trouble = watchTrouble(page, kat.url);

    await page.goto(`${kat.url}/ai-models`);
    await readDownTo(page, page.getByRole('heading', { name: 'How well they forecast' }));

    const overPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overPx).toBeLessThanOrEqual(0);
    const charts = await page.locator('main figure svg[role="img"]').all();
    expect(charts.length).toBeGreaterThan(0);
    for (const chart of charts) {
      expect(await chart.getAttribute('aria-label')).toMatch(/Bobcat: .*\d/);
    }
    expect(await page.getByRole('listitem').filter({ hasText: 'Bobcat (Kat 1)' }).count()).toBeGreaterThan(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  },
);

test('the ghost is switched on by keyboard, drawn over a forecast, told in words, and still on after a reload', async () => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 } })).newPage();
  const trouble = watchTrouble(page, kat.url);
  await signIn(page, kat.url, 'bobcat@example.com');
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);

  await page.getByRole('button', { name: 'Ghost baseline' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Prediction/ }).click();
  await waitForCandles(page, 200);

  const chart = page.getByRole('img', {
    name: /one-minute candles: last close .* Ghost baseline, dashed: the last close/,
  });
  await chart.waitFor();
  // A forecast that is not saved yet would be taken up again.
  await page.getByText('saved', { exact: true }).waitFor();
  await page.reload();
  await waitForCandles(page, 150);
  expect(await page.getByRole('button', { name: 'Ghost baseline' }).getAttribute('aria-pressed')).toBe('true');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('the ghost switch moves nothing below it', async () => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, kat.url, 'lion@example.com');
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  const below = page.getByRole('heading', { name: 'Your Predictions' });
  const before = await below.boundingBox();

  await page.getByRole('button', { name: 'Ghost baseline' }).click();
  await page.getByText('ghost: drawn with the next forecast').waitFor();

  expect(await below.boundingBox()).toEqual(before);
  await page.context().close();
});

test.each([844, 667])('on a phone %i pixels high the focused ghost switch lies under nothing', async (height) => {
  // The visitors' demo plays from its history on: without motion it is there at once, whole.
  const phone = { viewport: { width: 390, height }, hasTouch: true, reducedMotion: 'no-preference' } as const;
  const page = await (await browser.newContext(phone)).newPage();
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  const ghost = page.getByRole('button', { name: 'Ghost baseline' });

  await ghost.focus();

  const box = await ghost.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  const isUncovered = await ghost.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [top + 4, bottom - 4].flatMap((y) => [left + 6, right - 6].map((x) => [x, y] as const));
    return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  });
  expect(isUncovered).toBe(true);
  await page.context().close();
});
