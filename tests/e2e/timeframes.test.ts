/** A forecast of 5-minute candles as a user makes it: choose, stream, find it saved, and again after a reload. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { candleSchema } from '#domain/market/candle.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { readDownTo, waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await leaseKat();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

async function pageOf(email: string): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  return (await signedInContext(browser, kat.url, email, { viewport, reducedMotion: 'reduce' })).newPage();
}

const barOf = (page: Page) => page.getByRole('group', { name: 'Timeframe: 5 minutes' });

test('streams a forecast of 5-minute candles chosen before the page is alive, saves it with its timeframe, and brings it back after a reload', async () => {
  const { client, email } = await newSubscriber(kat.url, 'lion');
  const page = await pageOf(email);
  const trouble = watchTrouble(page, kat.url);
  const clicked = Promise.withResolvers<void>();
  await page.route(/\/assets\/forecast-panel-[^/]*\.js/, async (route) => {
    await clicked.promise;
    await route.continue();
  });
  await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
  // The radio button itself is drawn by its label.
  await page.getByText('5m', { exact: true }).click();
  clicked.resolve();
  await page.getByText('last 150 5-minute candles').waitFor();
  expect(new URL(page.url()).search).toBe('?sym=BTC&tf=5min');
  await page
    .getByRole('button', { name: /left today/ })
    .first()
    .click();
  await waitForCandles(page, 200);
  await page.getByText('saved', { exact: true }).first().waitFor();

  const { data: rows } = await client.from('user_predictions').select('cryptocurrency,timeframe,data');
  expect(rows).toMatchObject([{ cryptocurrency: 'BTC', timeframe: '5min' }]);
  const times = z
    .array(candleSchema)
    .parse(rows?.[0]?.data)
    .map(({ time }) => time);
  expect(times).toHaveLength(200);
  expect(times.every((time, i) => time % 300 === 0 && (i === 0 || time - (times[i - 1] ?? 0) === 300))).toBe(true);

  await page.reload();
  await waitForCandles(page, 200);
  await barOf(page).waitFor({ state: 'attached' });
  await page.getByText('saved', { exact: true }).first().waitFor();
  const grid = page.getByRole('region', { name: 'Your Predictions' });
  await readDownTo(page, grid.getByText('5min').first());
  expect(trouble).toEqual([]);
  await page.context().close();
});

// In the daytime run web/features/forecast/panel-timeframe.test.tsx covers this.
nightTest('shows one minute and a message for a timeframe that does not exist', async () => {
  const { email } = await newSubscriber(kat.url, 'bobcat');
  const page = await pageOf(email);
  const trouble = watchTrouble(page, kat.url);
  await recordToasts(page);
  await page.goto(`${kat.url}/kat?sym=ETH&tf=7min`);

  await waitForToast(page, 'There is no timeframe 7min. The chart shows 1 minute.');

  await waitForCandles(page, 150);
  await page.getByText('last 150 one-minute candles').waitFor();
  expect(trouble).toEqual([]);
  await page.context().close();
});
