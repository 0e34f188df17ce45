/** News in a real browser: locked for visitors, a list for those signed in, three headlines on the home page. */
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { axeViolations, overflowOf } from '../support/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { PASSWORD, readDownTo, signIn, watchTrouble } from '../support/site-driver.ts';

const ARTICLES = '**/rest/v1/news_articles*';
/** The list that is looked at, among all there is on its page. */
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
const VIEWS = [
  ['wide, dark', WIDE, true],
  ['phone, light', PHONE, false],
] as const;

let kat: SharedKat;
let browser: Browser;
let visitor: BrowserContext;
let member: BrowserContext;

beforeAll(async () => {
  kat = await sharedKat('demo');
  browser = await launchChromium();
  visitor = await browser.newContext();
  member = await browser.newContext();
  const page = await member.newPage();
  await signIn(page, kat.url, 'free@example.com');
  await page.close();
});

afterAll(async () => {
  await browser?.close();
});

interface Visit {
  viewport?: typeof WIDE;
  isDark?: boolean;
  /** Whose cookies; default: of one who is signed in. */
  who?: BrowserContext;
  answer?: (route: Route) => Promise<unknown>;
}

async function open({ viewport = WIDE, isDark = true, who = member, answer }: Visit) {
  const page = await who.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/news_articles') && asked.push(request.url()));
  page.on('dialog', (dialog) => expect.fail(`a script ran: ${dialog.message()}`));
  if (answer !== undefined) await page.route(ARTICLES, answer);
  return { page, asked, close: () => page.close() };
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

async function newsOf(page: Page, path = '/kat', heading = 'Current News') {
  await page.goto(kat.url + path);
  const panel = page.getByRole('region', { name: heading });
  await readDownTo(page, panel.getByRole('heading', { name: heading }));
  await panel.scrollIntoViewIfNeeded();
  await panel.evaluate((element) => element.setAttribute('data-looked-at', ''));
  const height = async () => Math.round((await panel.boundingBox())?.height ?? 0);
  return { panel, height, titles: panel.getByRole('heading', { level: 3 }) };
}

function hrefsOf(panel: Locator): Promise<string[]> {
  return panel.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

test.each(VIEWS)('visitors see a locked preview, and nothing is asked for (%s)', async (_what, viewport, isDark) => {
  const { page, asked, close } = await open({ viewport, isDark, who: visitor });
  const trouble = watchTrouble(page, kat.url);
  const { panel } = await newsOf(page);

  await panel.getByText('Sign in to view live crypto news for free').waitFor();

  expect(await hrefsOf(panel)).toEqual(['/auth/signin?next=%2Fkat', '/auth/signup?next=%2Fkat']);
  expect(await panel.locator('[inert]').first().textContent()).toMatch(/^Sample/);
  expect(asked).toEqual([]);
  expect(await axeViolations(page, PANEL)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(trouble).toEqual([]);
  await close();
});

test('the way in leads back to the news', async () => {
  const who = await browser.newContext();
  const { page, close } = await open({ who, answer: (route) => route.fulfill({ json: rows(12) }) });
  const { panel, height } = await newsOf(page);
  await panel.getByText('Sign in to view').waitFor();
  const locked = await height();
  await panel.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('free@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/kat');

  await panel.getByText('Bitcoin story 0').waitFor();

  expect(await height()).toBe(locked);
  await close();
});

test.each(VIEWS)('four articles, then three more with each click, by key too (%s)', async (_what, viewport, isDark) => {
  const { page, close } = await open({ viewport, isDark, answer: (route) => route.fulfill({ json: rows(12) }) });
  const trouble = watchTrouble(page, kat.url);
  const { panel, titles } = await newsOf(page);
  await titles.first().waitFor();
  await expect.poll(() => panel.getByText('simulated').count()).toBe(1);
  expect(await axeViolations(page, PANEL)).toEqual([]);
  const counts = [await titles.count()];
  const more = panel.getByRole('button', { name: 'Load More News' });

  while ((await more.count()) > 0) {
    await more.focus();
    await page.keyboard.press('Enter');
    counts.push(await titles.count());
  }

  expect(counts).toEqual([4, 7, 10, 12]);
  await panel.getByRole('button', { name: 'Banking' }).click();
  expect(await titles.allTextContents()).toEqual([1, 3, 5, 7].map((n) => `A bank tells story ${n}`));
  expect(await overflowOf(page)).toBe(0);
  expect(trouble).toEqual([]);
  await close();
});

test.each([
  ['wide', WIDE, 482],
  ['phone', PHONE, 938],
])('hostile articles are words in cards of one height (%s)', async (_what, viewport, kept) => {
  const { page, close } = await open({ viewport, answer: (route) => route.fulfill({ json: hostileRows() }) });
  const { panel, titles, height } = await newsOf(page);
  await titles.first().waitFor();

  expect((await titles.allTextContents()).map((text) => text.slice(0, 20))).toEqual(
    HOSTILE.map((text) => text.slice(0, 20)),
  );
  expect(await hrefsOf(panel)).toEqual(['https://news.example/0']);
  await expect.poll(() => panel.locator('li svg').count()).toBe(4);
  const cards = await panel
    .getByRole('listitem')
    .evaluateAll((all) => all.map((card) => [card.clientHeight, card.scrollHeight]));
  for (const [own, needed] of cards) expect(needed).toBe(own);
  expect(new Set(cards.map(([own]) => own)).size).toBe(1);
  expect(await height()).toBe(kept);
  const ages = await panel
    .locator('li time')
    .evaluateAll((all) =>
      all.map((age) => (age.closest('li')?.getBoundingClientRect().right ?? 0) - age.getBoundingClientRect().right),
    );
  expect(Math.min(...ages)).toBeGreaterThan(0);
  expect(await overflowOf(page)).toBe(0);
  await close();
});

test('waiting, none and failed stand in the same place, until Retry', async () => {
  const held = Promise.withResolvers<void>();
  let answer: object[] | null = [];
  const { page, close } = await open({
    isDark: false,
    answer: async (route) => {
      await held.promise;
      await (answer === null ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: answer }));
    },
  });
  const { panel, titles, height } = await newsOf(page);
  await panel.getByText('Loading news...').waitFor();
  const heights = [await height()];
  held.resolve();
  await panel.getByText('No news data available').waitFor();
  heights.push(await height());
  expect(await axeViolations(page, PANEL)).toEqual([]);

  answer = null;
  await page.reload();
  await panel.getByText('No news data available').waitFor();
  heights.push(await height());
  answer = rows(12);
  await panel.getByRole('button', { name: 'Retry' }).click();
  await titles.first().waitFor();
  heights.push(await height());

  expect(new Set(heights).size).toBe(1);
  await close();
});

test.each(VIEWS)('the home page has the three newest, for everybody (%s)', async (_what, viewport, isDark) => {
  const held = Promise.withResolvers<void>();
  const { page, asked, close } = await open({
    viewport,
    isDark,
    who: visitor,
    answer: async (route) => {
      await held.promise;
      await route.fulfill({ json: [...hostileRows().slice(0, 2), aRow(5)] });
    },
  });
  const { panel, titles, height } = await newsOf(page, '/', 'Trending Now');
  await panel.getByText('Loading news...').waitFor();
  const waiting = await height();
  held.resolve();
  await titles.first().waitFor();

  expect(decodeURIComponent(new URL(asked[0] ?? '').search)).toMatch(/select=id,title,url,site,published_at&.*limit=3/);
  await expect.poll(() => titles.count()).toBe(3);
  const link = panel.getByRole('link', { name: 'A bank tells story 5' });
  expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ]);
  expect(await panel.getByText('Markets').count()).toBeGreaterThan(0);
  expect(await panel.getByText('Banking').count()).toBe(0);
  expect(await panel.getByText('5h ago').getAttribute('title')).toMatch(/\d/);
  expect(await height()).toBe(waiting);
  expect(await axeViolations(page, PANEL)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await close();
});

test('no news on the home page are said to be none, whether there are none or they fail', async () => {
  let status = 200;
  const { page, close } = await open({ who: visitor, answer: (route) => route.fulfill({ status, json: [] }) });
  const { panel, height } = await newsOf(page, '/', 'Trending Now');
  await panel.getByText('No news available').waitFor();
  const empty = await height();

  status = 503;
  await page.reload();
  await panel.getByRole('button', { name: 'Retry' }).waitFor();

  await expect.poll(() => panel.getByText('No news available').count()).toBe(1);
  expect(await height()).toBe(empty);
  await close();
});

test('the sandbox news come whole: twelve with pictures of our own, three on the home page', async () => {
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

  const home = await newsOf(page, '/', 'Trending Now');
  await home.titles.first().waitFor();
  expect(await home.titles.allTextContents()).toEqual(newest);
  expect(await hrefsOf(home.panel)).toEqual(addresses.slice(0, 3));
  expect(trouble).toEqual([]);
  await close();
});
