/** Tests the site while the browser translates it: Chrome replaces every text node, and React must not notice. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { holdFiles, SCRIPTS } from '../support/browser/held-files.ts';
import { chooseModel, readDownTo, signIn, waitForCandles } from '../support/browser/site-driver.ts';
import { translatePages } from '../support/browser/translation.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

/** @returns errors of scripts, and the parts of pages that were lost */
function watchLosses(page: Page): { errors: string[]; lost: () => Promise<string[]> } {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  return { errors, lost: () => page.getByText(/^We couldn’t show|^Something went wrong/).allTextContents() };
}

/** Runs in the page, until it has drawn what the click changed. */
async function clickAndDraw(button: HTMLElement): Promise<void> {
  button.click();
  for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

test('signs in, predicts, follows the order book and answers every control of the panel while translated', async () => {
  const { email } = await newSubscriber(kat.url, 'lion');
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const losses = watchLosses(page);
  await translatePages(page);
  await page.goto(`${kat.url}/auth/signin`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await signIn(page, kat.url, email);

  await page.goto(`${kat.url}/kat`);
  await page.locator('font').first().waitFor();
  await chooseModel(page, 'Lion');
  const predict = page.getByRole('button', { name: /^Prediction/ });
  await expect.poll(() => predict.getAttribute('aria-disabled')).toBe('false');
  await predict.click();
  await waitForCandles(page, 200);
  await expect.poll(() => predict.getAttribute('aria-busy')).toBeNull();
  await expect.poll(() => predict.textContent()).toContain('14 left today');

  const middle = page.locator('[data-middle]');
  await readDownTo(page, middle);
  const price = await middle.textContent();
  await expect.poll(() => middle.textContent()).not.toBe(price);

  const panel = page.getByRole('region', { name: /Prediction$/ }).first();
  await panel.getByRole('button', { name: 'Chances' }).click();
  await panel.getByRole('button', { name: 'Chances' }).click();
  await panel.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: /^ETH/ }).click();
  await page.getByRole('heading', { name: 'ETH Prediction' }).waitFor();
  await panel.getByRole('button', { name: 'Refresh' }).click();

  expect(await losses.lost()).toEqual([]);
  expect(losses.errors).toEqual([]);
});

test.each(['/', '/kat', '/pricing', '/track-record'])(
  'completes %s, and reports no error, when the drawn page is translated before its code has arrived',
  async (path) => {
    const options = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } as const;
    const page = await (await browser.newContext(options)).newPage();
    const losses = watchLosses(page);
    let reports = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('error_message') === true) reports += 1;
    });
    const release = await holdFiles(page, SCRIPTS);
    await translatePages(page, 'DOMContentLoaded');
    await page.goto(kat.url + path, { waitUntil: 'commit' });
    await page.getByRole('main').locator('font').first().waitFor();
    await page.getByRole('button', { name: 'Toggle theme' }).click();
    await release();

    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('dialog').waitFor();
    expect(await losses.lost()).toEqual([]);
    expect([losses.errors, reports]).toEqual([[], 0]);
    await page.context().close();
  },
);

test.each([
  ['Chances', 'Close the chances'],
  ['Export', 'Close'],
])('answers a press of %s on a phone whose page was translated before its code arrived', async (name, answer) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const release = await holdFiles(page, SCRIPTS);
  await translatePages(page, 'DOMContentLoaded');
  await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
  await page.getByRole('main').locator('font').first().waitFor();
  await page.getByRole('main').getByRole('button', { name, exact: true }).tap();
  await release();
  await page.getByRole('button', { name: answer }).first().waitFor();
  await context.close();
});

test.each([
  '/dashboard',
  '/account',
  '/account/security',
  '/account/notifications',
  '/account/predictions',
  '/account/activity',
  '/account/subscription',
  '/track-record',
  '/ai-models',
  '/gallery',
  '/',
])('keeps %s whole while it is translated and every button of it is clicked', async (path) => {
  const { email } = await newSubscriber(kat.url, 'bobcat');
  const context = await signedInContext(browser, kat.url, email, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const losses = watchLosses(page);
  await translatePages(page);
  await page.goto(kat.url + path);
  await page.getByRole('main').locator('font').first().waitFor();
  await readDownTo(page, page.getByRole('contentinfo'));
  // Some buttons lead to a page of another site, or to one that loads in full.
  await page.route('**', (route) =>
    route.request().isNavigationRequest() ? route.abort('aborted') : route.continue(),
  );
  const buttons = page.getByRole('main').locator('button:visible:enabled');
  for (let i = 0; i < (await buttons.count()); i++) {
    await buttons.nth(i).evaluate(clickAndDraw);
    await page.keyboard.press('Escape');
    if (new URL(page.url()).pathname !== path) await page.goBack();
    expect(await losses.lost(), `button ${i}`).toEqual([]);
    expect(losses.errors, `button ${i}`).toEqual([]);
  }
  await context.close();
});
