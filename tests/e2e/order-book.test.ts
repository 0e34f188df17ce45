/** Tests the order book in a real browser on the sandbox market, while venue, tab and page come and go. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import {
  ageErrorS,
  type BookPageOptions,
  chooseSymbol,
  clearFaults,
  expectWhole,
  openBookPage,
  pricesOf,
  STALE,
  setFaults,
} from '../support/browser/order-book-driver.ts';
import { overflowOf } from '../support/browser/page-quality.ts';
import { readDownTo, simulatedBar } from '../support/browser/site-driver.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';

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

async function openBook(options?: BookPageOptions) {
  const opened = await openBookPage(browser, kat.url, options);
  await readDownTo(opened.page, opened.book);
  await opened.page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
  return opened;
}

describe('the order book on one page', () => {
  const sockets = { open: 0, paths: [] as string[] };
  let opened: Awaited<ReturnType<typeof openBook>>;
  beforeAll(async () => {
    opened = await openBook({
      prepare: async (page) => {
        // The last test moves the clock ahead.
        await page.clock.install();
        page.on('websocket', (socket) => {
          sockets.open += 1;
          sockets.paths.push(new URL(socket.url()).pathname);
          socket.on('close', () => {
            sockets.open -= 1;
          });
        });
      },
    });
    await opened.book.getByText(STREAMING, { exact: true }).waitFor();
  });
  afterAll(() => opened?.page.context().close());

  test('shows forty levels a side over one connection, never crossed, despite faulty venue messages', async () => {
    const { page } = opened;
    const first = await pricesOf(page);
    expect([first.asks.length, first.bids.length]).toEqual([40, 40]);
    await simulatedBar(page).waitFor();
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
        { interval: 100 },
      )
      .toBeGreaterThan(15);

    const price = page.getByRole('region', { name: 'Paper Trading' }).locator('[data-figure="price"]');
    await expect.poll(() => price.textContent()).toMatch(/\d/);
    expect([sockets.open, ...new Set(sockets.paths)]).toEqual([1, '/market/ws']);
  });

  test('dims a silent venue’s book and shows its age, on a phone opened later too, until it streams again', async () => {
    const { page, book } = opened;
    await book.getByText(STREAMING, { exact: true }).waitFor();
    // The second page requests its book right after the stall began, however long it takes to load.
    const isStalled = Promise.withResolvers<void>();
    const later = await openBookPage(browser, kat.url, {
      viewport: { width: 390, height: 844 },
      prepare: (phone) => holdSocket(phone, isStalled.promise),
    });
    await readDownTo(later.page, later.book);
    await setFaults(kat.url, { part: 'stream', dialect: 'coinbase', what: 'stall' });
    const fromMs = performance.now();
    isStalled.resolve();

    for (const shown of [book, later.book]) {
      const badge = shown.getByText(STALE);
      await badge.waitFor();
      await expect.poll(() => ageErrorS(badge, fromMs)).toBeLessThan(3);
      expect(await shown.getByText(STREAMING, { exact: true }).count()).toBe(0);
    }
    await expect.poll(() => page.locator('[data-side="bid"]').count()).toBe(40);
    expect(await book.getByRole('region', { name: /^Levels of/ }).getAttribute('data-stale')).toBe('true');
    await expectTwelveASideUntilMore(later.page, later.book);
    await expect.poll(() => later.page.locator('[data-side="bid"]').count()).toBe(40);
    expectWhole(await pricesOf(later.page));

    await clearFaults(kat.url);
    for (const shown of [book, later.book])
      await shown.getByText(STREAMING, { exact: true }).waitFor({ timeout: 2 * WAIT_MS });
    await later.page.context().close();

    expectWhole(await pricesOf(page));
    await expect.poll(() => book.getByText(/^stale/).count()).toBe(0);
  });

  test('shows a hundred levels by keyboard, and none for Gold', async () => {
    const { page, book, trouble } = opened;
    await book.getByRole('button', { name: '100 levels' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('[data-side="ask"]').count()).toBe(100);
    const middle = await page.locator('[data-middle]').boundingBox();
    const levels = await book.getByRole('region', { name: /^Levels of/ }).boundingBox();
    expect(middle && levels && middle.y > levels.y && middle.y < levels.y + levels.height).toBe(true);

    await chooseSymbol(page, 'Gold');
    await book.getByText('DoM not available').waitFor();
    expect(await page.locator('[data-side]').count()).toBe(0);
    await chooseSymbol(page, 'BTC');
    await expect.poll(() => page.locator('[data-side="bid"]').count()).toBe(100);
    await book.getByRole('button', { name: '40 levels' }).click();
    expect(trouble).toEqual([]);
  });

  test('closes its connection in a tab hidden for long and on leaving the page, and streams on return', async () => {
    const { page, book } = opened;
    await book.getByText(STREAMING, { exact: true }).waitFor();
    expect(sockets.open).toBe(1);
    const connections = sockets.paths.length;
    const openAndTotal = () => [sockets.open, sockets.paths.length];

    await setHidden(page, true);
    await page.clock.fastForward(100_000);
    await expect.poll(() => sockets.open).toBe(0);
    await setHidden(page, false);

    await expect.poll(openAndTotal).toEqual([1, connections + 1]);
    await book.getByText(STREAMING, { exact: true }).waitFor();
    expectWhole(await pricesOf(page));

    await page.getByRole('link', { name: 'AI Models' }).first().click();
    await page.waitForURL('**/ai-models');
    // The connection stays open for some seconds after its last reader.
    await page.clock.fastForward(10_000);
    await expect.poll(() => sockets.open).toBe(0);
    await page.goBack();
    await expect.poll(openAndTotal).toEqual([1, connections + 2]);
    await book.getByText(STREAMING, { exact: true }).waitFor();
  });
});

/** On a phone: the twelve nearest levels of each side, then more, by one control that a finger can hit. */
async function expectTwelveASideUntilMore(page: Page, book: Locator): Promise<void> {
  const visible = () =>
    page.locator('[data-side]').evaluateAll((rows) => rows.filter((row) => row.getClientRects().length > 0).length);
  expect(await visible()).toBe(24);
  const buttons = book.getByRole('group', { name: 'Levels per side' }).getByRole('button');
  expect(await buttons.allTextContents()).toEqual(['12', '40', '100']);
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await book.getByRole('button', { name: '40 levels' }).click();
  await expect.poll(visible).toBe(80);
  expect(await overflowOf(page)).toBe(0);
}

/** Passes on what a page sends to the live socket, and its answers, once the promise resolves. */
async function holdSocket(page: Page, isFree: Promise<void>): Promise<void> {
  await page.routeWebSocket('**/market/ws', (socket) => {
    const isConnected = isFree.then(() => {
      const server = socket.connectToServer();
      server.onMessage((text) => socket.send(text));
      return server;
    });
    socket.onMessage((text) => void isConnected.then((server) => server.send(text)));
  });
}

function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
