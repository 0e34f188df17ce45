/** Paper trading in a real browser, at the sandbox market's prices, with faults set and the market's clock moved. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isOpen } from '#domain/market/trading-hours.ts';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { watchTrouble } from '../support/site-driver.ts';

let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  kat = await startKat({ env: { MARKET_FAULTS: '1', TEST_CLOCK: '1' } });
  browser = await launchChromium();
});

afterEach(async () => {
  await fetch(`${kat.url}/dev/market-faults`, { method: 'DELETE' });
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

const STREAMING = 'streaming';

/** @param word  how far the price can be trusted when it has come */
async function openDesk(page: Page, label = 'BTC', word = STREAMING) {
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/kat`);
  const desk = page.getByRole('region', { name: 'Paper Trading' });
  if (label !== 'BTC') {
    await page.getByRole('combobox', { name: 'Symbol' }).click();
    await page.getByRole('option', { name: label }).click();
    await desk.getByText(new RegExp(`^${label} (live|last) price$`)).waitFor();
  }
  await desk.getByText(word, { exact: true }).waitFor({ timeout: 20_000 });
  const button = (name: string) => desk.getByRole('button', { name, exact: true });
  return { desk, trouble, button, figure: (name: string) => desk.locator(`[data-figure="${name}"]`) };
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${kat.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

/** Moves the market on to a half past three (UTC) at which the exchanges trade, or at which they rest. */
async function moveTo(hours: 'open' | 'closed'): Promise<void> {
  const response = await fetch(`${kat.url}/dev/clock`);
  const { nowMs, offsetMs } = (await response.json()) as { nowMs: number; offsetMs: number };
  const at = new Date(nowMs);
  at.setUTCHours(15, 30, 0, 0);
  const isRight = () =>
    (['nasdaq', 'comex'] as const).every((id) => isOpen(id, at.getTime() / 1000) === (hours === 'open'));
  while (at.getTime() < nowMs || !isRight()) at.setUTCDate(at.getUTCDate() + 1);
  await post('/dev/clock', { offsetMs: offsetMs + at.getTime() - nowMs });
}

/** Its trade is closed by itself; a page whose clock is installed. */
async function passAMinute(page: Page, listed: () => Promise<number>, between: () => Promise<void> = async () => {}) {
  for (let i = 0; i < 26 && (await listed()) === 0; i++) {
    await page.clock.fastForward(2500);
    await between();
  }
}

test('Buy, Close: a toast says how it went, and the list holds the trade', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk, button, trouble } = await openDesk(page);
  await desk.getByText('simulated', { exact: true }).waitFor();
  expect(await desk.getByText('live', { exact: true }).count()).toBe(0);
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
  await passAMinute(
    page,
    () => desk.getByRole('button', { name: /\(1\)/ }).count(),
    async () => {
      const before = heartbeats;
      await expect.poll(() => heartbeats, { timeout: 10_000 }).toBeGreaterThan(before);
    },
  );

  await desk.getByRole('button', { name: 'Show trades (1)' }).click();
  const row = await desk.getByRole('row').nth(1).textContent();
  expect(row).toMatch(/^BTC short/);
  expect(row).toContain('60 s');
  expect(row).not.toContain('not counted');
  expect(toasts).toEqual([]);
  await button('Buy').waitFor();
  await page.context().close();
});

test('a price that fell silent is stale and opens nothing, until the venue speaks again', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk, button, figure } = await openDesk(page);

  await post('/dev/market-faults', { part: 'stream', dialect: 'coinbase', what: 'stall' });
  await desk.getByText(/^stale · \d+ s$/).waitFor({ timeout: 30_000 });
  expect(await figure('price').textContent()).toMatch(/^[\d,]+\.\d+$/);
  await button('Buy').click();
  await page.getByText('No live price yet', { exact: true }).waitFor();
  await expect.poll(() => button('Sell').count()).toBe(1);

  await fetch(`${kat.url}/dev/market-faults`, { method: 'DELETE' });
  await desk.getByText(STREAMING, { exact: true }).waitFor({ timeout: 60_000 });
  await button('Buy').click();
  await button('Sell').waitFor({ state: 'detached' });
  await page.context().close();
});

test('trades that are missed make the price stale, though heartbeats go on', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk, button } = await openDesk(page);

  await post('/dev/market-faults', { part: 'stream', dialect: 'coinbase', what: 'stall', containing: '"ticker"' });
  await desk.getByText(/^stale · \d+ s$/).waitFor({ timeout: 30_000 });
  const book = page.getByRole('region', { name: 'Order Book', exact: true });
  await expect.poll(() => book.getByText(STREAMING, { exact: true }).count()).toBe(1);
  await button('Buy').click();

  await page.getByText('No live price yet', { exact: true }).waitFor();
  await page.context().close();
});

test('a trade lives through a lost connection: no result and no Close meanwhile, both when it is back', async () => {
  const page = await (await browser.newContext()).newPage();
  const { desk, button, figure } = await openDesk(page);
  await button('Buy').click();
  await expect.poll(() => figure('result').textContent()).toMatch(/\d/);

  await page.context().setOffline(true);
  await desk.getByText(/^(retrying|stale · \d+ s)$/).waitFor({ timeout: 20_000 });
  await expect.poll(() => figure('change').textContent()).toBe('–');
  await expect.poll(() => figure('result').textContent(), { timeout: 15_000 }).toBe('–');
  await button('Close').click();
  await page.getByText('No live price yet', { exact: true }).waitFor();

  await page.context().setOffline(false);
  await desk.getByText(STREAMING, { exact: true }).waitFor({ timeout: 30_000 });
  await button('Close').click();
  await page.getByText(/^Closed: (profit|loss)$/).waitFor();
  await page.context().close();
});

test('a trade whose sixty seconds end without a price is not counted, and says so', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  const { desk, button } = await openDesk(page);
  await button('Sell').click();

  await page.context().setOffline(true);
  await passAMinute(page, () => desk.getByRole('button', { name: /\(1\)/ }).count());

  await desk.getByText('Trade closed after 60 seconds without a live price: no result').waitFor({ state: 'attached' });
  await desk.getByRole('button', { name: 'Show trades (1)' }).click();
  const row = await desk.getByRole('row').nth(1).textContent();
  expect(row).toContain('no price');
  expect(row).toContain('not counted');
  await page.context().close();
});

// The two last move the market's clock.
test('a symbol without an order book is traded at its own price, and says itself when its stream is lost', async () => {
  await moveTo('open');
  const page = await (await browser.newContext()).newPage();
  const { desk, button, figure } = await openDesk(page, 'Gold');
  await desk.getByText('Sandbox market').waitFor();
  const shown = Number((await figure('price').textContent())?.replaceAll(',', ''));
  expect(shown).toBeGreaterThan(500);

  await button('Buy').click();
  await expect.poll(() => figure('result').textContent()).toMatch(/\d/);
  await page.context().setOffline(true);
  await desk.getByRole('status').getByText('Live price stream error — retrying').waitFor();
  await page.context().setOffline(false);
  await desk.getByText(STREAMING, { exact: true }).waitFor({ timeout: 30_000 });
  await button('Close').click();
  await page.getByText(/^Closed: (profit|loss)$/).waitFor();

  await desk.getByRole('button', { name: 'Show trades (1)' }).click();
  const [what = '', entry = '', exit = ''] = await desk.getByRole('row').nth(1).locator('th, td').allTextContents();
  expect(what).toBe('Gold long');
  for (const price of [entry, exit]) expect(Math.abs(Number(price.replaceAll(',', '')) / shown - 1)).toBeLessThan(0.05);
  await page.context().close();
});

test('a closed market shows its last price with its time, and nothing is traded on it', async () => {
  await moveTo('closed');
  const page = await (await browser.newContext()).newPage();
  const { desk, button, figure } = await openDesk(page, 'MSFT', 'market closed');

  await expect.poll(() => figure('price').textContent(), { timeout: 20_000 }).toMatch(/^\d+\.\d\d$/);
  await desk.getByText(/^Sandbox market · price of \w{3}, \d+ \w{3}, \d\d:\d\d$/).waitFor();
  await button('Buy').click();

  await page.getByText('No live price yet', { exact: true }).waitFor();
  expect(await desk.getByText(/^(live|streaming)$/).count()).toBe(0);
  await page.context().close();
});
