/** Tests the community vote in a real browser: a visitor's view, sign-in and return, one vote, and a missing price. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { overflowOf } from '../support/browser/page-quality.ts';
import { PASSWORD, readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { expectToast, recordToasts } from '../support/browser/toasts.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const CANDLES = '**/products/BTC-USD/candles*';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  // No other test on this server uses the votes.
  kat = await sharedKat('demo');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(viewport: typeof WIDE) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await recordToasts(page);
  const panel = page.getByRole('region', { name: 'Community Sentiment' });
  return { page, panel, chart: panel.locator('[data-point-count="5"]'), close: () => context.close() };
}

test('shows votes on a phone without the price, returns a visitor from sign-in, and counts one vote', async () => {
  const { page, panel, chart, close } = await open(PHONE);
  const trouble = watchTrouble(page, kat.url, [/429 \(Too Many Requests\)/, /\/products\/BTC-USD\/candles/]);
  const button = (direction: string) => panel.getByRole('button', { name: `Vote ${direction}` });
  await expectVotesWithoutPrice(page, panel, chart, '/kat?mock=hol#news');
  await page.unroute(CANDLES);
  await panel.getByText('sample votes').waitFor();
  expect(Number(await panel.locator('[data-angle]').getAttribute('data-angle'))).not.toBeNaN();

  await button('down').click();
  await page.waitForURL('**/auth/signin?next=%2Fkat%3Fmock%3Dhol%23news');
  await page.getByLabel('Email').fill('bobcat@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/kat?mock=hol#news');
  await page.setViewportSize(WIDE);
  await readDownTo(page, chart);
  await expect.poll(async () => Number(await chart.getAttribute('data-overlay-count'))).toBeGreaterThan(90);
  await expectToast(page, 'Vote recorded', () => button('down').click());
  await panel.getByText(/^Next vote available: (\d+ \w{3}( \d{4})?, )?\d\d:\d\d/).waitFor();

  await expectToast(page, /^You can vote again at (\d+ \w{3}( \d{4})?, )?\d\d:\d\d/, () => button('up').click());
  await expect.poll(() => button('down').getAttribute('aria-pressed')).toBe('true');
  expect(await button('up').getAttribute('aria-pressed')).toBe('false');
  expect(trouble).toEqual([]);
  await close();
});

/** Holds every vote answer until the heights are measured, and refuses the price. */
async function expectVotesWithoutPrice(page: Page, panel: Locator, chart: Locator, path: string): Promise<void> {
  const answer = Promise.withResolvers<void>();
  await page.route('**/rest/v1/rpc/get_vote_*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.route(CANDLES, (route) => route.abort());
  await page.goto(kat.url + path);
  await readDownTo(page, panel.getByRole('status', { name: 'Loading vote history' }));
  const height = async () => (await panel.boundingBox())?.height;
  const before = await height();

  answer.resolve();
  await chart.waitFor();
  await panel.getByText('BTC overlay failed.').waitFor();

  expect(await chart.getAttribute('data-overlay-count')).toBe('0');
  expect(await height()).toBe(before);
  expect(await overflowOf(page)).toBe(0);
}

nightTest('shows votes on a wide screen without the price, and moves nothing when they arrive', async () => {
  const { page, panel, chart, close } = await open(WIDE);
  await expectVotesWithoutPrice(page, panel, chart, '/kat#market');
  await close();
});
