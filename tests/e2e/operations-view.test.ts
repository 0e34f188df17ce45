/** Tests the operator's view in a real browser: what an admin sees, finds, and sees when the server is unavailable. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const PAGE = '/admin?tab=operations';
const STATE = '**/functions/v1/operations-state';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('demo');
  browser = await launchChromium();
  await report(
    'TypeError: row 17 is missing',
    'TypeError: row 17 is missing\n    at draw (https://kat.example/a.js:1:2)',
  );
  await report(
    'TypeError: row 18 is missing',
    'TypeError: row 18 is missing\n    at draw (https://kat.example/a.js:1:9)',
  );
  await report('50% of nothing', null);
});
afterAll(async () => {
  await browser?.close();
});

/** Reports an error as a visitor's page does. */
async function report(message: string, stack: string | null): Promise<void> {
  const config = z.object({ supabaseAnonKey: z.string() }).parse(await (await fetch(`${kat.url}/config.json`)).json());
  const answer = await fetch(`${kat.url}/rest/v1/error_logs`, {
    method: 'POST',
    headers: { apikey: config.supabaseAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ error_message: message, error_stack: stack, context: { path: '/kat' } }),
  });
  expect(answer.status).toBe(201);
}

async function open(email: string, viewport: { width: number; height: number }): Promise<Page> {
  const page = await (await signedInContext(browser, kat.url, email, { viewport })).newPage();
  await page.clock.install();
  await page.goto(kat.url + PAGE);
  return page;
}
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('shows an admin every part, searches errors, and keeps the last state while the server is down', async () => {
  const page = await open('admin@example.com', { width: 1440, height: 1000 });
  const trouble = watchTrouble(page, kat.url, [/operations-state/]);
  await region(page, 'Attention')
    .getByText(/Updated \d+s ago/)
    .waitFor();
  await region(page, 'Jobs').getByRole('cell', { name: 'billing-sweep' }).waitFor();
  await region(page, 'Models').getByRole('cell', { name: 'lion', exact: true }).waitFor();
  await region(page, 'Admin actions').getByRole('cell', { name: 'role.grant' }).waitFor();

  const errors = region(page, 'Page errors');
  // Pages on a busy machine may have reported errors as well.
  await errors.getByLabel('Search errors').fill('is missing');
  await errors.getByText('2 reports in 1 group.').waitFor();
  await errors.getByLabel('Search errors').fill('50%');
  await errors.getByText('1 report in 1 group.').waitFor();
  await errors.getByLabel('Search errors').fill('row 17');
  await errors.getByText('1 report in 1 group.').waitFor();
  await errors
    .getByRole('button', { name: /row 17/ })
    .or(errors.getByRole('button', { name: /row 18/ }))
    .focus();
  await page.keyboard.press('Enter');
  const stacks = errors.getByRole('region', { name: /^Stack trace of report/ });
  await stacks.first().waitFor();
  await expect.poll(() => stacks.count()).toBe(2);
  expect(await stacks.first().textContent()).toContain('at draw');

  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await chooseTheme(page, 'light');
  await expect.poll(() => overflowOf(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 1000 });
  expect(trouble).toEqual([]);

  await page.route(STATE, (route) => route.abort());
  // The page polls every fifteen seconds, and retries once after a failure.
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(16_000);
        return region(page, 'Attention').getByRole('button', { name: 'Retry' }).count();
      },
      { timeout: 2 * WAIT_MS, interval: 1000 },
    )
    .toBe(1);
  await region(page, 'Jobs').getByRole('cell', { name: 'billing-sweep' }).waitFor();
  // The button is disabled during a retry, and disappears if the retry succeeds.
  await region(page, 'Attention').getByRole('button', { name: 'Retry', disabled: false }).waitFor();
  await page.unroute(STATE);
  await region(page, 'Attention').getByRole('button', { name: 'Retry' }).click();
  await region(page, 'Attention')
    .getByText(/Updated \d+s ago/)
    .waitFor();
  await page.context().close();
});
