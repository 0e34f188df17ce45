/** Tests the offline page of an installed app. In a tab no service worker handles requests. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { waitUntilVisitor } from '../support/browser/site-driver.ts';
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

const scopes = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));

test('shows the installed app’s offline page in the chosen theme, and resumes once the network is back', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_INTERNET_DISCONNECTED'))
      complaints.push(message.text());
  });
  await page.addInitScript(() => localStorage.setItem('darkMode', 'false'));
  await page.goto(`${kat.url}/ai-models`);
  // Going offline must not cut off requests that the page is still making.
  await waitUntilVisitor(page);
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  expect(await scopes(page)).toEqual([]);

  // The page listens only after its first frame, so the event is repeated until the worker is registered.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
      return scopes(page);
    })
    .toEqual([`${kat.url}/`]);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await context.setOffline(true);
  await page.goto(`${kat.url}/gallery?from=app`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('No connection to Kat');
  const drawn = await page.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    ground: getComputedStyle(document.body).backgroundColor,
    isPictureThere: (document.images[0]?.naturalWidth ?? 0) > 0,
  }));
  expect(drawn).toEqual({ theme: 'light', ground: 'rgb(246, 247, 249)', isPictureThere: true });

  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
  expect(page.url()).toBe(`${kat.url}/gallery?from=app`);
  expect(complaints).toEqual([]);
  await context.close();
});
