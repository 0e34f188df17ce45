/** The ghost baseline in a real browser: drawn over a forecast, still on after a reload, in nobody's way. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type Account, newSubscriber } from '../support/new-accounts.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { signedInContext } from '../support/signed-in.ts';
import { waitForCandles, watchTrouble } from '../support/site-driver.ts';

let kat: SharedKat;
let browser: Browser;
let subscriber: Account;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  subscriber = await newSubscriber(kat.url, 'bobcat');
});

afterAll(async () => {
  await browser?.close();
});

test('the ghost is switched on by keyboard, moves nothing, is drawn over a forecast, described, and on after a reload', async () => {
  const viewport = { width: 1440, height: 1000 };
  const page = await (await signedInContext(browser, kat.url, subscriber.email, { viewport })).newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);

  await page.getByRole('button', { name: 'Ghost baseline' }).focus();
  const below = page.getByRole('heading', { name: 'Your Predictions' });
  const before = await below.boundingBox();
  await page.keyboard.press('Space');
  await page.getByText('ghost: drawn with the next forecast').waitFor();
  expect(await below.boundingBox()).toEqual(before);
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

test('on a phone the focused ghost switch lies under nothing, however high the screen is', async () => {
  // The visitors' demo plays from its history on: without motion it is there at once, whole.
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'no-preference' } as const;
  const page = await (await browser.newContext(phone)).newPage();
  await page.goto(`${kat.url}/kat`);
  // The demo adds candles as it plays: a busy machine may never see just its first 150.
  await page.waitForFunction(
    () => Number(document.querySelector('main [data-candle-count]')?.getAttribute('data-candle-count')) >= 150,
  );
  const ghost = page.getByRole('button', { name: 'Ghost baseline' });

  for (const height of [844, 667]) {
    await page.setViewportSize({ width: 390, height });
    await ghost.blur();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await ghost.focus();

    const box = await ghost.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    const isUncovered = await ghost.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const corners = [top + 4, bottom - 4].flatMap((y) => [left + 6, right - 6].map((x) => [x, y] as const));
      return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
    });
    expect(isUncovered, `${height}`).toBe(true);
  }
  await page.context().close();
});
