/**
 * Tests paper trading in a real browser at the sandbox market's prices, with injected faults and a moved market
 * clock.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { passUntil, stopTime } from '../support/browser/page-clock.ts';
import { signOut, signUp, simulatedBar, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, toastsOf, waitForToast } from '../support/browser/toasts.ts';
import { nightTest } from '../support/run/night-test.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await leaseKat();
  browser = await launchChromium();
});

afterEach(async () => {
  await fetch(`${kat.url}/dev/market-faults`, { method: 'DELETE' });
});

afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

const STREAMING = 'streaming';

/** @returns how many trades were announced as closed by the user */
async function closedByHand(page: Page): Promise<number> {
  return (await toastsOf(page)).filter((text) => /^Closed: (profit|loss)$/.test(text)).length;
}

/** Its row in the list, below the results by day. */
const newestTrade = (panel: Locator): Locator =>
  panel.getByRole('table', { name: 'Closed paper trades, newest first' }).getByRole('row').nth(1);

async function chooseOn(page: Page, panel: Locator, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: label }).click();
  await panel.getByText(new RegExp(`^${label} (live|last) price$`)).waitFor();
}

async function openPanel(page: Page, label = 'BTC') {
  const trouble = watchTrouble(page, kat.url);
  await recordToasts(page);
  await page.goto(`${kat.url}/kat`);
  const panel = page.getByRole('region', { name: 'Paper Trading' });
  if (label !== 'BTC') await chooseOn(page, panel, label);
  await panel.getByText(STREAMING, { exact: true }).waitFor();
  const button = (name: string) => panel.getByRole('button', { name, exact: true });
  return { panel, trouble, button, figure: (name: string) => panel.locator(`[data-figure="${name}"]`) };
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${kat.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

/** Moves the market clock ahead to 15:30 UTC on a day when the exchanges are open or closed. */
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

/** Passes a minute on a page with an installed clock, until the trade closes automatically. */
async function passAMinute(page: Page, listed: () => Promise<number>, between: () => Promise<void> = async () => {}) {
  for (let i = 0; i < 26 && (await listed()) === 0; i++) {
    await page.clock.fastForward(2500);
    await between();
  }
}

test('keeps a visitor’s trade through a reload, marks it on the chart, and takes it along at sign-up', async () => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const { panel, button, trouble } = await openPanel(page);
  const onChart = (text: RegExp) => page.getByRole('img', { name: text }).waitFor();
  const listed = (count: number) => panel.getByRole('button', { name: `Show trades (${count})` }).waitFor();
  await button('Buy').click();
  await onChart(/An open paper trade: a long from [\d,.]+\.$/);
  // On a slow machine its minute may be over by now.
  await button('Close').click();
  await listed(1);
  await onChart(/One paper trade: a long from [\d,.]+ .*\.$/);

  await page.reload();
  await listed(1);
  await onChart(/One paper trade: a long from/);

  await signUp(page, kat.url, 'papertrader@example.com');
  const isStored = page.waitForResponse((answer) => answer.url().includes('/rpc/add_paper_trades'));
  await page.goto(`${kat.url}/kat`);
  expect((await isStored).status()).toBe(204);
  await listed(1);
  await onChart(/One paper trade: a long from/);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('kat-paper-trades'))).toBeNull();

  await page.reload();
  await listed(1);
  await panel.getByRole('button', { name: 'Show trades (1)' }).click();
  await panel.getByText(/^The newest 500 are stored with your account\./).waitFor();
  await panel.getByRole('table', { name: 'Results by day, newest first' }).waitFor();
  await signOut(page);
  await page.goto(`${kat.url}/kat`);
  await listed(0);
  expect(trouble).toEqual([]);
  await page.context().close();
});

