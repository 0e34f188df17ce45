/** Tests /pricing and, with test cards, /account/subscription: buying, upgrading, downgrading, cancelling and undoing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { dollars } from '#domain/format/dollars.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { isNight } from '../support/run/test-size.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const keysSchema = z.object({ secretKey: z.string() });
const controlSchema = z.object({ url: z.string() });

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([leaseKat(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

const current = (page: Page) => page.getByRole('region', { name: 'Current subscription' });
const card = (page: Page, plan: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: plan, exact: true }) });
const planButton = (page: Page, plan: string) => card(page, plan).getByRole('button');
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

async function expectUsable(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await chooseTheme(page, theme);
  expect(await axeViolations(page, 'main')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** @returns the amounts that were charged, newest first */
async function chargesOf(email: string): Promise<number[]> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(kat.dataDir, name), 'utf8'));
  const { port } = new URL(controlSchema.parse(read('payments-control.json')).url);
  const { secretKey } = keysSchema.parse(read('payments-keys.json'));
  const stripe = new Stripe(secretKey, { protocol: 'http', host: '127.0.0.1', port: Number(port), telemetry: false });
  const [customer] = (await stripe.customers.list({ email })).data;
  if (customer === undefined) throw new Error(`${email} is no customer.`);
  return (await stripe.invoices.list({ customer: customer.id })).data.map((invoice) => invoice.amount_paid);
}

/** Clicks a button that reloads the page. */
async function pressAndTurn(page: Page, press: () => Promise<void>): Promise<void> {
  const turned = page.waitForEvent('domcontentloaded');
  await press();
  await turned;
}

test('buys a plan, upgrades for the displayed amount, and undoes a downgrade and a cancellation', async () => {
  const viewport = { width: 1440, height: 900 };
  const page = await (await signedInContext(browser, kat.url, 'free@example.com', { viewport })).newPage();
  await watchShifts(page);
  await recordToasts(page);
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/account/subscription`);
  await planButton(page, 'Lion').waitFor();
  expect(await shiftOf(page)).toBeLessThan(0.01);
  await current(page).getByText('Inactive', { exact: true }).waitFor();
  await current(page).getByText('Test payments – no real money').waitFor();
  await expect.poll(() => planButton(page, 'Free').isDisabled()).toBe(true);
  await expectUsable(page, 'dark');

  await planButton(page, 'Bobcat').click();
  await page.waitForURL('**/test-payments/**');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL('**/checkout/success?session_id=*');
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
  await page.goto(`${kat.url}/account/subscription`);
  await current(page).getByText('Active', { exact: true }).waitFor();
  expect(await shiftOf(page)).toBeLessThan(0.01);
  await current(page).getByText('Renews in').waitFor();
  await current(page).getByText('Visa ending in 4242, expires 12/34').waitFor();
  await expect.poll(() => planButton(page, 'Bobcat').isDisabled()).toBe(true);

  await planButton(page, 'Lion').click();
  const due = page.getByRole('dialog').locator('dt', { hasText: 'Due now' }).locator('xpath=following-sibling::dd');
  const shown = await due.innerText();
  await expectUsable(page, 'light');
  await inDialog(page, 'Upgrade to Lion').click();
  await waitForToast(page, 'Subscription updated successfully');
  await current(page).getByText('Lion', { exact: true }).waitFor();
  await expect.poll(() => planButton(page, 'Lion').isDisabled()).toBe(true);
  expect(dollars((await chargesOf('free@example.com'))[0] ?? 0)).toBe(shown);
  await page.getByRole('region', { name: 'Predictions left' }).getByText('of 300', { exact: true }).waitFor();

  await planButton(page, 'Bobcat').click();
  await page.getByRole('dialog').getByText('Panther (Kat 2.2) model').waitFor();
  await inDialog(page, 'Downgrade to Bobcat').click();
  await current(page).getByText('Downgrade Scheduled').waitFor();
  await expectUsable(page, 'dark');
  await current(page).getByRole('button', { name: 'Undo Downgrade' }).click();
  await current(page).getByText('Downgrade Scheduled').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await inDialog(page, 'Keep Plan').click();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel subscription');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await pressAndTurn(page, () => inDialog(page, 'Cancel subscription').click());
  await waitForToast(page, 'Cancellation scheduled for period end');
  await current(page).getByText('Cancels at period end').waitFor();
  await current(page).getByText('Expires in').waitFor();
  await expect.poll(() => planButton(page, 'Bobcat').isDisabled()).toBe(true);
  await expectUsable(page, 'light');

  await pressAndTurn(page, () => page.getByRole('button', { name: 'Undo Cancel' }).click());
  await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
  await current(page).getByText('Renews in').waitFor();

  // A change made in the billing portal is visible when the user returns.
  await page.getByRole('button', { name: 'Manage billing' }).click();
  await page.getByRole('button', { name: 'Cancel plan' }).click();
  await page.getByText(/^The plan ends on/).waitFor();
  await page.getByRole('button', { name: 'Back to the site' }).click();
  await current(page).getByText('Cancels at period end').waitFor();
  expect(trouble).toEqual([]);
});

test('leads a visitor who chooses a plan on the page of prices through sign-up to its purchase', async () => {
  const page = await browser.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(kat.url);
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  await card(page, 'Lion').getByText('$69.99').waitFor();
  await card(page, 'Lion')
    .getByText(/of 100 closes landed inside its 80% band/)
    .waitFor();
  await page.getByText('Test payments – no real money').waitFor();

  await card(page, 'Lion').getByRole('link', { name: 'Choose Lion' }).click();
  await page.getByLabel('Full name').fill('Grace Example');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign Up', exact: true }).click();

  await page.waitForURL(`${kat.url}/account/subscription`);
  await planButton(page, 'Lion').filter({ hasText: 'Subscribe to Lion' }).waitFor();
  expect(trouble).toEqual([]);
  await page.close();
});

// In the daytime run contract/billing-upgrade.test.ts and web/features/billing/subscription-changes.test.tsx cover
// each step up to the payment page.
if (isNight)
  test('sends an upgrade that needs bank authentication to its open invoice, and applies it once paid', async () => {
    const viewport = { width: 1440, height: 900 };
    const page = await (await signedInContext(browser, kat.url, 'admin@example.com', { viewport })).newPage();
    const payWithConsent = async () => {
      await page.getByLabel('Card number').fill('4000 0027 6000 3184');
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    };
    await page.goto(`${kat.url}/account/subscription`);
    await current(page).getByText('Admins have every model and no quota on any plan.').waitFor();
    await planButton(page, 'Bobcat').click();
    await payWithConsent();
    await page.waitForURL('**/checkout/success?session_id=*');
    // Waits until the site knows of the purchase, because only an existing plan can be changed.
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    await page.goto(`${kat.url}/account/subscription`);

    await planButton(page, 'Lion').click();
    await inDialog(page, 'Upgrade to Lion').click();
    await page.getByRole('status').filter({ hasText: 'Open' }).waitFor();
    await payWithConsent();
    await page.getByRole('status').filter({ hasText: 'Paid' }).waitFor();
    await page.goto(`${kat.url}/account/subscription`);

    await current(page).getByText('Lion', { exact: true }).waitFor();
  });
