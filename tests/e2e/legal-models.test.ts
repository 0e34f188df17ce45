/** /legal and the words, warning and film of /ai-models in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { axeViolations, overflowOf } from '../support/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { readDownTo, watchTrouble } from '../support/site-driver.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(path: string, width: number, isDark: boolean): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  await page.goto(kat.url + path);
  return page;
}

test.each([
  ['/legal', 1440, true],
  ['/legal', 360, false],
  ['/ai-models', 1440, false],
  ['/ai-models', 360, true],
])('%s on %i pixels (dark: %s) has no fault that axe finds, and nothing sticks out', async (path, width, isDark) => {
  const page = await open(path, width, isDark);
  const trouble = watchTrouble(page, kat.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (path === '/ai-models') await readDownTo(page, page.getByRole('heading', { name: 'How well they forecast' }));

  expect(await axeViolations(page, 'main')).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('a line of the contents leads to its section, below the header', async () => {
  const page = await open('/legal', 1440, true);

  await page.getByRole('link', { name: 'What is kept in your browser' }).click();

  const heading = page.getByRole('heading', { name: /What is kept in your browser/ });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeLessThan(200);
  expect((await heading.boundingBox())?.y).toBeGreaterThan(56);
  expect(new URL(page.url()).hash).toBe('#privacy-browser');
  await page.context().close();
});

test('the models page names each model with its picture, warns, and leads to the gallery', async () => {
  const page = await open('/ai-models', 1440, true);

  expect(await page.getByRole('complementary', { name: 'What these forecasts cannot do' }).isVisible()).toBe(true);
  const guide = page.getByRole('region', { name: 'The three models' });
  await expect.poll(() => guide.locator('li > svg').count()).toBe(3);
  await page.getByRole('link', { name: 'View Prediction Gallery' }).click();
  await page.waitForURL('**/gallery');
  await page.context().close();
});

test('the film is not loaded before it is asked for, then plays, with captions', async () => {
  const page = await open('/ai-models', 1440, true);
  const trouble = watchTrouble(page, kat.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await readDownTo(page, page.getByRole('heading', { name: 'How well they forecast' }));
  const video = page.locator('video');
  expect(asked).not.toContain('/films/models.mp4');

  await video.evaluate((element: HTMLVideoElement) => element.play());

  const state = () =>
    video.evaluate((element: HTMLVideoElement) => {
      const [track] = element.textTracks;
      return { seconds: element.currentTime, mode: track?.mode ?? '', cues: track?.cues?.length ?? 0 };
    });
  await expect.poll(async () => (await state()).seconds, { timeout: 15_000 }).toBeGreaterThan(1);
  await expect.poll(async () => (await state()).cues, { timeout: 15_000 }).toBeGreaterThan(3);
  expect((await state()).mode).toBe('showing');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('words, warning and film stand there without a script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();

  await page.goto(`${kat.url}/ai-models`);
  await expect.poll(() => page.getByText('533,412 parameters', { exact: false }).count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'What these forecasts cannot do' }).isVisible()).toBe(true);
  await expect.poll(() => page.locator('video[controls] track[kind="captions"]').count()).toBe(1);

  await page.goto(`${kat.url}/legal`);
  expect(await page.getByText('A template, to be reviewed by the operator.').isVisible()).toBe(true);
  await context.close();
});
