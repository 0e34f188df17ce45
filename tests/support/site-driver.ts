/** What a person does on the site, for browser tests. */
import type { Page } from 'playwright-core';

export const PASSWORD = 'Password1';

export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/auth/signin`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard');
}

export async function chooseModel(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).first().click();
  await page.getByRole('option', { name: label }).first().click();
}

/** Requests to paths that make or store a prediction. */
export function watchPredictionCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(stream-kat2|history|forecast\/|functions\/v1\/)/.test(pathname)) calls.push(pathname);
  });
  return calls;
}

/** Everything a healthy page never says: script errors, policy violations, requests to other origins. */
export function watchTrouble(page: Page, url: string): string[] {
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused to/i.test(message.text()))
      trouble.push(message.text());
  });
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) trouble.push(`left the origin: ${target}`);
  });
  return trouble;
}

/** Waits until the chart of the prediction panel, the first of the page, shows this many candles. */
export async function waitForCandles(page: Page, count: number, timeoutMs = 20_000): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector('main [data-candle-count]')?.getAttribute('data-candle-count') === wanted,
    String(count),
    { timeout: timeoutMs },
  );
}
