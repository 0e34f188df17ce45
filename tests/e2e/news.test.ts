/** Tests news in a real browser: locked for visitors, a list for signed-in users, three headlines on the home page. */
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { PASSWORD, readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const ARTICLES = '**/rest/v1/news_articles*';
/** Marks the list under test among the others of its page. */
const PANEL = '[data-looked-at]';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const HOSTILE = [
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  '\u202eltr emosnar a \u05de\u05ea\u05e7\u05e4\u05d4',
  'x'.repeat(10_000),
  'A script for an address',
];
const LONG_SITE = 'Wire'.repeat(750);
const ADDRESSES = ['https://news.example/0', 'http://news.example/1', null, 'javascript:alert(3)'];
/** Height of the news on /kat, whatever they contain. */
const WIDE_PX = 482;
const PHONE_PX = 938;
const VIEWS = [
  ['wide, dark', WIDE, true],
  ['phone, light', PHONE, false],
] as const;

let kat: SharedKat;
let browser: Browser;
let member: BrowserContext;

beforeAll(async () => {
  kat = await sharedKat('demo');
  browser = await launchChromium();
  member = await signedInContext(browser, kat.url, 'free@example.com');
});

afterAll(async () => {
  await browser?.close();
});

interface Visit {
  viewport?: typeof WIDE;
  isDark?: boolean;
  /** The context whose session is used; default: a signed-in user. */
  who?: BrowserContext;
  answer?: (route: Route) => Promise<unknown>;
}

async function open({ viewport = WIDE, isDark = true, who = member, answer }: Visit) {
  const page = await who.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/news_articles') && requests.push(request.url()));
  page.on('dialog', (dialog) => expect.fail(`a script ran: ${dialog.message()}`));
  if (answer !== undefined) await page.route(ARTICLES, answer);
  return { page, requests, close: () => page.close() };
}

function aRow(n: number, change: object = {}) {
  return {
    id: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
    title: n % 2 === 0 ? `Bitcoin story ${n}` : `A bank tells story ${n}`,
    url: `https://news.example/${n}`,
    image_url: null,
    body: `What story ${n} says, in a few words. `.repeat(9),
    site: 'Sample Wire',
    published_at: new Date(Date.now() - n * 3_600_000 - 1000).toISOString(),
    ...change,
  };
}
const rows = (count: number) => Array.from({ length: count }, (_, n) => aRow(n));
const hostileRows = () =>
  HOSTILE.map((title, n) =>
    aRow(n, { title, body: title, url: ADDRESSES[n], image_url: '/news/images/gone.webp', site: LONG_SITE }),
  );

async function newsOf(page: Page, path = '/kat#news', heading = 'Current News') {
  await page.goto(kat.url + path);
  return newsOn(page, heading);
}

/** Finds the news on the page that is already open. */
async function newsOn(page: Page, heading = 'Current News') {
  const panel = page.getByRole('region', { name: heading }).and(page.locator(':not([aria-busy])'));
  await readDownTo(page, panel);
  await panel.scrollIntoViewIfNeeded();
  await panel.evaluate((element) => element.setAttribute('data-looked-at', ''));
  const height = async () => Math.round((await panel.boundingBox())?.height ?? 0);
  return { panel, height, titles: panel.getByRole('heading', { level: 3 }) };
}

function hrefsOf(panel: Locator): Promise<string[]> {
  return panel.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

test.each(isNight ? VIEWS : VIEWS.slice(0, 1))(
  'shows visitors a locked preview, and the articles once they have signed in (%s)',
  async (_what, viewport, isDark) => {
    const who = await browser.newContext();
    const { page, requests } = await open({
      viewport,
      isDark,
      who,
      answer: (route) => route.fulfill({ json: rows(12) }),
    });
    const trouble = watchTrouble(page, kat.url);
    const locked = await newsOf(page);
    await locked.panel.getByText('Sign in to view live crypto news for free').waitFor();

    expect(await hrefsOf(locked.panel)).toEqual(['/auth/signin?next=%2Fkat', '/auth/signup?next=%2Fkat']);
    expect(await locked.panel.locator('[inert]').first().textContent()).toMatch(/^Sample/);
    expect(requests).toEqual([]);
    expect(await axeViolations(page, PANEL)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    const lockedHeight = await locked.height();

    await locked.panel.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('free@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/kat');
    // On a phone the page opens with its first tab.
    if (viewport === PHONE) await page.getByRole('tab', { name: 'News' }).click();
    const { panel, titles, height } = await newsOn(page);
    await panel.getByText('Bitcoin story 0').waitFor();
    await expect.poll(() => panel.getByText('simulated').count()).toBe(1);

    expect(await height()).toBe(lockedHeight);
    expect(await axeViolations(page, PANEL)).toEqual([]);
    const more = panel.getByRole('button', { name: 'Load More News' });
    for (const count of [4, 7, 10]) {
      await expect.poll(() => titles.count()).toBe(count);
      await more.focus();
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => titles.count()).toBe(12);
    expect(await more.count()).toBe(0);
    await panel.getByRole('button', { name: 'Banking' }).click();
    await expect.poll(() => titles.allTextContents()).toEqual([1, 3, 5, 7].map((n) => `A bank tells story ${n}`));
    expect(await overflowOf(page)).toBe(0);
    expect(trouble).toEqual([]);
    await who.close();
  },
);

test('keeps one height while news load, after a failure and for hostile articles, which stay text', async () => {
  const held = Promise.withResolvers<void>();
  let answer: object[] | null = null;
  const { page, close } = await open({
    isDark: false,
    answer: async (route) => {
      await held.promise;
      await (answer === null ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: answer }));
    },
  });
  const { panel, titles, height } = await newsOf(page);
  await panel.getByText('Loading news...').waitFor();
  expect(await height()).toBe(WIDE_PX);
  held.resolve();
  await panel.getByText('No news data available').waitFor();
  const retry = panel.getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  expect(await height()).toBe(WIDE_PX);
  expect(await axeViolations(page, PANEL)).toEqual([]);
  answer = hostileRows();
  await retry.click();
  await titles.first().waitFor();

  expect((await titles.allTextContents()).map((text) => text.slice(0, 20))).toEqual(
    HOSTILE.map((text) => text.slice(0, 20)),
  );
  expect(await hrefsOf(panel)).toEqual(['https://news.example/0']);
  await expect.poll(() => panel.locator('li svg').count()).toBe(4);
  for (const [viewport, heightPx] of [
    [WIDE, WIDE_PX],
    [PHONE, PHONE_PX],
  ] as const) {
    await page.setViewportSize(viewport);
    await expect.poll(height).toBe(heightPx);
    const cards = await panel
      .getByRole('listitem')
      .evaluateAll((all) => all.map((card) => [card.clientHeight, card.scrollHeight]));
    for (const [own, needed] of cards) expect(needed).toBe(own);
    expect(new Set(cards.map(([own]) => own)).size).toBe(1);
    const ages = await panel
      .locator('li time')
      .evaluateAll((all) =>
        all.map((age) => (age.closest('li')?.getBoundingClientRect().right ?? 0) - age.getBoundingClientRect().right),
      );
    expect(Math.min(...ages)).toBeGreaterThan(0);
    expect(await overflowOf(page)).toBe(0);
  }
  await close();
});

nightTest('keeps the same height without news', async () => {
  const { page, close } = await open({ isDark: false, answer: (route) => route.fulfill({ json: [] }) });
  const { panel, height } = await newsOf(page);
  await panel.getByText('No news data available').waitFor();

  expect(await height()).toBe(WIDE_PX);
  expect(await axeViolations(page, PANEL)).toEqual([]);
  await close();
});

test('shows twelve sandbox articles with self-hosted pictures', async () => {
  const { page, close } = await open({});
  const trouble = watchTrouble(page, kat.url);
  const kinds = new Set<string | undefined>();
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/news/')) kinds.add(response.headers()['content-type']);
  });
  const { panel, titles } = await newsOf(page);
  for (const count of [4, 7, 10]) {
    await expect.poll(() => titles.count()).toBe(count);
    await panel.getByRole('button', { name: 'Load More News' }).click();
  }

  await expect.poll(() => titles.count()).toBe(12);
  expect(await panel.getByRole('button', { name: 'Load More News' }).count()).toBe(0);
  await expect.poll(() => panel.getByText('simulated').count()).toBe(1);
  const addresses = await hrefsOf(panel);
  expect(addresses).toHaveLength(12);
  expect(addresses.filter((address) => !address.startsWith('https://'))).toEqual([]);
  const pictures = panel.locator('li img');
  expect(await pictures.count()).toBeGreaterThan(5);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    expect(await picture.getAttribute('src')).toMatch(/^\/news\/images\/[\w-]+\.webp$/);
    await expect
      .poll(() => picture.evaluate((it) => it instanceof HTMLImageElement && it.naturalWidth))
      .toBeGreaterThan(0);
  }
  expect([...kinds]).toEqual(['image/webp']);
  const newest = (await titles.allTextContents()).slice(0, 3);
  expect(newest.every((title) => title.startsWith('Sample'))).toBe(true);

  // In the daytime run the test above opens the home page.
  if (isNight) {
    const home = await newsOf(page, '/', 'Trending Now');
    await home.titles.first().waitFor();
    expect(await home.titles.allTextContents()).toEqual(newest);
    expect(await hrefsOf(home.panel)).toEqual(addresses.slice(0, 3));
  }
  expect(trouble).toEqual([]);
  await close();
});
