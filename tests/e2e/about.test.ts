/**
 * Tests /about in a real browser: sample and operator donation addresses, copying, a refused clipboard and failed
 * settings.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteSettingsSchema } from '#domain/site/site-settings.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { expectBriefly } from '../support/browser/page-clock.ts';
import { nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { startAndFail, startKat } from '../support/servers/kat-server.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const COINS = ['BTC', 'ETH', 'SOL', 'DOGE', 'LTC', 'XRP'];
/** R-SITE-11 */
const COPIED_MS = 1600;
/** R-SITE-8 */
const TOAST_MS = 2000;
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const XRP = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

let folder: string;
let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kat-about-'));
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(path: string, options: BrowserContextOptions & { url?: string; canCopy?: boolean } = {}) {
  const { url = kat.url, canCopy = true, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...rest });
  if (canCopy) await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  const trouble = watchTrouble(page, url);
  await page.goto(`${url}${path}`);
  const donate = page.locator('#donate');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  return { page, donate, copied, trouble, close: () => context.close() };
}

test('shows six labelled sample coins with pictures at /about#donate and confirms a copy briefly', async () => {
  const { page, donate, copied, trouble, close } = await open('/about#donate');

  await donate.getByRole('button', { name: 'Copy BTC address' }).waitFor();
  const top = await donate.evaluate((section) => section.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(300);
  await donate.getByText('No real addresses are set yet.').waitFor();
  for (const coin of COINS) {
    const picture = donate.getByRole('img', { name: `QR code of the ${coin} address` });
    expect(await picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
  }
  const samples = await donate.locator('code', { hasText: 'Demo address - do not send' }).count();
  expect(samples).toBe(6);
  await expect.poll(() => donate.getByRole('button', { name: 'Copy XRP destination tag' }).count()).toBe(1);

  await expectBriefly(page, donate.getByRole('button', { name: 'Copied BTC address' }), COPIED_MS, () =>
    donate.getByRole('button', { name: 'Copy BTC address' }).click(),
  );
  expect(await copied()).toBe('Demo address - do not send');
  await page.getByRole('main').getByRole('link', { name: 'Terms and privacy' }).click();
  await page.waitForURL(`${kat.url}/legal`);
  expect(trouble).toEqual([]);
  await close();
});

test('reports a copy error when the browser denies the clipboard or has none', async () => {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await page.goto(`${kat.url}/about#donate`);
  const message = page.getByText('Copy failed. Please try again.');
  const copy = page.locator('#donate').getByRole('button', { name: 'Copy ETH address' });
  await copy.waitFor();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
  });

  await expectBriefly(page, message, TOAST_MS, () => copy.click());
  expect(await page.locator('#donate').getByText('Copied').count()).toBe(0);
  await page.evaluate(() => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }));

  await expectBriefly(page, message, TOAST_MS, () => copy.click());
  expect(await page.locator('#donate').getByText('Copied').count()).toBe(0);
  await page.context().close();
});

nightTest("shows only the operator's own addresses and copies the XRP destination tag", async () => {
  const file = join(folder, 'site.json');
  const donations = [
    { ticker: 'BTC', address: BTC },
    { ticker: 'XRP', address: XRP, memo: '12345' },
  ];
  writeFileSync(file, JSON.stringify({ operatorName: 'Ada Example', donations }));
  const own = await startKat({ env: { SITE_FILE: file } });
  const { page, donate, copied, trouble, close } = await open('/about', { url: own.url });

  await page.getByText('Ada Example').waitFor();
  await donate.getByText(BTC).waitFor();
  expect(await page.getByText('Demo address - do not send').count()).toBe(0);
  await expect.poll(() => donate.getByRole('img').count()).toBe(2);
  await donate.getByRole('button', { name: 'Copy XRP destination tag' }).click();
  await expect.poll(copied).toBe('12345');
  await donate.getByRole('button', { name: 'Copy XRP address' }).click();
  await expect.poll(copied).toBe(XRP);
  expect(trouble).toEqual([]);
  await close();
  await own.dispose();
});

test("reports failed settings, and shows only the operator's addresses after Retry, at every width", async () => {
  const context = await browser.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: kat.url });
  const page = await context.newPage();
  const settings = siteSettingsSchema.parse(await (await fetch(`${kat.url}/site.json`)).json());
  const ownAddress = (ticker: string, change: object) =>
    settings.donations.filter((donation) => donation.ticker === ticker).map((donation) => ({ ...donation, ...change }));
  const donations = [...ownAddress('BTC', { address: BTC }), ...ownAddress('XRP', { address: XRP, memo: '12345' })];
  let isBusy = true;
  await page.route('**/site.json', (route) =>
    isBusy
      ? route.fulfill({ status: 503, body: '<html>busy</html>' })
      : route.fulfill({ json: { ...settings, operatorName: 'Ada Example', donations } }),
  );
  await page.goto(`${kat.url}/about#donate`);
  const donate = page.locator('#donate');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await donate.getByText('We couldn’t load the donation addresses').waitFor();
  await page.getByText('We couldn’t load the names and links').waitFor();
  isBusy = false;

  await donate.getByRole('button', { name: 'Retry' }).click();

  await donate.getByText(BTC).waitFor();
  await page.getByText('Ada Example').waitFor();
  await expect.poll(() => donate.getByRole('img').count()).toBe(2);
  await donate.getByRole('button', { name: 'Copy XRP destination tag' }).click();
  await expect.poll(copied).toBe('12345');
  await donate.getByRole('button', { name: 'Copy XRP address' }).click();
  await expect.poll(copied).toBe(XRP);
  for (const width of [360, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await nextFrames(page);
    expect(await overflowOf(page), `${width}`).toBe(0);
  }
  await context.close();
});

nightTest('refuses to start on an invalid SITE_FILE and names the field', async () => {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, JSON.stringify({ donations: [{ ticker: 'BTC', address: XRP }] }));

  const { code, output } = await startAndFail({ dataDir: join(folder, 'data'), env: { SITE_FILE: file } });

  expect(code).not.toBe(0);
  expect(output).toContain('donations.0.address: does not look like an address of this coin');
  expect(output).not.toContain('    at ');
});