describe('paper trading on one page', () => {
  let page: Page;
  let opened: Awaited<ReturnType<typeof openPanel>>;
  beforeAll(async () => {
    page = await (await browser.newContext()).newPage();
    await page.clock.install();
    opened = await openPanel(page);
  });
  afterAll(() => page?.context().close());

  test('lists a closed trade with a toast, and keeps trade and order book through a lost connection', async () => {
    const { panel, button, figure, trouble } = opened;
    await chooseOn(page, panel, 'BTC');
    await panel.getByText(STREAMING, { exact: true }).waitFor();
    await simulatedBar(page).waitFor();
    // No trade reaches its 60 seconds, however slow the machine is.
    await stopTime(page);
    expect(await panel.getByText('live', { exact: true }).count()).toBe(0);
    await button('Close').click();
    await waitForToast(page, 'No trade open');

    await button('Buy').click();
    await button('Buy').click();
    await waitForToast(page, 'Trade already open');
    await passUntil(page, panel.getByText('60 s', { exact: true }));
    await button('Close').click();

    await expect.poll(() => closedByHand(page)).toBe(1);
    await panel.getByRole('button', { name: 'Show trades (1)' }).click();
    expect(await newestTrade(panel).textContent()).toMatch(/^BTC long[\d,.]+[\d,.]+\d+ s/);
    await panel.getByRole('button', { name: 'Hide trades (1)' }).click();
    expect(trouble).toEqual([]);

    // Without a connection a trade has no result and cannot be closed.
    await button('Buy').click();
    await passUntil(page, figure('result').filter({ hasText: /\d/ }));
    const book = page.getByRole('region', { name: 'Order Book', exact: true });
    await page.context().setOffline(true);
    await passUntil(page, panel.getByText(/^(retrying|stale · \d+ s)$/));
    await passUntil(page, book.getByText('Live price stream error — retrying'));
    await expect.poll(() => page.locator('[data-side="ask"]').count()).toBe(40);
    // A price counts as current for five seconds.
    await page.clock.runFor(6000);
    for (const name of ['change', 'result']) await passUntil(page, figure(name).filter({ hasText: /^–$/ }));
    await button('Close').click();
    await waitForToast(page, 'No live price yet');

    await page.context().setOffline(false);
    await passUntil(page, panel.getByText(STREAMING, { exact: true }));
    await expect.poll(() => book.getByText('Live price stream error — retrying').count()).toBe(0);
    await button('Close').click();
    await expect.poll(() => closedByHand(page)).toBe(2);
    await panel.getByRole('button', { name: 'Show trades (2)' }).waitFor();
    await page.clock.resume();
  });

  // This test moves the market's clock.
  test('shows the last price and its time when the market is closed, and refuses to trade', async () => {
    const { panel, button, figure } = opened;
    await moveTo('closed');
    await chooseOn(page, panel, 'MSFT');
    await panel.getByText('market closed', { exact: true }).waitFor();

    await expect.poll(() => figure('price').textContent()).toMatch(/^\d+\.\d\d$/);
    await panel.getByText(/^Sandbox market · price of (\d+ \w{3}( \d{4})?, )?\d\d:\d\d$/).waitFor();
    const refusals = async () => (await toastsOf(page)).filter((text) => text === 'No live price yet').length;
    const before = await refusals();
    await button('Buy').click();

    await expect.poll(refusals).toBe(before + 1);
    expect(await panel.getByText(/^(live|streaming)$/).count()).toBe(0);
    await post('/dev/clock', { offsetMs: 0 });
  });
});

nightTest('closes an open trade automatically at 60 s at the current price, without a toast', async () => {
  const page = await (await browser.newContext()).newPage();
  let heartbeats = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"heartbeat"')) heartbeats += 1;
    }),
  );
  await page.clock.install();
  const { panel, button } = await openPanel(page);

  await button('Sell').click();
  // The page's clock runs fast, so each step waits for a heartbeat of the market, which keeps the price live.
  await passAMinute(
    page,
    () => panel.getByRole('button', { name: /\(1\)/ }).count(),
    async () => {
      const before = heartbeats;
      await expect.poll(() => heartbeats).toBeGreaterThan(before);
    },
  );

  await panel.getByRole('button', { name: 'Show trades (1)' }).click();
  const row = await newestTrade(panel).textContent();
  expect(row).toMatch(/^BTC short/);
  expect(row).toContain('60 s');
  expect(row).not.toContain('not counted');
  expect(await closedByHand(page)).toBe(0);
  await button('Buy').waitFor();
  await page.context().close();
});

