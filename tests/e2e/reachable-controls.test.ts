/** A mouse reaches every visible control of every page and open panel, and no page is wider than its window. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { stillness, watchArrival } from '../support/browser/page-quality.ts';
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
  await stillness(page);
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
      await arrival();
      faults.push(...(await faultsOf(page, `${theme} ${size.width}`)));
    }
  }
  await page.close();
  return faults;
}

/** A pop-out without its chart has one button and no heading. */
const pathsOf = (isAccounts: boolean) =>
  SITE_ROUTES.filter(({ access, path }) => (access === 'signed-in') === isAccounts && path !== '/popout').map(
    ({ path }) => path,
  );

test.each(pathsOf(false))('reaches every control of %s as a visitor', async (path) => {
  expect(await faultsOn(visitor, path)).toEqual([]);
});

test.each(['/kat', ...pathsOf(true)])('reaches every control of %s with an account', async (path) => {
  expect(await faultsOn(admin, path)).toEqual([]);
});

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const combobox = (name: string) => (page: Page) => page.getByRole('combobox', { name }).click();
/** Each is opened on a new page. */
const PANELS: readonly [string, (page: Page) => Promise<void>][] = [
  ['chances', button('Chances')],
  ['export', button('Export')],
  ['watchlist', button('Watchlist')],
  ['symbols', combobox('Symbol')],
  ['models', combobox('Model')],
  ['commands', (page) => page.keyboard.press('Control+k')],
];

test.each(PANELS)('reaches every control of /kat with %s open', async (name, open) => {
  const faults: string[] = [];
  const context = await signedInContext(browser, kat.url, 'lion@example.com');
  for (const size of SIZES) {
    const page = await context.newPage();
    await page.setViewportSize(size);
    const arrival = watchArrival(page);
    await page.goto(`${kat.url}/kat`);
    await expect.poll(() => page.locator('[data-candle-count]').first().getAttribute('data-candle-count')).toBe('150');
    await arrival();
    await open(page);
    await arrival();
    faults.push(...(await faultsOf(page, `${name} ${size.width}`)));
    await page.close();
  }
  expect(faults).toEqual([]);
  await context.close();
});
