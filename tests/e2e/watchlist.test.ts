/** Tests the watchlist in a real browser: a visitor's list becomes the account's, by keyboard, pointer and on a phone. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, readDownTo, signUp, waitUntilVisitor, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

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

async function open(viewport = WIDE) {
  const hasTouch = viewport === PHONE;
  const context = await browser.newContext({ viewport, hasTouch, isMobile: hasTouch, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  return { page, trouble, list: page.getByRole('region', { name: 'Watchlist' }), close: () => context.close() };
}

/** Of the rows, from the top. */
const namesIn = (place: Page | Locator): Promise<(string | null)[]> =>
  place
    .getByRole('list', { name: 'Watched symbols' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')));
/** The pixels of each row. */
const heightsIn = (place: Locator): Promise<number[]> =>
  place
    .getByRole('list', { name: 'Watched symbols' })
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
const expectNames = (place: Page | Locator, ...names: string[]) => expect.poll(() => namesIn(place)).toEqual(names);

async function chooseSymbol(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: label }).click();
}

test('takes a visitor’s three pairs along at sign-up, orders them by keyboard and pointer, and keeps the order', async () => {
  const { page, trouble, list, close } = await open();
  await page.goto(`${kat.url}/kat`);
  await waitUntilVisitor(page);
  await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
  await list.getByText('Your watchlist is empty').waitFor();
  await list.getByRole('button', { name: 'Watch BTC 1 min' }).click();
  for (const label of ['ETH', 'SOL']) {
    await chooseSymbol(page, label);
    await list.getByRole('button', { name: `Watch ${label} 1 min` }).click();
  }
  await expectNames(list, 'BTC 1 min', 'ETH 1 min', 'SOL 1 min');
  await list
    .getByRole('img', { name: /^80% range of this 1-minute bar/ })
    .first()
    .waitFor();
  expect(await heightsIn(list)).toEqual([32, 32, 32]);
  for (const theme of isNight ? (['light', 'dark'] as const) : (['dark'] as const)) {
    await chooseTheme(page, theme);
    expect(await axeViolations(page)).toEqual([]);
  }

  await signUp(page, kat.url, 'watcher@example.com');
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await readDownTo(page, list.getByRole('link', { name: 'BTC 1 min' }));
  await expectNames(list, 'BTC 1 min', 'ETH 1 min', 'SOL 1 min');
  await list.getByRole('button', { name: 'Move SOL 1 min' }).focus();
  await page.keyboard.press('Home');
  await list.getByText('SOL 1 min is now 1 of 3.').waitFor();
  await expectNames(list, 'SOL 1 min', 'BTC 1 min', 'ETH 1 min');

  const handle = list.getByRole('button', { name: 'Move SOL 1 min' });
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle is not shown');
  const isStored = page.waitForResponse((answer) => answer.url().includes('/order_watched_pairs'));
  await handle.hover();
  await page.mouse.down();
  await page.mouse.move(box.x + 10, box.y + 1.6 * box.height, { steps: 5 });
  await page.mouse.up();
  await isStored;
  await expectNames(list, 'BTC 1 min', 'SOL 1 min', 'ETH 1 min');

  await page.reload();
  await readDownTo(page, list.getByRole('link', { name: 'BTC 1 min' }));
  await expectNames(list, 'BTC 1 min', 'SOL 1 min', 'ETH 1 min');
  await list.getByRole('link', { name: 'ETH 1 min' }).click();
  await page.getByRole('heading', { name: /^ETH/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('sym')).toBe('ETHUSDT.P');
  // It opens as it was left, before the documents that were loaded since.
  await list.getByText('3 of 50').waitFor();
  expect(trouble).toEqual([]);
  await close();
});

test('opens on a click that the page could not answer yet, because its code had not arrived', async () => {
  const { page, trouble, list, close } = await open();
  const isClicked = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]*\.js/, async (route) => {
    await isClicked.promise;
    await route.continue();
  });
  await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
  isClicked.resolve();

  await list.getByText('Your watchlist is empty').waitFor();
  expect(trouble).toEqual([]);
  await close();
});

test('is a dialog on phones, which a row closes', async () => {
  const { page, trouble, close } = await open(PHONE);
  await page.goto(`${kat.url}/kat`);
  await waitUntilVisitor(page);
  await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Watchlist' });
  await dialog.getByRole('button', { name: 'Watch BTC 1 min' }).click();
  await expectNames(dialog, 'BTC 1 min');
  await dialog.getByRole('img', { name: /^80% range/ }).waitFor();
  expect(await overflowOf(page)).toBe(0);
  expect(Math.min(...(await heightsIn(dialog)))).toBeGreaterThanOrEqual(44);
  expect(await axeViolations(page, 'dialog')).toEqual([]);

  await dialog.getByRole('link', { name: 'BTC 1 min' }).click();

  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('sym')).toBe('BTCUSDT.P');
  expect(trouble).toEqual([]);
  await close();
});

test('opens beside the chart, and follows the stars in the lists of symbols until it is closed', async () => {
  const { page, trouble, list, close } = await open();
  await page.goto(`${kat.url}/kat`);
  await waitUntilVisitor(page);
  await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
  await list.getByText('Your watchlist is empty').waitFor();

  await page.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByTitle('Watch SOL 1 min (Shift+Enter)').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+Enter');
  await page.getByRole('option', { name: /^BTC.*on your watchlist/ }).waitFor();
  // The hint below the list changes with the pointer; the star stays under it.
  const star = page.getByTitle('Watch SOL 1 min (Shift+Enter)');
  const place = await star.boundingBox();
  await star.hover();
  await page.getByText('Watch SOL 1 min Shift Enter').waitFor();
  expect(await star.boundingBox()).toEqual(place);
  await star.click();
  await expectNames(list, 'BTC 1 min', 'SOL 1 min');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await list.getByText('2 of 50').waitFor();

  await list.getByRole('button', { name: 'Close the watchlist' }).click();
  await list.waitFor({ state: 'detached' });
  if (isNight) {
    await page.reload();
    await waitUntilVisitor(page);
    expect(await list.count()).toBe(0);
  }
  expect(trouble).toEqual([]);
  await close();
});
