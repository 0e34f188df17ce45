/**
 * Tests /admin in a real browser: an admin finds, sorts and opens users; other users are refused and cause no admin
 * request.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, leftEdges, overflowOf, watchArrival } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
});

async function openAs(email: string): Promise<{ context: BrowserContext; page: Page; calls: string[] }> {
  const context = await signedInContext(browser, kat.url, email, { viewport: WIDE, timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(rest\/v1\/rpc|functions\/v1)\/(admin|operations|get_predictions)/.test(pathname)) calls.push(pathname);
  });
  return { context, page, calls };
}

const addresses = (page: Page) => page.locator('tr[data-user] td:nth-child(3)').allInnerTexts();
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });

async function expectUsable(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await chooseTheme(page, theme);
  expect(await axeViolations(page, 'main')).toEqual([]);
}

test('shows an admin the charts and all users, and searches, sorts and opens users', async () => {
  const { context, page } = await openAs('admin@example.com');
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/admin`);
  await page.getByRole('heading', { name: 'Admin Dashboard', level: 1 }).waitFor();
  await page.getByText('Overview of users and predictions.').waitFor();
  await page.getByText(/^Loaded \d+ users$/).waitFor();
  expect((await addresses(page))[0]).toBe('admin@example.com');
  for (const [name, height] of [
    ['Paid Plan Mix', 260],
    ['User Quotas', 260],
    ['Predictions per Day', 300],
    ['Renewals', 300],
  ] as const) {
    const box = await page.getByRole('img', { name: new RegExp(`^${name}`) }).boundingBox();
    expect(Math.round(box?.height ?? 0), name).toBe(height);
  }
  await page.getByRole('heading', { name: /^Renewals \(\$[\d,]+\.\d\d\)$/ }).waitFor();

  const usersInOrder = async (isRising: boolean) => {
    const [first, ...others] = await addresses(page);
    const sorted = others.toSorted();
    return [first, others.join() === (isRising ? sorted : sorted.reverse()).join()];
  };
  await head(page, 'Email').getByRole('button').click();
  expect(await head(page, 'Email').innerText()).toContain('▲');
  await expect.poll(() => usersInOrder(true)).toEqual(['admin@example.com', true]);
  await head(page, 'Email').getByRole('button').click();
  expect(await head(page, 'Email').innerText()).toContain('▼');
  await expect.poll(() => usersInOrder(false)).toEqual(['admin@example.com', true]);

  await page.getByRole('button', { name: 'Show Paid Only' }).click();
  await expect.poll(() => addresses(page)).toEqual(['lion@example.com', 'bobcat@example.com']);
  await page.getByPlaceholder('Search name, email, plan…').fill('LION $69');
  await expect.poll(() => addresses(page)).toEqual(['lion@example.com']);
  await page.getByRole('button', { name: 'Show All Users' }).waitFor();

  await page.getByRole('button', { name: 'Demo Lion' }).focus();
  await page.keyboard.press('Enter');
  const charts = page.locator('tr [data-candle-count]');
  await expect.poll(() => charts.count()).toBe(2);
  expect(await charts.first().getAttribute('data-candle-count')).toBe('200');
  await page.getByRole('heading', { name: 'Security & Activity' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Demo Lion');
  await expectUsable(page, 'dark');
  expect(await leftEdges(page)).toEqual({ logo: 24, content: 24 });
  await page.setViewportSize(PHONE);
  expect(await overflowOf(page)).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(() => charts.count()).toBe(0);
  await expectUsable(page, 'light');
  expect(trouble).toEqual([]);
  await context.close();
});

test('leads an admin on a phone to rows of two lines, with nothing to scroll sideways', async () => {
  const { context, page } = await openAs('admin@example.com');
  await page.setViewportSize(PHONE);
  await page.goto(`${kat.url}/admin?tab=operations`);

  await page.getByRole('link', { name: 'Users', exact: true }).click();

  const row = page.locator('tr[data-user]', { hasText: 'lion@example.com' });
  await row.waitFor();
  await expect.poll(async () => (await page.locator('#users').boundingBox())?.y).toBeLessThan(200);
  const topOf = async (text: string) => Math.round((await row.getByText(text).boundingBox())?.y ?? Number.NaN);
  const [name, status, email] = [await topOf('Demo Lion'), await topOf('Active'), await topOf('lion@')];
  expect(Math.abs(name - status)).toBeLessThan(12);
  expect(email - name).toBeGreaterThan(12);
  expect(
    await page.locator('table').evaluate(({ parentElement: frame }) => frame?.scrollWidth === frame?.clientWidth),
  ).toBe(true);
  expect(await overflowOf(page)).toBe(0);
  await context.close();
});

test('refuses a non-admin on both tabs without an admin request to the server', async () => {
  const { context, page, calls } = await openAs('free@example.com');
  const arrival = watchArrival(page);
  for (const tab of ['', '?tab=operations']) {
    await page.goto(`${kat.url}/admin${tab}`);
    await page.getByText('Not authorized.').waitFor();
    await arrival();
  }

  expect(await page.getByText('Admin Dashboard').count()).toBe(0);
  expect(calls).toEqual([]);
  expect(await axeViolations(page, 'main')).toEqual([]);
  await context.close();
});
