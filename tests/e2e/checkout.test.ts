/**
 * Tests payments as a buyer makes them: the pages after the checkout, declined cards, and the customer that a sign-in
 * prepares.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf, watchArrival } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, signIn, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { newAccount } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const GOOD_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';
const CONFIRM = '**/functions/v1/checkout-confirm';
const BOOTSTRAP = '/functions/v1/stripe-bootstrap';
const controlSchema = z.object({ url: z.string(), token: z.string() });
const checkoutSchema = z.object({ url: z.string(), sessionId: z.string() });
/** The payment sandbox answers a declined card with 402, which the browser logs to the console. */
const DECLINED = /402 \(Payment Required\)/;

let kat: LeasedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([leaseKat(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

/** Creates an account that isn't signed in in any browser. */
async function newcomer() {
  const { email, client } = await newAccount(kat.url);
  return {
    email,
    /** Opens the checkout as the subscription page does. */
    async checkout(plan: 'bobcat' | 'lion') {
      const body = {
        price_id: `price_kat_${plan}_monthly`,
        success_url: `${kat.url}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${kat.url}/checkout/cancel`,
        mode: 'subscription',
      };
      return checkoutSchema.parse((await client.functions.invoke('stripe-checkout', { body })).data);
    },
  };
}

function control(path: string, body: object): Promise<Response> {
  const { url, token } = controlSchema.parse(
    JSON.parse(readFileSync(join(kat.dataDir, 'payments-control.json'), 'utf8')),
  );
  const headers = { 'x-standin-token': token, 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function newPage(width = 1440): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  return context.newPage();
}

async function pageOf(email: string): Promise<Page> {
  const context = await signedInContext(browser, kat.url, email, { viewport: { width: 1440, height: 900 } });
  return context.newPage();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const facts = (page: Page) => page.getByRole('main').getByRole('definition').allTextContents();

async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
}

async function expectUsable(page: Page, theme: 'dark' | 'light'): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page), { message: `${width} px` }).toBe(0);
  }
  await chooseTheme(page, theme);
  expect(await axeViolations(page, 'html')).toEqual([]);
}

test('shows a purchase as active before any webhook arrives, and again after a reload', async () => {
  const buyer = await newcomer();
  const page = await pageOf(buyer.email);
  const trouble = watchTrouble(page, kat.url);
  await control('/webhooks', { mode: 'hold' });
  try {
    const { url, sessionId } = await buyer.checkout('lion');
    await page.goto(url);
    await page.getByText(/Test payments/).waitFor();
    const isSeen = Promise.withResolvers<void>();
    await page.route(CONFIRM, async (route) => {
      await isSeen.promise;
      await route.continue();
    });
    await pay(page, GOOD_CARD);

    await heading(page, 'Confirming your purchase...');
    isSeen.resolve();
    await heading(page, 'Payment Successful!');

    expect(new URL(page.url()).search).toBe(`?session_id=${sessionId}`);
    const nextMonth = /^\d{1,2} [A-Z][a-z]{2} \d{4}$/;
    const shown = ['Lion', '$69.99 per month', 'Active', expect.stringMatching(nextMonth)];
    expect(await facts(page)).toEqual(shown);
    await page.getByText('Test payments – no real money').waitFor();
    await page.reload();
    await heading(page, 'Payment Successful!');
    expect(await facts(page)).toEqual(shown);
    await expectUsable(page, 'dark');
  } finally {
    await control('/webhooks/release', {});
    await control('/webhooks', { mode: 'deliver' });
  }

  await page.getByRole('link', { name: 'Dashboard', exact: true }).last().click();
  await page.getByText('$69.99 per month').waitFor();
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('hides a payment from visitors and other accounts, and prepares the payment customer once per sign-in', async () => {
  const buyer = await newcomer();
  const { sessionId } = await buyer.checkout('bobcat');
  const page = await newPage(390);
  const requests = watchBootstraps(page.context());
  const trouble = watchTrouble(page, kat.url);
  const address = `/checkout/success?session_id=${sessionId}`;

  await page.goto(kat.url + address);
  await heading(page, 'Sign in to see your payment');
  await expectUsable(page, 'light');
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill((await newcomer()).email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();

  await heading(page, 'No payment to show');
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
  await expect.poll(() => page.getByRole('main').getByText('We couldn’t find this payment.').count()).toBe(1);
  await expect.poll(() => requests).toEqual([expect.stringMatching(/^Bearer ey/)]);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('keeps a declined card on the payment page, and Back leads to the cancelled page', async () => {
  const buyer = await newcomer();
  const page = await pageOf(buyer.email);
  const trouble = watchTrouble(page, kat.url, [DECLINED]);
  const { url, sessionId } = await buyer.checkout('bobcat');
  await page.goto(url);

  await pay(page, DECLINED_CARD);
  await page.getByRole('alert').waitFor();
  expect(page.url()).toBe(url);
  await page.getByRole('button', { name: 'Back', exact: true }).click();

  await page.waitForURL('**/checkout/cancel');
  await heading(page, 'Payment cancelled');
  expect(await page.title()).toBe('Payment cancelled – Kat');
  await page.getByText('No charges were made').waitFor();
  await expectUsable(page, 'dark');
  // The session can still be paid. The page says so and doesn't report a payment to someone who only knows the
  // address.
  await page.goto(`${kat.url}/checkout/success?session_id=${sessionId}`);
  await heading(page, 'Not paid yet');
  expect(trouble).toEqual([]);
  await page.context().close();
});

// In the daytime run, the test above covers a sign-in, and web/session/payment-customer.test.tsx tabs and reloads.
nightTest('prepares the payment customer once despite a second tab and a reload', async () => {
  const buyer = await newcomer();
  const page = await newPage();
  const requests = watchBootstraps(page.context());
  await signIn(page, kat.url, buyer.email);
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]).toMatch(/^Bearer ey/);

  const tab = await page.context().newPage();
  const arrivals = [watchArrival(page), watchArrival(tab)];
  await page.reload();
  await tab.goto(`${kat.url}/account`);
  await tab.getByLabel('Full name').waitFor();
  for (const arrival of arrivals) await arrival();
  expect(requests).toHaveLength(1);
  await page.context().close();
});

test('marks payment pages noindex and allows only the site’s own scripts with sandbox payments', async () => {
  for (const path of ['/checkout/success', '/checkout/cancel', '/account/subscription']) {
    const response = await fetch(kat.url + path);
    expect(await response.text()).toContain('noindex');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/(?:^|; )script-src 'self'(?: 'sha256-[\w+/=]+')*;/);
    expect(policy).toContain("; connect-src 'self';");
    expect(policy).not.toMatch(/stripe|unsafe|\*/);
  }
  const script = await fetch(`${kat.url}/payment-script.js`);
  expect(script.headers.get('content-type')).toContain('javascript');
});

/** @returns the bearer tokens of the bootstrap requests */
function watchBootstraps(context: BrowserContext): string[] {
  const requests: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith(BOOTSTRAP) && request.method() === 'POST')
      requests.push(request.headers().authorization ?? '');
  });
  return requests;
}
