/** Drives the order book on the trading page, and the sandbox venue behind it. */
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { watchTrouble } from './site-driver.ts';

export interface ShownBook {
  asks: number[];
  bids: number[];
}

/** @param prepare  runs before the page is loaded */
export async function openBookPage(
  browser: Browser,
  url: string,
  { viewport = { width: 1440, height: 900 }, prepare }: BookPageOptions = {},
) {
  const page = await (await browser.newContext({ viewport })).newPage();
  const trouble = watchTrouble(page, url);
  await prepare?.(page);
  await page.goto(`${url}/kat#book`);
  const book = page.getByRole('region', { name: 'Order Book', exact: true });
  return { page, book, trouble };
}

export interface BookPageOptions {
  viewport?: { width: number; height: number };
  prepare?: (page: Page) => Promise<unknown>;
}

/** Prices from the top of the page to the bottom, all read in one frame. */
export function pricesOf(page: Page): Promise<ShownBook> {
  return page.evaluate(() => {
    const of = (side: string) =>
      [...document.querySelectorAll<HTMLElement>(`[data-side="${side}"]`)].map((row) => Number(row.dataset.price));
    return { asks: of('ask'), bids: of('bid') };
  });
}

/** Replaces the venue's faults; the server must run with DEVELOPMENT=faults. */
export async function setFaults(url: string, ...faults: object[]): Promise<void> {
  const response = await fetch(`${url}/dev/market-faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  });
  expect(response.status, await response.text()).toBe(200);
}

export async function clearFaults(url: string): Promise<void> {
  await fetch(`${url}/dev/market-faults`, { method: 'DELETE' });
}

/** Prices fall from top ask to last bid without duplicates: never crossed, never locked, no level without a price. */
export function expectWhole({ asks, bids }: ShownBook): void {
  const ladder = [...asks, ...bids];
  for (const [i, price] of ladder.entries()) {
    expect(price).toBeGreaterThan(0);
    if (i > 0) expect(price).toBeLessThan(ladder[i - 1] ?? Number.NaN);
  }
}

/** Seconds on the badge of a stale book. */
export const STALE = /^stale · \d+ s$/;

function ageOf(badge: string | null): number {
  return Number(/\d+/.exec(badge ?? '')?.[0] ?? Number.NaN);
}

/**
 * By how much the badge's age is wrong, in seconds. The venue's last message came at most a second before its stall,
 * and the age is shown in whole seconds. @param stalledMs  by `performance.now()`
 */
export async function ageErrorS(badge: Locator, stalledMs: number): Promise<number> {
  return Math.abs(ageOf(await badge.textContent()) - (performance.now() - stalledMs) / 1000);
}

export async function chooseSymbol(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: label }).click();
}
