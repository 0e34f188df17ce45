/** Paper trading in a real browser, at the sandbox market's live prices. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { watchTrouble } from '../support/site-driver.ts';

let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  kat = await startKat({ env: { MARKET_FAULTS: '1' } });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

async function openDesk(page: Page) {
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/kat`);
  const desk = page.getByRole('region', { name: 'Paper Trading' });
  await desk.getByText('live', { exact: true }).waitFor();
  return { desk, trouble, button: (name: string) => desk.getByRole('button', { name, exact: true }) };
}

test('Buy, Close: a toast says how it went, and the list holds the trade', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk, button, trouble } = await openDesk(page);
  await button('Close').click();
  await page.getByText('No trade open', { exact: true }).waitFor();

  await button('Buy').click();
  await button('Buy').click();
  await page.getByText('Trade already open').waitFor();
  await desk.getByText(/^(59|60) s$/).waitFor();
  await button('Close').click();

  await page.getByText(/^Closed: (profit|loss)$/).waitFor();
  await desk.getByRole('button', { name: 'Show trades (1)' }).click();
  expect(await desk.getByRole('row').nth(1).textContent()).toMatch(/^BTC long[\d,.]+[\d,.]+\d+ s/);
  await desk.getByRole('button', { name: 'Hide trades (1)' }).click();
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('an open trade closes by itself at sixty seconds, at the price of that moment, without a toast', async () => {
  const page = await (await browser.newContext()).newPage();
  let heartbeats = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"heartbeat"')) heartbeats += 1;
    }),
  );
  await page.clock.install();
  const { desk, button } = await openDesk(page);
  const toasts: string[] = [];
  await page.exposeFunction('tellToast', (text: string) => toasts.push(text));
  await page.evaluate(() => {
    const look = () => {
      const found = /Closed: \w+/.exec(document.body.innerText);
      // @ts-expect-error: exposed by the test
      if (found) window.tellToast(found[0]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

  await button('Sell').click();
  // The page's clock runs ahead; the market's heartbeats keep the price alive on the way.
  for (let i = 0; i < 16 && (await desk.getByRole('button', { name: /\(0\)/ }).count()) === 1; i++) {
    const before = heartbeats;
    await page.clock.fastForward(4000);
    await expect.poll(() => heartbeats, { timeout: 10_000 }).toBeGreaterThan(before);
  }

  await desk.getByRole('button', { name: 'Show trades (1)' }).click();
  const row = await desk.getByRole('row').nth(1).textContent();
  expect(row).toMatch(/^BTC short/);
  expect(row).toContain('60 s');
  expect(row).not.toContain('not counted');
  expect(toasts).toEqual([]);
  await button('Buy').waitFor();
  await page.context().close();
});

test('a symbol without an order book is traded at its own price', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk } = await openDesk(page);

  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: 'Gold' }).click();

  await desk.getByText('Gold live price').waitFor();
  await page.context().close();
});