nightTest('marks a stalled price as stale and refuses to trade until the venue sends again', async () => {
  const page = await (await browser.newContext()).newPage();
  const { panel, button, figure } = await openPanel(page);

  await post('/dev/market-faults', { part: 'stream', dialect: 'coinbase', what: 'stall' });
  await panel.getByText(/^stale · \d+ s$/).waitFor();
  expect(await figure('price').textContent()).toMatch(/^[\d,]+\.\d+$/);
  await button('Buy').click();
  await waitForToast(page, 'No live price yet');
  await expect.poll(() => button('Sell').count()).toBe(1);

  await fetch(`${kat.url}/dev/market-faults`, { method: 'DELETE' });
  await panel.getByText(STREAMING, { exact: true }).waitFor({ timeout: 2 * WAIT_MS });
  await button('Buy').click();
  await button('Sell').waitFor({ state: 'detached' });
  await page.context().close();
});

nightTest('marks the price as stale when trades are missing, despite heartbeats', async () => {
  const page = await (await browser.newContext()).newPage();
  const { panel, button } = await openPanel(page);

  await post('/dev/market-faults', { part: 'stream', dialect: 'coinbase', what: 'stall', containing: '"ticker"' });
  await panel.getByText(/^stale · \d+ s$/).waitFor();
  const book = page.getByRole('region', { name: 'Order Book', exact: true });
  await expect.poll(() => book.getByText(STREAMING, { exact: true }).count()).toBe(1);
  await button('Buy').click();

  await waitForToast(page, 'No live price yet');
  await page.context().close();
});

nightTest('reports a trade that reaches 60 s without a price as not counted', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  const { panel, button } = await openPanel(page);
  await button('Sell').click();

  await page.context().setOffline(true);
  await passAMinute(page, () => panel.getByRole('button', { name: /\(1\)/ }).count());

  await panel
    .getByText('Trade closed after 60 seconds without a live price, so it has no result')
    .waitFor({ state: 'attached' });
  await panel.getByRole('button', { name: 'Show trades (1)' }).click();
  const row = await newestTrade(panel).textContent();
  expect(row).toContain('no price');
  expect(row).toContain('not counted');
  await page.context().close();
});

// This test moves the market's clock.
nightTest('trades a symbol without an order book at its own price, and reports a lost stream', async () => {
  await moveTo('open');
  const page = await (await browser.newContext()).newPage();
  const { panel, button, figure } = await openPanel(page, 'Gold');
  await panel.getByText('Sandbox market').waitFor();
  const shown = Number((await figure('price').textContent())?.replaceAll(',', ''));
  expect(shown).toBeGreaterThan(500);

  await button('Buy').click();
  await expect.poll(() => figure('result').textContent()).toMatch(/\d/);
  await page.context().setOffline(true);
  await panel.getByRole('status').getByText('Live price stream error — retrying').waitFor();
  await page.context().setOffline(false);
  await panel.getByText(STREAMING, { exact: true }).waitFor();
  await button('Close').click();
  await expect.poll(() => closedByHand(page)).toBe(1);

  await panel.getByRole('button', { name: 'Show trades (1)' }).click();
  const [what = '', entry = '', exit = ''] = await newestTrade(panel).locator('th, td').allTextContents();
  expect(what).toBe('Gold long');
  for (const price of [entry, exit]) expect(Math.abs(Number(price.replaceAll(',', '')) / shown - 1)).toBeLessThan(0.05);
  await page.context().close();
});
