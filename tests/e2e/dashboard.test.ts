/**
 * Tests the dashboard in a real browser: all its parts, its layout shift, its accessibility, and failures of every
 * source.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { passUntil, stopTime } from '../support/browser/page-clock.ts';
import {
  axeViolations,
  leftEdges,
  nextFrames,
  overflowOf,
  shiftOf,
  watchShifts,
} from '../support/browser/page-quality.ts';
import { chooseTheme, readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const PARTS = [
  'Predictions left',
  'Current plan',
  'Go to',
  'Recent predictions',
  'Market',
  'Current News',
  'Community',
];

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('demo');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

/** @param email  the account that is signed in */
async function open(viewport: typeof WIDE, email: string) {
  const context = await signedInContext(browser, kat.url, email, { viewport, timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  return { context, page, part };
}

/** Scrolls down so that parts that load near the viewport load too. */
async function scrollDown(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) {
    await page.mouse.wheel(0, 600);
    await nextFrames(page);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
}

const VIEWS = [
  ['phone', PHONE, 'light'],
  ['wide', WIDE, 'dark'],
] as const;

// In the daytime run the tests below open the page on a wide screen, and one of them measures its layout shift.
test.each(isNight ? VIEWS : VIEWS.slice(0, 1))(
  'loads every part in its place without layout shift (%s)',
  async (_what, viewport, theme) => {
    const { context, page, part } = await open(viewport, 'lion@example.com');
    const trouble = watchTrouble(page, kat.url);
    await watchShifts(page);
    await page.goto(`${kat.url}/dashboard`);
    await page.getByText('Done', { exact: true }).first().waitFor();
    await part('Predictions left').getByText('of 15', { exact: true }).waitFor();
    await part('Predictions left').getByText('of 300', { exact: true }).waitFor();
    await part('Current plan').getByText('Lion', { exact: true }).waitFor();

    await scrollDown(page);

    await part('Recent predictions').getByRole('article').first().waitFor();
    await part('Market').getByRole('table').waitFor();
    await part('Current News').getByRole('heading', { level: 3 }).first().waitFor();
    await part('Community').getByText('Subscribers').waitFor();
    const countdown = part('Countdown');
    expect(await countdown.getByRole('status').textContent()).toBe('Done');
    await countdown.getByText('Ended 1 Aug 2025, 02:00 GMT+2').waitFor();
    const hrefs = await part('Go to')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual(['/kat', '/account/predictions#predictions', '/account/subscription', '/account']);
    expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    expect(await overflowOf(page)).toBe(0);
    const { logo, content } = await leftEdges(page);
    expect(content).toBe(logo);
    expect(await shiftOf(page)).toBeLessThan(0.02);
    await chooseTheme(page, theme);
    expect(await axeViolations(page)).toEqual([]);
    expect(trouble).toEqual([]);
    await context.close();
  },
);

test('reports each failing part with Retry, and keeps every part on the page', async () => {
  const { context, page, part } = await open(WIDE, 'free@example.com');
  const failing = [
    ...['**/functions/v1/get-quota', '**/rest/v1/user_predictions*', '**/rest/v1/news_articles*'],
    ...['**/api/v3/**', '**/fng/**', '**/functions/v1/*-stats*', '**/rest/v1/stripe_user_subscriptions*'],
  ];
  for (const address of failing)
    await page.route(address, (route) => route.fulfill({ status: 503, json: { message: 'away' } }));
  await page.goto(`${kat.url}/dashboard`);

  await part('Predictions left').getByText('Failed to load quota').waitFor();
  await readDownTo(page, part('Community').getByText('2.1M'));
  await part('Current plan').getByText('We couldn’t load your plan').waitFor();
  await part('Recent predictions').getByRole('button', { name: 'Retry' }).waitFor();
  await part('Current News').getByText('No news data available').waitFor();
  await part('Market')
    .getByText(/fallback/)
    .first()
    .waitFor();
  // These are the default figures of this page, marked as defaults.
  await part('Community').getByText('700k').waitFor();
  for (const name of [...PARTS, 'Countdown']) await expect.poll(() => part(name).count()).toBe(1);

  await page.unroute('**/functions/v1/get-quota');
  await part('Predictions left').getByRole('button', { name: 'Retry' }).click();
  // The quota can be read, but the allowance is unknown while the plan fails to load.
  await part('Predictions left').getByText('The daily limit resets at 00:00 UTC').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await context.close();
});

test('links an admin to /admin, and ends the countdown when its time comes', async () => {
  const { context, page, part } = await open(WIDE, 'admin@example.com');
  await page.clock.install();
  await page.goto(`${kat.url}/dashboard`);
  await part('Predictions left').getByText('Admins have no quota limits.').waitFor();
  expect(await page.getByRole('link', { name: 'Admin', exact: true }).getAttribute('href')).toBe('/admin');
  const countdown = part('Countdown');

  await page.clock.setSystemTime(new Date('2025-07-31T23:59:30Z'));
  await page.clock.runFor(1000);
  await expect.poll(() => countdown.getByRole('status').textContent()).toBe('');
  await countdown.getByText('0 days, 0 hours and 0 minutes left.').waitFor();

  await page.clock.runFor(30_000);
  await expect.poll(() => countdown.getByRole('status').textContent()).toBe('Done');
  await context.close();
});

test('shows a new account its first steps and the offer of the tour, once for all its devices', async () => {
  const { context, page, part } = await open(WIDE, 'new@example.com');
  const trouble = watchTrouble(page, kat.url);
  await watchShifts(page);
  const steps = page.getByRole('region', { name: 'Welcome to Kat' });
  await page.clock.install();
  // The page waits for the steps at most 1.5 s, less than a busy machine may need: its own time passes in steps.
  const openWithSteps = async () => {
    await stopTime(page);
    await page.goto(`${kat.url}/dashboard`);
    await passUntil(page, steps);
    await page.clock.resume();
    await part('Current plan').getByText('Free', { exact: true }).waitFor();
  };
  await openWithSteps();
  await steps.getByText('0 of 5 done').waitFor();
  await scrollDown(page);
  expect(await shiftOf(page)).toBeLessThan(0.02);
  await steps.getByRole('button', { name: 'Verify email' }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Send verification email');
  expect(await axeViolations(page)).toEqual([]);

  await page.goto(`${kat.url}/kat`);
  await page.getByRole('button', { name: 'Take the tour' }).press('Enter');
  const tour = page.getByRole('dialog', { name: 'How to read the chart' });
  await tour.getByRole('button', { name: 'Next' }).press('Enter');
  await tour.getByText('The path is not a promise').waitFor();
  expect(await axeViolations(page, 'dialog')).toEqual([]);
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab');
    // The browser's own buttons follow the dialog's last control: then the page has no focus.
    expect(await page.evaluate(() => document.activeElement?.closest('dialog, html > body') !== null)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.closest('main'))).toBeNull();
  }
  const isStored = page.waitForResponse((answer) => answer.url().includes('/onboarding_marks'));
  await page.keyboard.press('Escape');
  await isStored;
  await tour.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('How to read the chart');

  await openWithSteps();
  const isDismissed = page.waitForResponse((answer) => answer.url().includes('/onboarding_marks'));
  await steps.getByRole('button', { name: 'Dismiss' }).click();
  await isDismissed;
  expect(trouble).toEqual([]);
  await context.close();

  const elsewhere = await open(PHONE, 'new@example.com');
  await elsewhere.page.goto(`${kat.url}/dashboard`);
  await elsewhere.part('Current plan').getByText('Free', { exact: true }).waitFor();
  expect(await elsewhere.page.getByText('Welcome to Kat').count()).toBe(0);
  // In the daytime run web/features/onboarding/chart-tour.test.tsx covers the tour that ended on another device.
  if (isNight) {
    await elsewhere.page.goto(`${kat.url}/kat`);
    await elsewhere.page.getByRole('button', { name: 'How to read the chart' }).waitFor();
    await elsewhere.page.getByRole('combobox', { name: 'Symbol' }).waitFor();
    expect(await elsewhere.page.getByText('New to this chart?').count()).toBe(0);
    expect(await overflowOf(elsewhere.page)).toBe(0);
  }
  await elsewhere.context.close();
});
