/**
 * Tests the order book in a real browser after faults of its venue and its connection. In the daytime run the tests
 * of live-socket and order-book.test.ts cover these.
 */
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import {
  ageErrorS,
  chooseSymbol,
  clearFaults,
  expectWhole,
  openBookPage,
  pricesOf,
  STALE,
  setFaults,
} from '../support/browser/order-book-driver.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';

const LIVE_PATH = '**/market/ws';
const RETRYING = 'Live price stream error — retrying';
const STREAMING = 'streaming';

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await leaseKat();
  browser = await launchChromium();
});

afterEach(async () => {
  await clearFaults(kat.url);
});

afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

/** Polls the book until it has changed more than `count` times, and checks that every state is whole. */
async function changesOf(page: Page, count: number): Promise<void> {
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const shown = await pricesOf(page);
        expectWhole(shown);
        seen.add(JSON.stringify(shown));
        return seen.size;
      },
      { timeout: 2 * WAIT_MS, interval: 100 },
    )
    .toBeGreaterThan(count);
}

test('never shows a broken book after lost, reordered or refused messages and a cut connection', async () => {
  const { page, book, trouble } = await openBookPage(browser, kat.url);
  await book.getByText(STREAMING, { exact: true }).waitFor();
  const fault = { part: 'stream', dialect: 'coinbase' };

  await setFaults(kat.url, { ...fault, what: 'gap', count: 3 }, { ...fault, what: 'disorder', count: 3 });
  await changesOf(page, 10);
  await setFaults(kat.url, { ...fault, what: 'refusal', count: 1 }, { ...fault, what: 'close', count: 1 });
  await changesOf(page, 10);

  await book.getByText(STREAMING, { exact: true }).waitFor({ timeout: 2 * WAIT_MS });
  expect((await pricesOf(page)).asks).toHaveLength(40);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('streams another symbol while one is silent, and shows the silent one’s age on return', async () => {
  const { page, book, trouble } = await openBookPage(browser, kat.url);
  await book.getByText(STREAMING, { exact: true }).waitFor();
  const [bitcoin = Number.NaN] = (await pricesOf(page)).bids;
  await setFaults(kat.url, { part: 'stream', dialect: 'coinbase', product: 'BTC-USD', what: 'stall' });
  const fromMs = performance.now();
  const badge = book.getByText(STALE);
  await badge.waitFor();

  await chooseSymbol(page, 'ETH');
  await book.getByText('ETH-USD').waitFor();
  await book.getByText(STREAMING, { exact: true }).waitFor();
  await expect.poll(() => badge.count()).toBe(0);
  await expect.poll(async () => (await pricesOf(page)).bids[0] ?? bitcoin).toBeLessThan(bitcoin / 2);
  await chooseSymbol(page, 'BTC');
  await badge.waitFor();

  await expect.poll(() => ageErrorS(badge, fromMs)).toBeLessThan(4);
  expectWhole(await pricesOf(page));
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('retries a connection refused during page load, and then shows the book', async () => {
  let refusals = 2;
  const { page, book } = await openBookPage(browser, kat.url, {
    prepare: (page) =>
      page.routeWebSocket(LIVE_PATH, (route) => {
        refusals -= 1;
        if (refusals >= 0) route.close();
        else route.connectToServer();
      }),
  });

  await book.getByText(RETRYING).waitFor();
  expect(await page.locator('[data-side]').count()).toBe(0);
  await book.getByText(STREAMING, { exact: true }).waitFor();

  await expect.poll(() => book.getByText(RETRYING).count()).toBe(0);
  expectWhole(await pricesOf(page));
  await page.context().close();
});

test('shows a waiting message without figures until the first book arrives', async () => {
  let unresponsive: WebSocketRoute | null = null;
  const { page, book } = await openBookPage(browser, kat.url, {
    prepare: async (page) => {
      await page.clock.install();
      await page.routeWebSocket(LIVE_PATH, (route) => {
        // The first connection stays open, sends nothing, and ignores what the page requests.
        if (unresponsive === null) unresponsive = route;
        else route.connectToServer();
      });
    },
  });

  await book.getByText('Waiting for the order book').waitFor();
  await expect.poll(() => unresponsive !== null).toBe(true);
  expect(await page.locator('[data-side]').count()).toBe(0);
  expect(await book.getByText(/streaming|stale/).count()).toBe(0);

  // After fifteen seconds of silence the page drops the connection and opens another.
  await page.clock.fastForward(16_000);
  await book.getByText(STREAMING, { exact: true }).waitFor({ timeout: 2 * WAIT_MS });
  await page.context().close();
});
