import type { Locator, Page } from 'playwright-core';
import { WAIT_MS } from '../run/wait-limit.ts';

export const PASSWORD = 'Password1';

export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/auth/signin`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard');
}

/** Sends the form, whatever follows. */
export async function fillSignUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/auth/signup`);
  await page.getByLabel('Full name').fill('Ada Example');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign Up', exact: true }).click();
}

/** Ends on the home page, signed in. */
export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await fillSignUp(page, url, email);
  await page.waitForURL(`${url}/`);
}

/** The page is interactive and knows the visitor is signed out: the placeholder link has become the real one. */
export async function waitUntilVisitor(page: Page): Promise<void> {
  // On phones the link is inside the menu.
  await page.locator('header div:not([data-until-known]) > a[href="/auth/signup"]').waitFor({ state: 'attached' });
}

/** The bar above every page of a site whose market is simulated. */
export const simulatedBar = (page: Page): Locator => page.getByText('Simulated market: nothing here is real money');

export async function chooseModel(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).first().click();
  await page.getByRole('option', { name: label }).first().click();
}

/** Sets the theme as another tab of the same browser does. */
export async function chooseTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate(
    (isDark) => {
      localStorage.setItem('darkMode', isDark);
      dispatchEvent(new StorageEvent('storage', { key: 'darkMode' }));
    },
    String(theme === 'dark'),
  );
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
}

/** A part's code loads when its place is near, so the page is scrolled through, as a reader does. */
export async function readDownTo(page: Page, part: Locator): Promise<void> {
  for (const endsMs = Date.now() + 2 * WAIT_MS; Date.now() < endsMs && (await part.count()) === 0; ) {
    await page.evaluate(() => {
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      scrollTo({ top: isAtEnd ? 0 : scrollY + innerHeight, behavior: 'instant' });
    });
    await page.waitForTimeout(50);
  }
  await part.first().waitFor();
}

/** Records requests to paths that compute or store a prediction. */
export function watchPredictionCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(stream-kat2|history|forecast\/|functions\/v1\/(get-quota|create-prediction))/.test(pathname))
      calls.push(pathname);
  });
  return calls;
}

/**
 * Records errors of scripts, console and policy, requests to other origins, and own requests that fail.
 * @param allowed  what the test itself provokes, such as the console's line about a refused sign-in
 */
export function watchTrouble(page: Page, url: string, allowed: readonly RegExp[] = []): string[] {
  const trouble: string[] = [];
  const note = (line: string): void => {
    if (!allowed.some((pattern) => pattern.test(line))) trouble.push(line);
  };
  const isOurs = (target: string): boolean => URL.parse(target)?.origin === new URL(url).origin;
  page.on('pageerror', (error) => note(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const target = request.url();
    if (!isOurs(target) && !/^(data|blob):/.test(target)) note(`left the origin: ${target}`);
  });
  page.on('response', (response) => {
    const [target, status] = [response.url(), response.status()];
    if (isOurs(target) && status >= 500) note(`answered ${status}: ${target}`);
  });
  page.on('requestfailed', (request) => {
    // A page aborts its requests when it is left or no longer needs an answer.
    const reason = request.failure()?.errorText ?? 'unknown';
    if (isOurs(request.url()) && reason !== 'net::ERR_ABORTED') note(`failed (${reason}): ${request.url()}`);
  });
  return trouble;
}

/** Signs out by the header's menu. */
export async function signOut(page: Page): Promise<void> {
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'Account menu' }).click();
  await header.getByRole('button', { name: 'Sign Out' }).click();
}

/** A stream alone takes five seconds for fifty candles. */
const CANDLES_MS = 2 * WAIT_MS;

/**
 * Waits until the chart of the prediction panel, the first of the page, shows this many candles.
 * @throws Error that says what the panel shows instead
 */
export async function waitForCandles(page: Page, count: number, timeoutMs = CANDLES_MS): Promise<void> {
  const chart = page.locator('main [data-candle-count]').first();
  try {
    await page.waitForFunction(
      (wanted) => document.querySelector('main [data-candle-count]')?.getAttribute('data-candle-count') === wanted,
      String(count),
      { timeout: timeoutMs },
    );
  } catch (cause) {
    const shown = await chart.getAttribute('data-candle-count');
    const whole = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    const text = whole.replace(/^.*Last updated/, '').slice(0, 1000);
    throw new Error(`${shown} candles instead of ${count}: ${text}`, { cause });
  }
}
