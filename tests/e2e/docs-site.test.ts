/** Tests the documentation under /docs in a real browser: policy, search, links, both themes at two widths. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, describeShifts, overflowOf, shiftOfLateFont } from '../support/browser/page-quality.ts';
import { waitUntilVisitor, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const PAGES = [
  '/docs/',
  '/docs/guides/start',
  '/docs/guides/operate',
  '/docs/reference/http-api',
  '/docs/reference/settings',
  '/docs/reference/commands',
  '/docs/reference/performance',
  '/docs/operate/market',
  '/docs/measured/overload',
  '/docs/explanations/architecture',
];
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
});

async function open(path: string, theme: 'dark' | 'light', viewport = WIDE) {
  const context = await browser.newContext({ viewport, colorScheme: theme });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(kat.url + path);
  await waitUntilInteractive(page);
  return { page, trouble, close: () => context.close() };
}

/** The theme's own code marks the page that it has taken over. */
const waitUntilInteractive = (page: Page) =>
  page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));

test('serves its pages under the policy of ordinary pages, without an inline script or style', async () => {
  const ordinary = await fetch(`${kat.url}/healthz`);
  for (const path of PAGES) {
    const answer = await fetch(kat.url + path);
    const html = await answer.text();

    expect([answer.status, answer.headers.get('cache-control')], path).toEqual([200, 'no-cache']);
    expect(answer.headers.get('content-security-policy')).toBe(ordinary.headers.get('content-security-policy'));
    expect(html.match(/<script(?![^>]*\bsrc=)[^>]*>|<style|<[a-z][^<>]* style=/g) ?? [], path).toEqual([]);
    expect(
      html.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)?.filter((link) => !link.startsWith('href')) ?? [],
    ).toEqual([]);
  }
});

test('leads the old address of a heading to the page that it moved to', async () => {
  const page = await browser.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/docs/guides/operate#a-lost-authenticator`);
  await page.waitForURL('**/docs/operate/accounts#a-lost-authenticator');
  await page.getByRole('heading', { name: 'A lost authenticator' }).waitFor();
  expect(trouble).toEqual([]);
  await page.close();
});

/** axe takes seconds on the longest pages, so the daytime run checks one other in each theme. */
const PAGES_BY_DAY = { dark: ['/docs/'], light: ['/docs/explanations/architecture'] } as const;

test.each(['dark', 'light'] as const)('reads well in the %s theme, on a phone too', async (theme) => {
  const [first = '/docs/', ...others] = isNight ? PAGES : PAGES_BY_DAY[theme];
  const { page, trouble, close } = await open(first, theme);
  for (const path of [first, ...others]) {
    await page.setViewportSize(WIDE);
    if (path !== first) await page.goto(kat.url + path);
    await waitUntilInteractive(page);
    expect(await page.locator('html').getAttribute('data-theme')).toBe(theme);
    expect(await axeViolations(page, 'main'), path).toEqual([]);
    expect(await overflowOf(page), path).toBe(0);
    await page.setViewportSize(PHONE);
    await expect.poll(() => overflowOf(page), { message: path }).toBe(0);
  }
  expect(trouble).toEqual([]);
  await close();
});

test('puts the cells of a wide table below each other on a phone, each under the name of its column', async () => {
  const { page, close } = await open('/docs/reference/settings', 'dark', PHONE);
  const cells = await page
    .locator('tr', { hasText: 'PUBLIC_URL' })
    .first()
    .locator('td')
    .evaluateAll((all) =>
      all.map((cell) => [
        Math.round(cell.getBoundingClientRect().left),
        getComputedStyle(cell, '::before').content.replaceAll('"', ''),
      ]),
    );

  const left = cells[0]?.[0];
  expect(cells).toEqual([
    [left, 'none'],
    [left, 'default or example'],
    [left, 'what it does'],
  ]);
  await close();
});

test('keeps its first page still on a phone when the font arrives late', async () => {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const shift = await shiftOfLateFont(page, `${kat.url}/docs/`);
  expect(shift, await describeShifts(page)).toBeLessThan(0.01);
  await context.close();
});

test('finds a page by its words without any request to elsewhere', async () => {
  const { page, trouble, close } = await open('/docs/', 'dark');

  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('restore a backup');
  const result = page.getByRole('option', { name: /Backups.*Test a restore/ }).first();
  await result.waitFor();
  await result.click();

  await page.waitForURL('**/docs/operate/backups#test-a-restore');
  expect(trouble).toEqual([]);
  await close();
});

test('is linked in the footer, and leads back to Kat with the same theme', async () => {
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'dark' });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/about`);
  await waitUntilVisitor(page);

  await page.getByRole('contentinfo').getByRole('link', { name: 'Documentation' }).click();
  await page.waitForURL('**/docs/');
  await waitUntilInteractive(page);
  await page.getByRole('button', { name: 'Dark or light theme' }).click();
  await page.getByRole('link', { name: 'Open Kat' }).click();

  await page.waitForURL(`${kat.url}/`);
  await page.locator('html[data-theme="light"]').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('answers an address without a page with 404', async () => {
  expect((await fetch(`${kat.url}/docs/no/such/page`)).status).toBe(404);
  expect((await fetch(`${kat.url}/docs`, { redirect: 'manual' })).headers.get('location')).toBe('/docs/');
});
