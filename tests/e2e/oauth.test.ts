/** Tests sign-in through the Google and GitHub sandboxes, from the button to the page afterwards. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

/** The provider's own page is the only address outside the site. */
const PROVIDER_PAGES = [/^left the origin: http:\/\/127\.0\.0\.1:\d+\/(google|github)\//];

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await recordToasts(page);
  return page;
}

async function toProvider(page: Page, name: 'Google' | 'GitHub', from = '/auth/signin'): Promise<void> {
  await page.goto(`${kat.url}${from}`);
  await chooseProvider(page, name);
}

async function chooseProvider(page: Page, name: 'Google' | 'GitHub'): Promise<void> {
  await page.locator(`button[title="Test sign-in, not ${name}"]`).click();
  await page.getByRole('heading', { name: `Test sign-in - not ${name}` }).waitFor();
}

test('reports a cancelled Google sign-in, and a completed one leads to the dashboard', async () => {
  const page = await newPage();
  const trouble = watchTrouble(page, kat.url, PROVIDER_PAGES);

  await toProvider(page, 'Google');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${kat.url}/auth/signin`);
  await waitForToast(page, 'Authentication failed. Please try again.');
  await chooseProvider(page, 'Google');
  await page.getByLabel(/Ada Test/).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${kat.url}/dashboard`);

  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('returns from GitHub to the page that required the sign-in', async () => {
  const page = await newPage();
  const trouble = watchTrouble(page, kat.url, PROVIDER_PAGES);

  await toProvider(page, 'GitHub', '/account/security?tab=1#rights');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.waitForURL(`${kat.url}/account/security?tab=1#rights`);
  await page.getByText('ada.test@example.com').first().waitFor();
  expect(trouble).toEqual([]);
  await page.context().close();
});
