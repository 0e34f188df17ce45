/** Typing in the list of symbols with a real keyboard, on a wide screen and on a phone. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { overflowOf } from '../support/browser/page-quality.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await leaseKat();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

async function openKat(viewport = WIDE): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport, hasTouch: viewport === PHONE });
  const page = await context.newPage();
  await page.goto(`${kat.url}/kat`);
  await page.getByRole('heading', { name: 'BTC Demo' }).waitFor();
  return { page, context };
}

const symbols = (page: Page) => page.getByRole('combobox', { name: 'Symbol' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search all markets' });
const markets = (page: Page) => page.getByRole('group', { name: 'All markets' }).getByRole('option');

/** On the open list, with the focus on its button. */
async function searchSol(page: Page): Promise<void> {
  await symbols(page).click();
  await page.getByRole('option', { name: 'ETH' }).waitFor();
  await page.keyboard.type('sol');
  await markets(page).first().waitFor();
}

test('finds a market by typing on the open list, and shows it after arrow and Enter', async () => {
  const { page, context } = await openKat();

  await searchSol(page);
  expect(await field(page).inputValue()).toBe('sol');
  await page.keyboard.press('ArrowDown');
  const label = (await markets(page).first().locator('span').nth(1).textContent()) ?? '';
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: `${label} Demo` }).waitFor();
  expect(new URL(page.url()).searchParams.get('sym')).toBe(label);
  await expect.poll(() => symbols(page).evaluate((button) => button === document.activeElement)).toBe(true);
  await context.close();
});

test('keeps the ten first, returns on Escape, and opens with the ten again', async () => {
  const { page, context } = await openKat();

  await searchSol(page);
  expect(await page.getByRole('option').first().textContent()).toContain('SOL');
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  await symbols(page).click();

  await expect.poll(() => page.getByRole('option').count()).toBe(11);
  expect(await symbols(page).textContent()).toBe('BTC');
  await context.close();
});

test('chooses a market by a tap on a phone, whose keyboard opens only once the field is tapped', async () => {
  const { page, context } = await openKat(PHONE);

  await symbols(page).tap();
  await page.getByRole('option', { name: 'ETH' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  await field(page).tap();
  await page.keyboard.type('link');
  await markets(page).first().waitFor();
  expect(await overflowOf(page)).toBe(0);
  const box = await field(page).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  const label = (await markets(page).first().locator('span').nth(1).textContent()) ?? '';
  await markets(page).first().tap();

  await page.getByRole('heading', { name: `${label} Demo` }).waitFor();
  await context.close();
});

test('says that the other markets cannot be loaded, while the ten still work', async () => {
  const { page, context } = await openKat();
  await page.route('**/markets?*', (route) => route.abort());

  await symbols(page).click();
  await page.getByRole('option', { name: 'ETH' }).waitFor();
  await page.keyboard.type('eth');
  await page.getByText('We couldn’t load the other markets. The ten still work.').waitFor();
  await page.getByRole('option', { name: 'ETH' }).click();

  await page.getByRole('heading', { name: 'ETH Demo' }).waitFor();
  await context.close();
});
