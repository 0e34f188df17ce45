/**
 * Checks that a working page logs nothing to the browser's console, for visitors and admins. public-pages.test.ts checks
 * it for a visitor on every page that search engines find, accounts-and-routes.test.ts on those that it opens.
 */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundRoutes, SITE_ROUTES, type SiteRoute } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { watchArrival } from '../support/browser/page-quality.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

/** The number of pages opened at the same time. */
const TABS = 2;
const MISSING = '/no/such/page';
const FOUND = new Set(foundRoutes().map(({ path }) => path));
/** By day accounts-and-routes.test.ts opens these pages, and checks their console too. */
const OF_OTHERS = /^\/(popout|auth\/.*|account\/(notifications|activity))$/;
/** A visitor is sent from the pages of accounts to the sign-in page. */
const OF_VISITORS = ({ path, access }: SiteRoute): boolean => !FOUND.has(path) && access !== 'signed-in';
/** The header differs on the other pages too, but not from one of them to the next. */
const OF_ACCOUNTS = ({ path, access }: SiteRoute): boolean => access === 'signed-in' || ['/', '/kat'].includes(path);
/** Chromium logs every document with status 404 as a failed resource. */
const NOT_FOUND = /^Failed to load resource: the server responded with a status of 404 .*\/no\/such\/page$/;

let kat: SharedKat;
let browser: Browser;
beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});
afterAll(() => browser.close());

/** @returns everything that any page wrote to the console, as `path: level: text` */
async function consoleOf(context: BrowserContext, isVisited: (route: SiteRoute) => boolean): Promise<string[]> {
  const lines: string[] = [];
  const left = [
    ...SITE_ROUTES.filter((route) => isNight || (isVisited(route) && !OF_OTHERS.test(route.path))).map(
      ({ path }) => path,
    ),
    MISSING,
  ];
  const work = async (): Promise<void> => {
    const page = await context.newPage();
    let path: string | undefined;
    page.on('pageerror', (error) => lines.push(`${path}: uncaught: ${error.message}`));
    page.on('console', (message) => {
      const text = `${message.text()} ${message.location().url}`.trim();
      if (!NOT_FOUND.test(text)) lines.push(`${path}: ${message.type()}: ${text}`);
    });
    for (path = left.shift(); path !== undefined; path = left.shift()) {
      const arrival = watchArrival(page);
      await page.goto(kat.url + path);
      await page.waitForFunction(() => document.querySelector('main h1') !== null);
      await arrival();
    }
  };
  await Promise.all(Array.from({ length: TABS }, work));
  return lines;
}

test('keeps the console empty on every page for a visitor', async () => {
  const context = await browser.newContext();

  expect(await consoleOf(context, OF_VISITORS)).toEqual([]);
  await context.close();
});

test('keeps the console empty on every page for a signed-in admin', async () => {
  const context = await signedInContext(browser, kat.url, 'admin@example.com');

  expect(await consoleOf(context, OF_ACCOUNTS)).toEqual([]);
  await context.close();
});
