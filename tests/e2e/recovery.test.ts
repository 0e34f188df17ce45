/**
 * Checks that an interrupted forecast costs one prediction and is not lost: a killed browser, a reload, two tabs, no
 * market.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { predictionRowSchema } from '#domain/forecast/prediction.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { holdFirstStream } from '../support/browser/held-stream.ts';
import { watchArrival } from '../support/browser/page-quality.ts';
import { waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { type Account, newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const SAVED_TEXT = 'Your last forecast was finished and saved.';
const MINUTE_MS = 60_000;
const SOME_CANDLES = 20;

const quotaSchema = z.object({ remaining_daily: z.number(), remaining_monthly: z.number() });

interface Balance {
  daily: number;
  monthly: number;
  saved: number;
}

let kat: LeasedKat;
let browser: Browser;
let subscriber: Account;
let before: Balance;

beforeAll(async () => {
  kat = await leaseKat();
  browser = await launchChromium();
  subscriber = await newSubscriber(kat.url, 'lion');
});

beforeEach(async () => {
  before = await account();
});

afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

/** Reads the balance from the server, not from the page. */
async function account(): Promise<Balance> {
  const quota = await subscriber.client.functions.invoke('get-quota', { method: 'POST', body: {} });
  const rows = await subscriber.client.from('user_predictions').select('*');
  if (quota.error ?? rows.error) throw quota.error ?? rows.error;
  const { remaining_daily: daily, remaining_monthly: monthly } = quotaSchema.parse(quota.data);
  return { daily, monthly, saved: z.array(predictionRowSchema).parse(rows.data).length };
}

const oneSpent = (): Balance => ({ daily: before.daily - 1, monthly: before.monthly - 1, saved: before.saved + 1 });

const newContext = (): Promise<BrowserContext> =>
  signedInContext(browser, kat.url, subscriber.email, { viewport: { width: 1440, height: 900 } });

/**
 * @param symbol  chosen if given; each test has its own, because a forecast of the same minute costs only one
 * prediction
 */
async function openKat(context: BrowserContext, symbol?: string): Promise<Page> {
  const page = await context.newPage();
  await recordToasts(page);
  await holdFirstStream(page, SOME_CANDLES);
  // By address, because Bitcoin's chart may show the saved forecast of the test before.
  await page.goto(`${kat.url}/kat${symbol === undefined ? '' : `?sym=${symbol}`}`);
  await waitForCandles(page, 150);
  return page;
}

async function pickSymbol(page: Page, symbol: string): Promise<void> {
  // The chart keeps the old symbol's 150 candles for a moment.
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/history');
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: new RegExp(`^${symbol}`) }).click();
  await answered;
  await page.getByRole('heading', { name: `${symbol} Prediction` }).waitFor();
  await waitForCandles(page, 150);
}

const quotaButton = ({ daily, monthly }: Balance) => ({ name: `${daily} left today / ${monthly} this month` });
const press = (page: Page) => page.getByRole('button', quotaButton(before)).first().click();
const waitForQuota = (page: Page, left: Balance) => page.getByRole('button', quotaButton(left)).first().waitFor();

/** Stays in the middle of the page's first stream: some candles are shown, and most are missing. */
const waitForSomeCandles = (page: Page) => waitForCandles(page, 150 + SOME_CANDLES);

/**
 * Two clicks cost one prediction only within one minute of the server, so this moves its clock to the start of the
 * next.
 */
async function beginMinute(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  const answer = await fetch(`${kat.url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offsetMs: leftMs + 1000 }),
  });
  expect(answer.status).toBe(200);
}

test('finishes and saves a killed browser’s forecast once in the next browser, for one prediction', async () => {
  const killed = await newContext();
  const page = await openKat(killed);
  await press(page);
  await waitForSomeCandles(page);
  await killed.close();
  expect(await account()).toEqual({ ...oneSpent(), saved: before.saved });

  const context = await newContext();
  const next = await openKat(context);
  const trouble = watchTrouble(next, kat.url);
  await waitForToast(next, SAVED_TEXT);
  await waitForCandles(next, 200);
  await waitForQuota(next, oneSpent());

  expect(await account()).toEqual(oneSpent());
  // In the daytime run web/features/forecast/panel-recovery.test.tsx covers this.
  if (isNight) {
    await next.reload();
    await waitForCandles(next, 200);
    await waitForQuota(next, oneSpent());
    expect(await account()).toEqual(oneSpent());
  }
  expect(trouble).toEqual([]);
  await context.close();
});

nightTest(
  'finishes and saves a forecast once after a reload in the middle of the stream, for one prediction',
  async () => {
    const context = await newContext();
    const page = await openKat(context, 'ETH');
    await press(page);
    await waitForSomeCandles(page);

    await page.reload();
    await page.getByRole('heading', { name: 'ETH Prediction' }).waitFor();
    await waitForCandles(page, 200);
    await waitForQuota(page, oneSpent());

    expect(await account()).toEqual(oneSpent());
    await context.close();
  },
);

nightTest('saves a forecast dropped for another symbol, and leaves it off the chart after a reload', async () => {
  const context = await newContext();
  const page = await openKat(context, 'SOL');
  await press(page);
  await waitForSomeCandles(page);
  await pickSymbol(page, 'Gold');

  await page.reload();
  await waitForToast(page, SAVED_TEXT);

  await expect.poll(() => page.getByRole('heading', { name: 'Gold Prediction' }).isVisible()).toBe(true);
  await waitForCandles(page, 150);
  await expect.poll(account).toEqual(oneSpent());
  await context.close();
});

nightTest(
  "reports unavailable history once as 'Failed to load', and requests it again only after a click on Refresh",
  async () => {
    const context = await newContext();
    const page = await context.newPage();
    await recordToasts(page);
    const arrival = watchArrival(page);
    await page.clock.install();
    let requests = 0;
    await context.route(/\/history\?/, (route) => {
      requests += 1;
      return route.fulfill({ status: 503, json: { error: 'Away.', code: 'venue/unavailable' } });
    });
    // Prices are current: after an outage of the whole market, the page rightly loads the candles again.
    await context.route(/\/readyz$/, (route) => route.fulfill({ json: { checks: { market: true } } }));

    await page.goto(`${kat.url}/kat`);
    await page.getByText('Away. Other symbols and your saved predictions still work.').waitFor();
    await waitForToast(page, 'Failed to load');
    // The line over the chart stays.
    await expect.poll(() => page.getByText('Failed to load', { exact: true }).count()).toBe(1);
    // The page's clock would end any call that still waits for its answer: to the page, the server is down then.
    await arrival();
    await page.clock.fastForward(30_000);
    await arrival();
    expect(requests).toBe(1);

    await context.unroute(/\/history\?/);
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await waitForCandles(page, 150);
    expect(await account()).toEqual(before);
    await context.close();
  },
);

nightTest('gives two tabs that click in the same minute one forecast, for one prediction', async () => {
  const context = await newContext();
  const tabs = [await openKat(context, 'DOGE'), await openKat(context, 'DOGE')];
  await beginMinute();
  await Promise.all(tabs.map((tab) => tab.getByRole('button', quotaButton(before)).first().waitFor()));

  await Promise.all(tabs.map(press));
  await Promise.all(tabs.map((tab) => waitForCandles(tab, 200)));
  await Promise.all(tabs.map((tab) => waitForQuota(tab, oneSpent())));

  expect(await account()).toEqual(oneSpent());
  await context.close();
});
