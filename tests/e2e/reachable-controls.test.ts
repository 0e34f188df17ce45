/** A mouse reaches every visible control of every page and open panel, and no page is wider than its window. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { watchArrival } from '../support/browser/page-quality.ts';
import { unreachable } from '../support/browser/reachable-controls.ts';
import { chooseTheme } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const SIZES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const;

let kat: SharedKat;
let browser: Browser;
let visitor: BrowserContext;
let admin: BrowserContext;
beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
  visitor = await browser.newContext();
  admin = await signedInContext(browser, kat.url, 'admin@example.com');
});
afterAll(() => browser?.close());

async function faultsOf(page: Page, where: string): Promise<string[]> {
  return (await unreachable(page)).map((fault) => `${where}: ${fault}`);
}

/** At each size, in both themes. */
async function faultsOn(context: BrowserContext, path: string): Promise<string[]> {
  const faults: string[] = [];
  const page = await context.newPage();
  const arrival = watchArrival(page);
  await page.setViewportSize(SIZES[0]);
  await page.goto(kat.url + path);
  await page.waitForFunction(() => document.querySelector('h1') !== null);
  await arrival();
  for (const theme of ['dark', 'light'] as const) {
    await chooseTheme(page, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      faults.push(...(await faultsOf(page, `${theme} ${size.width}`)));
    }
  }
  await page.close();
  return faults;
}

/** A pop-out without its chart has one button and no heading, and the callback leads on. */
const OF_OTHERS = ['/popout', '/auth/callback'];
const pathsOf = (isAccounts: boolean) =>
  SITE_ROUTES.filter(
    ({ access, path }) => (access === 'signed-in') === isAccounts && !OF_OTHERS.some((other) => other === path),
  ).map(({ path }) => path);

test.each(pathsOf(false))('reaches every control of %s as a visitor', async (path) => {
  expect(await faultsOn(visitor, path)).toEqual([]);
});

test.each(['/kat', ...pathsOf(true)])('reaches every control of %s with an account', async (path) => {
  expect(await faultsOn(admin, path)).toEqual([]);
});

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const combobox = (name: string) => (page: Page) => page.getByRole('combobox', { name }).click();
/** What opens it, and what is then on the page. Each opens on a new page, and stays open as the window changes. */
const PANELS: readonly [string, (page: Page) => Promise<void>, (page: Page) => Locator][] = [
  ['chances', button('Chances'), (page) => page.getByRole('slider', { name: /on the chart$/ }).first()],
  ['export', button('Export'), (page) => page.getByRole('dialog', { name: 'Export' })],
  ['watchlist', button('Watchlist'), (page) => page.getByRole('region', { name: 'Watchlist' })],
  ['symbols', combobox('Symbol'), (page) => page.getByRole('option', { name: 'ETH' })],
  ['models', combobox('Model'), (page) => page.getByRole('option').first()],
  ['commands', (page) => page.keyboard.press('Control+k'), (page) => page.getByRole('dialog')],
];

test.each(PANELS)('reaches every control of /kat with %s open', async (_name, open, opened) => {
  const context = await signedInContext(browser, kat.url, 'lion@example.com');
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${kat.url}/kat`);
  await expect.poll(() => page.locator('[data-candle-count]').first().getAttribute('data-candle-count')).toBe('150');
  await open(page);
  await opened(page).waitFor();
  const faults: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    faults.push(...(await faultsOf(page, `${size.width}`)));
  }
  expect(faults).toEqual([]);
  await context.close();
});
