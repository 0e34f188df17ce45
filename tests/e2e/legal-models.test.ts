/** Tests /legal, and the text, warning and film of /ai-models, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODELS } from '#domain/forecast/models.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
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

async function open(path: string, width: number, isDark: boolean): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  await page.goto(kat.url + path);
  return page;
}

async function expectFigures(page: Page): Promise<void> {
  expect(await overflowOf(page)).toBe(0);
  const charts = await page.locator('main figure svg[role="img"]').all();
  expect(charts.length).toBeGreaterThan(0);
  for (const chart of charts) expect(await chart.getAttribute('aria-label')).toMatch(/Bobcat: .*\d/);
  expect(await page.getByRole('listitem').filter({ hasText: 'Bobcat (Kat 1)' }).count()).toBeGreaterThan(0);
}

test('passes axe on a phone at /legal, and a contents link leads to its section below the header', async () => {
  const page = await open('/legal', 360, false);
  const trouble = watchTrouble(page, kat.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await axeViolations(page, 'main')).toEqual([]);
  expect(await overflowOf(page)).toBe(0);

  await page.getByRole('link', { name: 'What is stored in your browser' }).click();

  const heading = page.getByRole('heading', { name: /What is stored in your browser/ });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeLessThan(200);
  expect((await heading.boundingBox())?.y).toBeGreaterThan(56);
  expect(new URL(page.url()).hash).toBe('#privacy-browser');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('keeps /ai-models accessible on a phone, loads its captioned film on demand, and leads to the gallery', async () => {
  const page = await open('/ai-models', 360, true);
  const trouble = watchTrouble(page, kat.url);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await readDownTo(page, page.getByText('Show the evidence'));
  await page.getByText('Show the evidence').click();
  await page.getByRole('heading', { name: 'How well they forecast' }).waitFor();
  await expectFigures(page);
  expect(await axeViolations(page, 'main')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await page.getByRole('complementary', { name: 'What these forecasts can’t do' }).isVisible()).toBe(true);
  const guide = page.getByRole('region', { name: 'The three models' });
  await expect.poll(() => guide.locator('li > svg').count()).toBe(Object.keys(MODELS).length);
  await expectFigures(page);
  const video = page.locator('video');
  expect(requests).not.toContain('/films/models.mp4');

  await video.evaluate((element: HTMLVideoElement) => element.play());

  const state = () =>
    video.evaluate((element: HTMLVideoElement) => {
      const [track] = element.textTracks;
      return { seconds: element.currentTime, mode: track?.mode ?? '', cues: track?.cues?.length ?? 0 };
    });
  await expect.poll(async () => (await state()).seconds).toBeGreaterThan(1);
  await expect.poll(async () => (await state()).cues).toBeGreaterThan(3);
  expect((await state()).mode).toBe('showing');
  await page.getByRole('link', { name: 'View Prediction Gallery' }).click();
  await page.waitForURL('**/gallery');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('serves the text, the warning and the film in the documents before any script', async () => {
  const html = await (await fetch(`${kat.url}/ai-models`)).text();

  expect(html.replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')).toContain('533,412 parameters');
  expect(html).toMatch(/<h\d[^>]*>What these forecasts can’t do/);
  expect(html).toMatch(/<video[^>]* controls/);
  expect(html).toMatch(/<track[^>]* kind="captions"/);
  expect(await (await fetch(`${kat.url}/legal`)).text()).toContain('A template, to be reviewed by the operator.');
});

nightTest('shows the text, the warning and the film of the models page without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${kat.url}/ai-models`);

  await expect.poll(() => page.getByText('533,412 parameters', { exact: false }).count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'What these forecasts can’t do' }).isVisible()).toBe(true);
  await expect.poll(() => page.locator('video[controls] track[kind="captions"]').count()).toBe(1);
  await context.close();
});
