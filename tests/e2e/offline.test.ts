/** Being offline is a state: one strip says so, and a page that had not loaded comes with the network. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations } from '../support/browser/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
});

test('shows a page that had not loaded, with its styles, once the network is back', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/error_logs')) reports.push(request.postData() ?? '');
  });
  const strip = page.waitForResponse((response) => response.url().includes('/offline-strip-'));
  await page.goto(`${kat.url}/about`);
  await strip;

  await context.setOffline(true);
  await page.getByText(/^You’re offline since \d\d:\d\d/).waitFor();
  await page.getByRole('link', { name: 'Pricing', exact: true }).first().click();
  await page.getByRole('heading', { name: 'You’re offline', level: 1 }).waitFor();
  await page.getByText('This page comes when you’re back.').waitFor();
  expect(await axeViolations(page, 'body')).toEqual([]);

  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/pricing');
  expect(await page.getByText(/^You’re offline since/).count()).toBe(0);
  expect(reports).toEqual([]);
  await context.close();
});
