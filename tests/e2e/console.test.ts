/** Checks that a working page logs nothing to the browser's console, for visitors and admins. */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHED_HEADER } from '#domain/errors/shed.ts';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { signIn } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

/** The number of pages opened at the same time. */
const TABS = 2;
const POLL_MS = 250;
const PATHS: readonly string[] = [...SITE_ROUTES.map(({ path }) => path), '/no/such/page'];
/** Chromium logs every document with status 404 as a failed resource. */
const NOT_FOUND = /^Failed to load resource: the server responded with a status of 404 .*\/no\/such\/page$/;

let kat: SharedKat;
let browser: Browser;
beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});
afterAll(() => browser.close());

/** @returns everything that any page wrote to the console, as `path: level: text` */
async function consoleOf(context: BrowserContext): Promise<string[]> {
  const lines: string[] = [];
  /** Refused because the machine was busy; Chromium logs that as well. */
  const shed = new Set<string>();
  const left = [...PATHS];
  const work = async (): Promise<void> => {
    const page = await context.newPage();
    let path: string | undefined;
    page.on('pageerror', (error) => lines.push(`${path}: uncaught: ${error.message}`));
    page.on('response', (response) => {
      if (response.headers()[SHED_HEADER] !== undefined) shed.add(response.url());
    });
    page.on('console', (message) => {
      if (shed.has(message.location().url)) return;
      const text = `${message.text()} ${message.location().url}`.trim();
      if (!NOT_FOUND.test(text)) lines.push(`${path}: ${message.type()}: ${text}`);
    });
    for (path = left.shift(); path !== undefined; path = left.shift()) {
      for (let answer = await page.goto(kat.url + path); answer?.headers()[SHED_HEADER] !== undefined; ) {
        await page.waitForTimeout(1000);
        answer = await page.goto(kat.url + path);
      }
      await page.waitForFunction(() => document.querySelector('main h1') !== null);
      // Long enough for the requests a page makes immediately. Later messages appear in some runs only.
      await page.waitForTimeout(POLL_MS);
    }
  };
  await Promise.all(Array.from({ length: TABS }, work));
  return lines;
}

test('keeps the console empty on every page for a visitor', async () => {
  const context = await browser.newContext();

  expect(await consoleOf(context)).toEqual([]);
  await context.close();
});

test('keeps the console empty on every page for a signed-in admin', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, kat.url, 'admin@example.com');
  await page.close();

  expect(await consoleOf(context)).toEqual([]);
  await context.close();
});
