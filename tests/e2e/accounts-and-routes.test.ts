/** Tests sign-up, session persistence, sign-out, and every route of the route table with its guard. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, leftEdges, nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, signIn, signOut, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { type Account, newAccount } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const DAY_MS = 24 * 60 * 60_000;

let kat: SharedKat;
let browser: Browser;
let account: Account;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  account = await newAccount(kat.url);
});

afterAll(async () => {
  await browser?.close();
});

async function newPage(width = 1440): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  return context.newPage();
}

/** @returns everything that the page writes to the console: console.test.ts opens these pages at night only */
function watchConsole(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${page.url()}: ${message.type()}: ${message.text()}`));
  return lines;
}

async function expectOneEdge(page: Page, path: string): Promise<void> {
  const { logo, content } = await leftEdges(page);
  expect(content, path).toBe(logo);
}

/** Matches the sign-in page of this site only, so it compares the origin too. */
const isSignIn = (url: URL): boolean => url.origin === kat.url && url.pathname === '/auth/signin';

async function signInHere(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
}

describe('accounts', () => {
  test('signs a visitor up, keeps the session, signs out, and returns to a guarded page after a wrong password', async () => {
    const page = await newPage();
    const trouble = watchTrouble(page, kat.url, [/status of 400 .*\/auth\/v1\/token/]);

    await page.goto(`${kat.url}/auth/signup`);
    await page.getByLabel('Full name').fill('Ada Example');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign Up', exact: true }).click();
    await page.waitForURL(`${kat.url}/`);
    await page.goto(`${kat.url}/dashboard`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await signOut(page);
    await page.getByRole('link', { name: 'Sign In' }).first().waitFor();

    await page.goto(`${kat.url}/dashboard?tab=1#quota`);
    await page.waitForURL(isSignIn);
    await signInHere(page, 'ada@example.com', 'Wrong-password1');
    await page.getByText('Invalid email or password. Please check your credentials and try again.').first().waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
    await signInHere(page, 'ada@example.com');
    await page.waitForURL(`${kat.url}/dashboard?tab=1#quota`);
    expect(trouble).toEqual([]);
    await page.context().close();
  });
});

describe('browsers with a wrong clock, blocked storage or lost code', () => {
  const clocks: [string, number][] = [['a day ahead', DAY_MS]];
  if (isNight) clocks.push(['a day behind', -DAY_MS]);
  test.each(clocks)(
    'signs in once and keeps the session without cookies when the clock is %s',
    async (_how, aheadMs) => {
      const page = await newPage();
      const trouble = watchTrouble(page, kat.url);
      let tokens = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/auth/v1/token') tokens += 1;
      });
      await page.clock.setFixedTime(Date.now() + aheadMs);

      await signIn(page, kat.url, account.email);
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
      await page.goto(`${kat.url}/account/predictions`);
      await page.getByRole('heading', { level: 1, name: 'Predictions' }).waitFor();

      expect(tokens).toBe(1);
      expect(await page.context().cookies()).toEqual([]);
      expect(trouble).toEqual([]);
      await page.context().close();
    },
  );

  test('warns that the browser blocks storage and still signs in', async () => {
    const page = await newPage();
    const trouble = watchTrouble(page, kat.url);
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });

    await page.goto(`${kat.url}/auth/signin?next=%2Faccount%2Fpredictions`);
    await page.getByText('Your browser doesn’t store data for this site.').waitFor();
    await signInHere(page, account.email);
    await page.waitForURL(`${kat.url}/account/predictions`);
    await page.getByRole('heading', { level: 1, name: 'Predictions' }).waitFor();

    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['the code of the page is lost', '**/assets/reset-password-page-*.js'],
    ['the client library is lost', '**/assets/module-*.js'],
  ])('removes a link’s tokens from the address even when %s', async (_what, lost) => {
    const page = await newPage();
    let isLost = false;
    await page.route(lost, (route) => {
      isLost = true;
      return route.abort();
    });

    await page.goto(`${kat.url}/auth/reset-password?code=abc#access_token=eyJhbGciOi.eyJzdWIi.c2ln&refresh_token=r1`);
    await page.waitForURL(`${kat.url}/auth/reset-password`);

    await expect.poll(() => isLost).toBe(true);
    await page.context().close();
  });
});

