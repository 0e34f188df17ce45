/** The order book in a real browser, over the sandbox market with faults set while somebody looks. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
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
import { readDownTo } from '../support/site-driver.ts';

let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  kat = await startKat({ env: { MARKET_FAULTS: '1' } });
  browser = await launchChromium();
});

afterEach(async () => {
  await clearFaults(kat.url);
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

async function openBook(viewport?: BookPageOptions['viewport']) {
  const opened = await openBookPage(browser, kat.url, viewport && { viewport });
  await readDownTo(opened.page, opened.book);
  await opened.page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
  return opened;
}

test('the book stands in forty levels a side, moves, and is never crossed, whatever the venue sends', async () => {
  const { page, book, trouble } = await openBook();
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

  expect(trouble).toEqual([]);
  await page.context().close();
});

test('a venue that falls silent leaves a dimmed book with its age, and speaking again makes it live', async () => {
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
  await clearFaults(kat.url);
  await book.getByText('streaming', { exact: true }).waitFor({ timeout: 40_000 });

  expectWhole(await pricesOf(page));
  await expect.poll(() => book.getByText(/^stale/).count()).toBe(0);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('a page opened while the venue is silent shows the last book dimmed, as old as it is', async () => {
  const first = await openBook();
  await first.book.getByText('streaming', { exact: true }).waitFor();
  await setFaults(kat.url, { part: 'stream', dialect: 'coinbase', what: 'stall' });
  const fromMs = Date.now();
  await first.book.getByText(STALE).waitFor({ timeout: 20_000 });
  await first.page.context().close();

  const { page, book } = await openBook();
  const badge = book.getByText(STALE);
  await badge.waitFor();
  const ageS = ageOf(await badge.textContent());
  expect(Math.abs(ageS - (Date.now() - fromMs) / 1000)).toBeLessThan(4);
  await expect.poll(() => page.locator('[data-side="bid"]').count()).toBe(40);
  expectWhole(await pricesOf(page));
  expect(await book.getByText('streaming', { exact: true }).count()).toBe(0);

  await clearFaults(kat.url);
  await book.getByText('streaming', { exact: true }).waitFor({ timeout: 60_000 });
  await page.context().close();
});

test('without a network the book says that it tries again, keeps its figures, and comes back', async () => {
  const { page, book } = await openBook();
  await book.getByText('streaming', { exact: true }).waitFor();

  await page.context().setOffline(true);
  await book.getByText('Live price stream error — retrying').waitFor();
  await expect.poll(() => page.locator('[data-side="ask"]').count()).toBe(40);
  await page.context().setOffline(false);

  await book.getByText('streaming', { exact: true }).waitFor({ timeout: 20_000 });
  await expect.poll(() => book.getByText('Live price stream error — retrying').count()).toBe(0);
  await page.context().close();
});

test('a hundred levels a side by keyboard; none for Gold, and Bitcoin again', async () => {
  const { page, book, trouble } = await openBook();
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

test('a phone shows twelve levels until it is asked for all', async () => {
  const { page, book } = await openBook({ width: 390, height: 844 });
  const visible = () =>
    page.locator('[data-side]').evaluateAll((rows) => rows.filter((row) => row.getClientRects().length > 0).length);
  expect(await visible()).toBe(12);

  await book.getByRole('button', { name: 'Show all' }).click();

  expect(await visible()).toBe(80);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.context().close();
});

test('one connection serves the whole page', async () => {
  const page = await (await browser.newContext()).newPage();
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname));
  await page.goto(`${kat.url}/kat`);

  await page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
  const price = page.getByRole('region', { name: 'Paper Trading' }).locator('[data-figure="price"]');
  await expect.poll(() => price.textContent(), { timeout: 10_000 }).toMatch(/\d/);

  expect(sockets).toEqual(['/market/ws']);
  await page.context().close();
});
