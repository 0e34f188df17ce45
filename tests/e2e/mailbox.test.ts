/**
 * Tests the development mailbox in a browser: reading and following the site's emails under its content security
 * policy.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { overflowOf } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { codeIn, siteMailTo } from '../support/wire/mailbox.ts';
import { newAccount } from '../support/worlds/new-accounts.ts';

let kat: SharedKat;
let browser: Browser;
beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

test('finds an email by address, shows its text and HTML at both widths, and follows its button', async () => {
  const { email } = await newAccount(kat.url);
  const mail = await siteMailTo(kat.url, email);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 844 } })).newPage();
  const trouble = watchTrouble(page, kat.url);

  await page.goto(`${kat.url}/dev/mailbox`);
  await page.getByRole('heading', { level: 1, name: 'Development mailbox - no mail leaves this machine' }).waitFor();
  await page.getByLabel('Sent to').fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: mail.subject }).click();
  await page.getByRole('link', { name: 'As text' }).click();
  const text = await page.locator('pre').textContent();
  await page.getByRole('link', { name: 'As HTML' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByText(codeIn(mail)).waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => overflowOf(page), { message: `${width} px` }).toBe(0);
  }
  await frame.getByRole('link', { name: 'Confirm my address' }).click();
  await page.waitForURL((url) => url.origin === kat.url && url.pathname === '/');

  expect(text).toContain(codeIn(mail));
  expect(trouble).toEqual([]);
  await page.context().close();
});
