/** Tests pages that are rendered only in the browser when it runs no scripts. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;
beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});
afterAll(() => browser.close());

const DRAWN_LATER = SITE_ROUTES.filter(({ description }) => description === null);

test.each(DRAWN_LATER)('serves one heading, $title, in the document of $path', async ({ path, title }) => {
  const html = await (await fetch(kat.url + path)).text();

  expect(html.match(/<h1>.*?<\/h1>/g)).toEqual([`<h1>${title}</h1>`]);
});

test.each(['/auth/signin', '/auth/signup', '/auth/forgot-password'])(
  'names %s and leads to the home page',
  async (path) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(kat.url + path);

    const name = SITE_ROUTES.find((route) => route.path === path)?.title ?? '';
    expect(await page.getByRole('main').getByRole('heading', { level: 1, name }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.waitForURL(`${kat.url}/`);
    await context.close();
  },
);
