/** The gallery in a real browser: pictures that load, follow the theme, keep their place, and stand within every screen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { watchTrouble } from '../support/site-driver.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(width: number): Promise<{ page: Page; trouble: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/gallery`);
  await page.getByRole('heading', { name: 'Prediction Gallery' }).waitFor();
  return { page, trouble };
}

/** Scrolls past every picture, as a reader does, and waits until each has come. */
async function loadPictures(page: Page): Promise<string[]> {
  const pictures = page.getByRole('main').getByRole('img');
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    const element = await picture.elementHandle();
    await page.waitForFunction((img) => img instanceof HTMLImageElement && img.naturalWidth === 800, element);
  }
  return Promise.all((await pictures.all()).map(async (picture) => (await picture.getAttribute('src')) ?? ''));
}

/** Paths of the pictures that are asked for, as often as they are. */
function watchPictures(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/gallery/')) paths.push(pathname);
  });
  return paths;
}

test.each([360, 768, 2560])('on %i pixels ten pictures load, nothing sticks out', async (width) => {
  const { page, trouble } = await open(width);

  const sources = await loadPictures(page);

  expect(sources).toHaveLength(10);
  const overPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overPx).toBeLessThanOrEqual(0);
  expect(trouble).toEqual([]);
  await page.context().close();
});

const CHOICES = [
  ['dark', 'standard', 'dark'],
  ['light', 'standard', 'light'],
  ['dark', 'colour-blind', 'dark-cb'],
  ['light', 'colour-blind', 'light-cb'],
] as const;

test.each(CHOICES)(
  '%s, %s: just the ten pictures of that theme are fetched, each once',
  async (theme, palette, file) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(
      ([darkMode, colourBlind]) => {
        localStorage.setItem('darkMode', darkMode);
        localStorage.setItem('colourBlind', colourBlind);
      },
      [String(theme === 'dark'), String(palette === 'colour-blind')] as const,
    );
    const page = await context.newPage();
    const fetched = watchPictures(page);
    await page.goto(`${kat.url}/gallery`);

    const sources = await loadPictures(page);

    expect(sources).toHaveLength(10);
    expect(sources.every((source) => source.endsWith(`-${file}.svg`))).toBe(true);
    expect(fetched.toSorted()).toEqual(sources.toSorted());
    await context.close();
  },
);

test('before any script but that in the document, the light pictures stand on the light page', async () => {
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

test('another theme brings other pictures, and nothing moves', async () => {
  const { page, trouble } = await open(1440);
  const before = await loadPictures(page);
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
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('pictures that come late move nothing', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  await page.route('**/gallery/*.svg', async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement;
      for (const entry of list.getEntries()) {
        if ('value' in entry) dataset.shift = String(Number(dataset.shift ?? 0) + Number(entry.value));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${kat.url}/gallery`);

  await loadPictures(page);

  const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  expect(shift).toBeLessThan(0.02);
  await context.close();
});

test('by keyboard one comes to both pages that lead on', async () => {
  const { page } = await open(1440);
  const main = page.getByRole('main');

  await main.getByRole('link', { name: 'Open AI Prediction' }).focus();
  await page.keyboard.press('Tab');
  expect(await main.getByRole('link', { name: 'AI Models' }).evaluate((link) => link === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  await page.waitForURL('**/ai-models');
  await page.context().close();
});

test('the film is sent in the parts that a player asks for', async () => {
  const film = await fetch(`${kat.url}/films/models.mp4`, { headers: { range: 'bytes=100-199' } });

  expect(film.status).toBe(206);
  expect(film.headers.get('content-type')).toBe('video/mp4');
  expect((await film.arrayBuffer()).byteLength).toBe(100);
});
