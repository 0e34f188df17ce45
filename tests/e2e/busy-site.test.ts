/**
 * Tests what a trader sees when the server is overloaded: a slower order book, and a forecast that waits for
 * capacity.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { openBookPage } from '../support/browser/order-book-driver.ts';
import { readDownTo, waitForCandles, watchPredictionCalls } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

/** Proxies the live socket. @returns a function that sends the server's notice of the book interval to the page */
async function relayLive(page: Page): Promise<(bookEveryMs?: number) => void> {
  let send = (_text: string): void => {};
  await page.routeWebSocket('**/market/ws', (socket) => {
    const server = socket.connectToServer();
    // Drops the server's own notices, which say that it isn't busy.
    server.onMessage((text) => {
      if (!String(text).includes('"alive"')) socket.send(text);
    });
    send = (text) => socket.send(text);
  });
  return (bookEveryMs) =>
    send(JSON.stringify({ type: 'alive', time: new Date().toISOString(), book_every_ms: bookEveryMs }));
}

const SCREENS = [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const;

// In the daytime run the line is measured where it is tightest.
test.each(isNight ? SCREENS : SCREENS.slice(0, 1))(
  'shows the order book interval on %s without moving any row',
  async (_what, viewport) => {
    let sendAlive: (bookEveryMs?: number) => void = () => {};
    const { page, book } = await openBookPage(browser, kat.url, {
      viewport,
      prepare: async (opened) => {
        sendAlive = await relayLive(opened);
      },
    });
    await readDownTo(page, book);
    await page.locator('[data-side="bid"]').first().waitFor({ state: 'attached' });
    await book.scrollIntoViewIfNeeded();
    const boxes = () =>
      book.evaluate((panel) =>
        ['[data-row="ask-0"]', '[data-row="bid-5"]', 'footer'].map((part) => {
          const { top, height } = panel.querySelector(part)?.getBoundingClientRect() ?? { top: 0, height: 0 };
          return [Math.round(top + scrollY), Math.round(height)];
        }),
      );
    const before = await boxes();

    sendAlive(1000);
    const line = book.getByText('The site is busy: the order book updates about once a second.');
    await line.waitFor();
    expect(await boxes()).toEqual(before);
    expect(await line.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);

    sendAlive();
    await line.waitFor({ state: 'detached' });
    expect(await boxes()).toEqual(before);
    await page.context().close();
  },
);

// In the daytime run web/features/forecast/panel-busy.test.tsx and contract/overload.test.ts cover this.
nightTest('retries a shed forecast automatically and creates one prediction', async () => {
  const subscriber = await newSubscriber(kat.url, 'lion');
  const page = await (await signedInContext(browser, kat.url, subscriber.email, { viewport: DESKTOP })).newPage();
  let shed = 2;
  const isSeen = Promise.withResolvers<void>();
  await page.route('**/stream-kat2?*', async (route) => {
    shed -= 1;
    if (shed < 0) {
      await isSeen.promise;
      return route.continue();
    }
    await route.fulfill({
      status: 503,
      headers: { 'x-kat-shed': '1', 'retry-after': '1' },
      json: { error: 'Kat is busy right now. Please try again in a few seconds.', code: 'server/busy' },
    });
  });
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  const calls = watchPredictionCalls(page);
  await page.getByRole('button', { name: /^Prediction \d+ left today/ }).click();

  await page.getByRole('status').getByText('Kat is busy. Your forecast starts as soon as there is capacity.').waitFor();
  isSeen.resolve();
  await waitForCandles(page, 200);

  expect(await page.getByText('Kat is busy.').count()).toBe(0);
  await page.getByText('saved', { exact: true }).first().waitFor();
  expect(calls.filter((path) => path === '/stream-kat2')).toHaveLength(3);
  expect(calls.filter((path) => path === '/functions/v1/create-prediction')).toHaveLength(1);
  await page.context().close();
});
