/** The development mailbox in a browser: what the site sends is read and followed there, under the site's own policy. */
import { createClient } from '@supabase/supabase-js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { codeIn, siteMailTo } from '../support/mailbox.ts';
import { PASSWORD, watchTrouble } from '../support/site-driver.ts';

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string(), mail: z.literal('mailbox') });

let kat: KatServer;
let browser: Browser;
beforeAll(async () => {
  kat = await startKat();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

async function newPage(width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 } });
  return context.newPage();
}

async function signUp(email: string): Promise<void> {
  const config = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, { auth: { persistSession: false } });
  const { error } = await client.auth.signUp({ email, password: PASSWORD });
  if (error) throw error;
}

test('the address is told at the start, and the page is empty at first', async () => {
  const page = await newPage(1440);
  const trouble = watchTrouble(page, kat.url);

  await page.goto(`${kat.url}/dev/mailbox`);

  expect(kat.output()).toContain(`${kat.url}/dev/mailbox`);
  await page.getByRole('heading', { level: 1, name: 'Development mailbox - no mail leaves this machine' }).waitFor();
  await page.getByRole('heading', { name: 'No mail yet' }).waitFor();
  expect(trouble).toEqual([]);
});

test.each([1440, 390])(
  'at %i pixels a mail is found by its address, read in both forms, and its button followed',
  async (width) => {
    const email = `ada${width}@example.com`;
    await signUp(email);
    const mail = await siteMailTo(kat.url, email);
    const page = await newPage(width);
    const trouble = watchTrouble(page, kat.url);

    await page.goto(`${kat.url}/dev/mailbox`);
    await page.getByLabel('Sent to').fill(email);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: mail.subject }).click();
    await page.getByRole('link', { name: 'As text' }).click();
    const text = await page.locator('pre').textContent();
    await page.getByRole('link', { name: 'As HTML' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByText(codeIn(mail)).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await frame.getByRole('link', { name: 'Confirm my address' }).click();
    await page.waitForURL((url) => url.origin === kat.url && url.pathname === '/');

    expect(text).toContain(codeIn(mail));
    expect(overflow).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
  },
);
