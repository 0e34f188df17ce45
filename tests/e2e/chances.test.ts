/** Tests chances in a real browser: lines dragged, typed and moved by key, by touch on a phone, and the dials. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { chooseTheme, waitForCandles, waitUntilVisitor, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

const panelOf = (page: Page) => page.getByRole('region', { name: 'Chances' });
const lineOf = (page: Page, name = 'Line') => page.getByRole('slider', { name: `${name} on the chart` });
const priceOf = async (page: Page, name = 'Line') => Number(await lineOf(page, name).getAttribute('aria-valuenow'));
/** The chance and the baseline of a row. */
const rowOf = (page: Page, name: string) =>
  panelOf(page).getByRole('row', { name }).getByRole('cell').allTextContents();
const CHANCE = /^(?:[<>]?\d\d?%)$/;

async function openChances(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chances', exact: true }).click();
  await panelOf(page).getByRole('row', { name: 'touched by then' }).waitFor();
  await lineOf(page).waitFor();
}

test('reads the chances of a line that a visitor drags, types and moves by key, and of the running candles', async () => {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await watchShifts(page);
  await page.goto(`${kat.url}/kat`);
  await waitUntilVisitor(page);
  await waitForCandles(page, 200);
  await openChances(page);
  expect(await page.getByRole('region', { name: 'Order Book' }).count()).toBe(0);
  const dials = panelOf(page).getByRole('group', { name: 'This candle closes above its open' });
  await expect.poll(() => dials.getByText(/^\d\d:\d\d–\d\d:\d\d: .*% to close above/).count()).toBe(1);
  expect(await dials.getByText(/%$/).count()).toBeGreaterThanOrEqual(3);

  const before = await priceOf(page);
  const box = await lineOf(page).boundingBox();
  if (box === null) throw new Error('the line is not shown');
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + box.height / 2 - 40, { steps: 8 });
  await page.mouse.up();
  expect(await priceOf(page)).toBeGreaterThan(before);
  const field = panelOf(page).getByRole('textbox', { name: 'Line' });
  const dragged = await priceOf(page);
  expect(Number((await field.inputValue()).replaceAll(',', ''))).toBe(dragged);
  // The line has the focus, so the keys go on from there.
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => priceOf(page)).toBeCloseTo(dragged - 0.1, 6);
  await page.keyboard.press('PageDown');
  await expect.poll(() => priceOf(page)).toBeLessThan(dragged - 10);
  expect(await lineOf(page).getAttribute('aria-valuetext')).toMatch(/^[\d,.]+, \d+\.\d\d% (?:above|below) the price$/);

  await field.fill('1000');
  await expect.poll(() => rowOf(page, 'closes below')).toEqual(['<1%', '<1%']);
  await panelOf(page)
    .getByText(/^Line 1,000\.0, .* below the price\. Closes below by bar 50 under 1%, touched under 1%\.$/)
    .waitFor({ state: 'attached' });
  await panelOf(page).getByText('Target and stop', { exact: true }).click();
  await expect.poll(async () => (await rowOf(page, 'neither')).every((text) => CHANCE.test(text))).toBe(true);
  expect(await shiftOf(page)).toBeLessThan(0.01);
  // In the daytime run the phone's page below has the other theme.
  for (const theme of isNight ? (['light', 'dark'] as const) : (['dark'] as const)) {
    await chooseTheme(page, theme);
    expect(await axeViolations(page)).toEqual([]);
  }

  await panelOf(page).getByRole('button', { name: 'Close the chances' }).click();
  await page.getByRole('region', { name: 'Order Book' }).waitFor();
  expect(await page.getByRole('slider', { name: /on the chart$/ }).count()).toBe(0);
  expect(trouble).toEqual([]);

  // Another market leads a visitor on: the server refuses its chances.
  await page.getByRole('button', { name: 'Chances', exact: true }).click();
  await panelOf(page).waitFor();
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: 'ETH' }).click();
  await panelOf(page).getByText('Chances for ETH come with a plan').waitFor();
  expect(await axeViolations(page, 'main')).toEqual([]);
  await panelOf(page).getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/auth/signin?next=%2Fkat');
  await context.close();
});

test('moves a line by touch on a phone, below the chart and through the page’s tabs', async () => {
  const context = await browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/kat`);
  await waitUntilVisitor(page);
  await waitForCandles(page, 200);
  await openChances(page);
  await lineOf(page).scrollIntoViewIfNeeded();
  const before = await priceOf(page);
  const box = await lineOf(page).boundingBox();
  if (box === null) throw new Error('the line is not shown');
  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y = 0) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 20, y: box.y + 12 + y }],
    });
  const scrolled = await page.evaluate(() => scrollY);
  await touch('touchStart');
  for (const y of [10, 20, 30]) await touch('touchMove', y);
  await touch('touchEnd');

  expect(await priceOf(page)).toBeLessThan(before);
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  expect(await overflowOf(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  const moved = await priceOf(page);
  await page.getByRole('tab', { name: 'Book' }).click();
  await page.getByRole('region', { name: 'Order Book' }).waitFor();
  await page.getByRole('tab', { name: 'Forecast' }).click();
  await panelOf(page).waitFor();
  expect(await priceOf(page)).toBe(moved);
  expect(trouble).toEqual([]);
  await context.close();
});

// In the daytime run contract/chances.test.ts and web/features/forecast/chances/chances.test.tsx cover this.
nightTest('reads the chances of another market for a subscriber', async () => {
  const { email } = await newSubscriber(kat.url, 'bobcat');
  const own = await signedInContext(browser, kat.url, email, { viewport: WIDE });
  const subscribed = await own.newPage();
  const trouble = watchTrouble(subscribed, kat.url);
  await subscribed.goto(`${kat.url}/kat?sym=ETHUSDT.P`);
  await waitForCandles(subscribed, 150);
  await openChances(subscribed);
  expect((await rowOf(subscribed, 'touched by then')).every((text) => CHANCE.test(text))).toBe(true);
  expect(trouble).toEqual([]);
  await own.close();
});