describe('forms', () => {
  let page: Page;
  let lines: string[];
  beforeAll(async () => {
    page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    lines = watchConsole(page);
  });
  afterAll(() => page?.context().close());

  // In the daytime run each form is checked in one of the two themes.
  test.each([
    ['/auth/signin', 'dark'],
    ['/auth/signup', 'light'],
    ['/auth/forgot-password', 'dark'],
    ['/auth/callback?from=mail#error=access_denied&error_code=otp_expired', 'light'],
  ] as const)(
    '%s marks the empty fields as invalid, focuses the first, passes axe and logs nothing',
    async (path, byDay) => {
      await page.goto(kat.url + path);
      const submit = page.getByRole('main').locator('button[type="submit"]');
      await submit.waitFor();
      await page.getByRole('main').locator('input').last().press('Enter');

      const invalid = page.locator('[aria-invalid="true"]');
      await invalid.first().waitFor();
      expect(await invalid.first().evaluate((field) => field === document.activeElement)).toBe(true);
      for (const theme of isNight ? (['dark', 'light'] as const) : [byDay]) {
        await chooseTheme(page, theme);
        expect(await axeViolations(page, 'html')).toEqual([]);
      }
      expect(lines).toEqual([]);
    },
  );
});

describe('routes', () => {
  // public-pages.test.ts checks the prerendered routes in more detail.
  const notDrawn = SITE_ROUTES.filter((route) => route.access !== 'signed-in' && !foundRoutes().includes(route));
  const guarded = SITE_ROUTES.filter((route) => route.access === 'signed-in');
  // Other browser tests open the remaining routes; web/app/app.test.tsx opens them all.
  const openedHereOnly = ['/popout', '/auth/callback', '/auth/reset-password'];
  const guardedHereOnly = ['/account/notifications', '/account/activity'];
  const byDay = <T extends { path: string }>(routes: readonly T[], paths: readonly string[]): readonly T[] =>
    isNight ? routes : routes.filter(({ path }) => paths.includes(path));

  test('shows one heading and no 404 on public routes that are not prerendered, at the logo’s edge, at 1440 and 360 px', async () => {
    const page = await newPage();
    const [trouble, lines] = [watchTrouble(page, kat.url), watchConsole(page)];
    for (const route of byDay(notDrawn, openedHereOnly)) {
      await page.setViewportSize({ width: 1440, height: 900 });
      const answer = await page.goto(`${kat.url}${route.path}`);
      await page.locator('h1').first().waitFor();

      expect(answer?.status(), route.path).toBe(200);
      expect(await page.locator('h1').innerText(), route.path).not.toContain('404');
      expect(await page.title(), route.path).toContain('Kat');
      for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await nextFrames(page);
        expect(await page.locator('h1').count(), `${route.path} at ${width} px`).toBe(1);
        expect(await overflowOf(page), `${route.path} at ${width} px`).toBe(0);
        if (route.path !== '/popout') await expectOneEdge(page, route.path);
      }
    }
    expect([trouble, lines]).toEqual([[], []]);
    await page.context().close();
  });

  test('shows a signed-in user the heading of guarded routes, at the logo’s edge and without overflow at 360 px', async () => {
    const page = await (await signedInContext(browser, kat.url, account.email)).newPage();
    const [trouble, lines] = [watchTrouble(page, kat.url), watchConsole(page)];
    for (const route of byDay(guarded, guardedHereOnly)) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${kat.url}${route.path}`);
      await page.locator('h1').first().waitFor();

      expect(new URL(page.url()).pathname, route.path).toBe(route.path);
      expect(await page.locator('h1').innerText(), route.path).not.toContain('404');
      await expectOneEdge(page, route.path);
      await page.setViewportSize({ width: 360, height: 900 });
      await expect.poll(() => overflowOf(page), { message: route.path }).toBe(0);
      await expectOneEdge(page, route.path);
    }
    expect([trouble, lines]).toEqual([[], []]);
    await page.context().close();
  });
});
