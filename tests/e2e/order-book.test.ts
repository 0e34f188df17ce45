/** The order book in a real browser, over the sandbox market with faults set while somebody looks. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import {
  ageOf,
  type BookPageOptions,
  chooseSymbol,
  clearFaults,
  expectWhole,
  openBookPage,
  pricesOf,
  STALE,
  setFaults,
} from '../support/order-book-driver.ts';
import { type LeasedKat, leaseKat } from '../support/shared-kat.ts';
import { readDownTo } from '../support/site-driver.ts';

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

async function openBook(options?: BookPageOptions) {
  const opened = await openBookPage(browser, kat.url, options);
  await readDownTo(opened.page, opened.book);
  await opened.page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
  return opened;
}

test('shows forty levels a side over one connection, never crossed; a hundred by keyboard; none for Gold', async () => {
  const sockets: string[] = [];
  const { page, book, trouble } = await openBook({
    prepare: async (opened) => opened.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname)),
  });
  await book.getByText('streaming', { exact: true }).waitFor();
  const first = await pricesOf(page);
  expect([first.asks.length, first.bids.length]).toEqual([40, 40]);
  await expect.poll(() => book.getByText('simulated').count()).toBe(1);
  await expect.poll(() => page.locator('[data-side="ask"][data-top="true"]').count()).toBe(3);
  await expect.poll(() => page.locator('[data-side="bid"] [data-price-label]').count()).toBe(10);

  const limits = { part: 'stream', dialect: 'coinbase', count: 20 };
  await setFaults(
    kat.url,
    { ...limits, what: 'values', value: 'NaN' },
    { ...limits, what: 'broken' },
    { ...limits, what: 'stranger' },
    { ...limits, what: 'crossed', count: 3 },
  );
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const shown = await pricesOf(page);
        expectWhole(shown);
        seen.add(JSON.stringify(shown));
        return seen.size;
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBeGreaterThan(15);

  const price = page.getByRole('region', { name: 'Paper Trading' }).locator('[data-figure="price"]');
  await expect.poll(() => price.textContent(), { timeout: 10_000 }).toMatch(/\d/);
  expect(sockets).toEqual(['/market/ws']);

  await clearFaults(kat.url);
  await book.getByRole('button', { name: '100 levels' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => page.locator('[data-side="ask"]').count(), { timeout: 20_000 }).toBe(100);
  const middle = await page.locator('[data-middle]').boundingBox();
  const levels = await book.getByRole('region', { name: /^Levels of/ }).boundingBox();
  expect(middle && levels && middle.y > levels.y && middle.y < levels.y + levels.height).toBe(true);

  await chooseSymbol(page, 'Gold');
  await book.getByText('DoM not available').waitFor();
  expect(await page.locator('[data-side]').count()).toBe(0);
  await chooseSymbol(page, 'BTC');
  await expect.poll(() => page.locator('[data-side="bid"]').count(), { timeout: 20_000 }).toBe(100);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('shows twelve levels on a phone until all are requested', async () => {
  const { page, book } = await openBook({ viewport: { width: 390, height: 844 } });
  const visible = () =>
    page.locator('[data-side]').evaluateAll((rows) => rows.filter((row) => row.getClientRects().length > 0).length);
  expect(await visible()).toBe(12);

  await book.getByRole('button', { name: 'Show all' }).click();

  await expect.poll(visible).toBe(80);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.context().close();
});

test('dims the book of a silent venue and shows its age, on a page opened later too, and streams again on both', async () => {
  const { page, book, trouble } = await openBook();
  await book.getByText('streaming', { exact: true }).waitFor();

  await setFaults(kat.url, { part: 'stream', dialect: 'coinbase', what: 'stall' });
  const fromMs = performance.now();
  const badge = book.getByText(STALE);
  await badge.waitFor({ timeout: 20_000 });
  // The venue spoke last at most a second before it fell silent; whole seconds are shown.
  const ageS = ageOf(await badge.textContent());
  expect(Math.abs(ageS - (performance.now() - fromMs) / 1000)).toBeLessThan(3);
  expect(ageS).toBeLessThan(9);
  await expect.poll(() => page.locator('[data-side="bid"]').count()).toBe(40);
  expect(await book.getByRole('region', { name: /^Levels of/ }).getAttribute('data-stale')).toBe('true');

  const later = await openBook();
  const laterBadge = later.book.getByText(STALE);
  await laterBadge.waitFor();
  const laterAgeS = ageOf(await laterBadge.textContent());
  expect(Math.abs(laterAgeS - (performance.now() - fromMs) / 1000)).toBeLessThan(4);
  await expect.poll(() => later.page.locator('[data-side="bid"]').count()).toBe(40);
  expectWhole(await pricesOf(later.page));
  expect(await later.book.getByText('streaming', { exact: true }).count()).toBe(0);

  await clearFaults(kat.url);
  for (const shown of [book, later.book])
    await shown.getByText('streaming', { exact: true }).waitFor({ timeout: 60_000 });
  await later.page.context().close();

  expectWhole(await pricesOf(page));
  await expect.poll(() => book.getByText(/^stale/).count()).toBe(0);
  expect(trouble).toEqual([]);
  await page.context().close();
});
