/** Tests the gallery in a real browser: its pictures load, follow the theme, keep their place and fit every screen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(width: number): Promise<{ page: Page; trouble: string[]; fetched: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  const fetched = watchPictures(page);
  await page.goto(`${kat.url}/gallery`);
  await page.getByRole('heading', { name: 'Prediction Gallery' }).waitFor();
  return { page, trouble, fetched };
}

/** Scrolls past every picture, as a reader does, and waits until each has loaded. */
async function loadPictures(page: Page): Promise<string[]> {
  const pictures = page.getByRole('main').getByRole('img');
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    const element = await picture.elementHandle();
    await page.waitForFunction((img) => img instanceof HTMLImageElement && img.naturalWidth === 800, element);
  }
  return Promise.all((await pictures.all()).map(async (picture) => (await picture.getAttribute('src')) ?? ''));
}

/** @returns the paths of the requested pictures, one entry for each request */
function watchPictures(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/gallery/')) paths.push(pathname);
  });
  return paths;
}

/** Five examples, each with a picture of its prediction and one of its outcome. */
const PICTURES = 5 * 2;

/** Each theme with one of the widths. The daytime run changes theme and colours on one page, below. */
const CHOICES = [
  ['dark', 'standard', 'dark', 360],
  ['light', 'standard', 'light', 768],
  ['dark', 'colour-blind', 'dark-cb', 2560],
  ['light', 'colour-blind', 'light-cb', 1440],
] as const;

test.each(isNight ? CHOICES : [])(
  '%s, %s: fetches only the pictures of that theme (%s), each once, without overflow at %i pixels',
  async (theme, palette, file, width) => {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    await context.addInitScript(
      ([darkMode, colourBlind]) => {
        localStorage.setItem('darkMode', darkMode);
        localStorage.setItem('colourBlind', colourBlind);
      },
      [String(theme === 'dark'), String(palette === 'colour-blind')] as const,
    );
    const page = await context.newPage();
    const trouble = watchTrouble(page, kat.url);
    const fetched = watchPictures(page);
    await page.goto(`${kat.url}/gallery`);

    const sources = await loadPictures(page);

    expect(sources).toHaveLength(PICTURES);
    expect(sources.every((source) => source.endsWith(`-${file}.svg`))).toBe(true);
    expect(fetched.toSorted()).toEqual(sources.toSorted());
    expect(await overflowOf(page)).toBe(0);
    expect(trouble).toEqual([]);
    await context.close();
  },
);

test('shows the light pictures on the light page before any external script runs', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  const fetched = watchPictures(page);
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${kat.url}/gallery`);

  const sources = await loadPictures(page);

  expect(sources.every((source) => source.endsWith('-light.svg'))).toBe(true);
  expect(fetched.toSorted()).toEqual(sources.toSorted());
  await context.close();
});

test('loads each picture once after a change of theme and of colours without moving anything, and reaches both links by keyboard', async () => {
  const { page, trouble, fetched } = await open(360);
  const before = await loadPictures(page);
  expect(before).toHaveLength(PICTURES);
  expect(fetched.toSorted()).toEqual(before.toSorted());
  expect(await overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await nextFrames(page);
  const last = page.getByRole('main').getByRole('img').last();
  const placeBefore = await last.boundingBox();

  await page
    .getByRole('button', { name: /theme|light|dark/i })
    .first()
    .click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  const after = await loadPictures(page);

  expect(before.every((source) => source.endsWith('-dark.svg'))).toBe(true);
  expect(after).toEqual(before.map((source) => source.replace('-dark.svg', '-light.svg')));
  await last.scrollIntoViewIfNeeded();
  expect((await last.boundingBox())?.height).toBe(placeBefore?.height);
  await page.getByRole('switch', { name: 'Colour-blind palette' }).click();
  const recoloured = await loadPictures(page);
  expect(recoloured).toEqual(after.map((source) => source.replace('-light.svg', '-light-cb.svg')));
  expect(fetched.toSorted()).toEqual([...before, ...after, ...recoloured].toSorted());

  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Open AI Prediction' }).focus();
  await page.keyboard.press('Tab');
  expect(await main.getByRole('link', { name: 'AI Models' }).evaluate((link) => link === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  await page.waitForURL('**/ai-models');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('keeps the layout still when fonts and pictures arrive late', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  const isDrawn = Promise.withResolvers<void>();
  const held: string[] = [];
  await page.route(/\.woff2$|\/gallery\/.*\.svg$/, async (route) => {
    held.push(route.request().url());
    await isDrawn.promise;
    await route.continue();
  });
  await watchShifts(page);
  await page.goto(`${kat.url}/gallery`, { waitUntil: 'domcontentloaded' });
  await page.locator('[data-until-known]').waitFor({ state: 'detached' });
  await expect.poll(() => held.some((url) => url.includes('/inter-'))).toBe(true);
  await nextFrames(page);

  isDrawn.resolve();
  await page.waitForFunction(() => document.fonts.check('16px "Inter Variable"'));
  await loadPictures(page);

  expect(await shiftOf(page)).toBeLessThan(0.02);
  await context.close();
});

test('serves a byte range of the film with status 206', async () => {
  const film = await fetch(`${kat.url}/films/models.mp4`, { headers: { range: 'bytes=100-199' } });

  expect(film.status).toBe(206);
  expect(film.headers.get('content-type')).toBe('video/mp4');
  expect((await film.arrayBuffer()).byteLength).toBe(100);
});
