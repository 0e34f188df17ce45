/**
 * Tests /account/security as its owner uses it: sign out a device, set up an app, download the data, delete the
 * account. Then the notifications of a device, and the activity log.
 */
import { text as textOf } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, watchTrouble } from '../support/browser/site-driver.ts';
import { expectToast, recordToasts } from '../support/browser/toasts.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newAccount, newSubscriber, proveAddress, savePrediction } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const configSchema = z.object({ supabaseAnonKey: z.string() });
const sessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() });
const exportSchema = z.object({
  ok: z.literal(true),
  exported_at: z.iso.datetime(),
  account: z.object({ email: z.string() }),
  factors: z.array(z.object({ friendly_name: z.string(), status: z.literal('verified') })),
  sessions: z.array(z.object({ user_agent: z.string() })),
  profiles: z.array(z.object({ two_factor_enabled: z.literal(true) })),
  user_predictions: z.array(z.object({ data: z.array(z.unknown()) })),
});

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
});

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

async function expectUsable(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await chooseTheme(page, theme);
  expect(await axeViolations(page, 'main')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  // Elements that measure themselves do so after the resize.
  await expect.poll(() => overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Signs in with the user agent of the phone; its page isn't needed. */
async function signInOnPhone(email: string): Promise<z.infer<typeof sessionSchema>> {
  const { supabaseAnonKey } = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());
  const answer = await fetch(`${kat.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: supabaseAnonKey, 'content-type': 'application/json', 'user-agent': PHONE },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return sessionSchema.parse(await answer.json());
}

async function tokensOf(page: Page): Promise<z.infer<typeof sessionSchema>> {
  const text = await page.evaluate(
    () => Object.entries(localStorage).find(([key]) => /^sb-.+-auth-token$/.test(key))?.[1] ?? '',
  );
  return sessionSchema.parse(JSON.parse(text));
}

async function expectRefused(accessToken: string): Promise<void> {
  const answer = await fetch(`${kat.url}/functions/v1/list-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(401);
}

/** @returns the secrets that the download must not contain */
async function setUpApp(page: Page): Promise<string[]> {
  const factors = panel(page, 'Two-factor Authentication');
  await factors.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await factors.getByLabel('Name').fill('Phone');
  await factors.getByRole('button', { name: 'Continue' }).click();
  const picture = factors.getByRole('img', { name: /QR code/ });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectUsable(page, 'dark');
  const secret = (await factors.locator('code').innerText()).replaceAll(/\s/g, '');
  await factors.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await factors.getByRole('button', { name: 'Verify' }).click();

  await factors.getByText('We show them only once.').waitFor();
  const codes = await factors.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/);
  await expectUsable(page, 'light');
  await factors.getByRole('button', { name: 'I have saved them' }).click();
  await factors.getByText('10 of 10 left').waitFor();
  await factors.getByRole('button', { name: 'Remove Phone' }).click();
  await inDialog(page, 'Keep it').click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove Phone');
  return [secret, ...codes];
}

test('signs out another device, sets up an app, downloads all data without secrets, then deletes the account', async () => {
  const owner = await newSubscriber(kat.url, 'bobcat');
  await savePrediction(kat.url, owner);
  await owner.client.auth.signOut({ scope: 'local' });
  const ofPhone = await signInOnPhone(owner.email);
  const viewport = { width: 1440, height: 900 };
  const page = await (await signedInContext(browser, kat.url, owner.email, { viewport })).newPage();
  await recordToasts(page);
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/account/security`);

  const devices = panel(page, 'Signed-in Devices');
  await devices.getByText('This device', { exact: true }).waitFor();
  await devices.getByRole('button', { name: /^Sign out Safari on iPhone at / }).click();
  await expectToast(page, 'Signed out', () => inDialog(page, 'Sign out').click());
  await expect.poll(() => devices.getByText('Safari on iPhone').count()).toBe(0);
  await expectRefused(ofPhone.access_token);

  await panel(page, 'Account Security').getByText('Off', { exact: true }).waitFor();
  const secrets = await setUpApp(page);
  await panel(page, 'Account Security').getByText('On', { exact: true }).waitFor();

  const arriving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await arriving;
  expect(download.suggestedFilename()).toMatch(/^kat-account-\d{4}-\d{2}-\d{2}\.json$/);
  const text = await textOf(await download.createReadStream());
  const data = exportSchema.parse(JSON.parse(text));
  expect(data.account.email).toBe(owner.email);
  expect(data.factors).toMatchObject([{ friendly_name: 'Phone' }]);
  expect(data.sessions).toHaveLength(1);
  expect(data.user_predictions[0]?.data).toHaveLength(200);
  const { access_token, refresh_token } = await tokensOf(page);
  for (const secret of [PASSWORD, '$2b$', access_token, refresh_token, ...secrets])
    expect(text.includes(secret), secret.slice(0, 8)).toBe(false);

  await page.getByRole('button', { name: 'Delete Account', exact: true }).click();
  const question = 'Are you sure you want to delete your account? This action cannot be undone.';
  await page.getByRole('dialog').getByText(question).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await inDialog(page, 'Delete account').click();
  const last = page.getByRole('dialog', { name: 'Delete your account for good' });
  await last.getByText('Your plan ends immediately.').waitFor();
  expect(await axeViolations(page, 'dialog[open]')).toEqual([]);
  await last.getByLabel('Your password').fill('Password2');
  await last.getByRole('button', { name: 'Delete my account' }).click();
  await last.getByText('This password is wrong. Nothing was deleted.').waitFor();
  expect(trouble).toEqual([]);
  await last.getByLabel('Your password').fill(PASSWORD);
  await expectToast(page, 'Your account was deleted.', () =>
    last.getByRole('button', { name: 'Delete my account' }).click(),
  );
  await page.waitForURL(`${kat.url}/`);
  await expectRefused(access_token);
  await page.goto(`${kat.url}/auth/signin`);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Invalid email or password. Please check your credentials and try again.').waitFor();
});

test('creates an API key, shows it once, and refuses it with 401 after revocation', async () => {
  const viewport = { width: 1440, height: 900 };
  const account = await newSubscriber(kat.url, 'bobcat');
  const context = await signedInContext(browser, kat.url, account.email, { viewport });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/account/security`);
  const keys = panel(page, 'API Keys');
  await keys.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Notebook');
  await inDialog(page, 'Create key').click();
  // Its maker may not own the address.
  await dialog.getByText('Verify your email address first. The dashboard can send you the link.').waitFor();
  await proveAddress(kat.url, account);
  await inDialog(page, 'Create key').click();
  const key = (await dialog.locator('code', { hasText: /^kat_/ }).textContent()) ?? '';
  await inDialog(page, 'I have saved it').click();
  const read = (path: string) =>
    fetch(`${kat.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

  for (const path of [
    '/me',
    '/records',
    '/records.csv',
    '/summary',
    '/chance-records',
    '/chance-summary',
    '/predictions',
    '/predictions.csv',
  ])
    expect(`${path} ${await read(path)}`).toBe(`${path} 200`);
  await page.reload();
  await keys.getByText('Notebook', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
  await keys.getByRole('button', { name: /^Revoke Notebook/ }).click();
  await inDialog(page, 'Revoke').click();
  await keys.getByText('You have no active keys.').waitFor();

  expect(await read('/me')).toBe(401);
  expect(trouble).toEqual([]);
  await context.close();
});

test('turns notifications on by a worker that a click registers and that handles no page requests', async () => {
  const viewport = { width: 1440, height: 900 };
  const { email } = await newAccount(kat.url);
  const page = await (await signedInContext(browser, kat.url, email, { viewport })).newPage();
  // A headless browser denies the permission without a prompt, so the test replaces it.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = async () => 'granted';
  });
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/account/notifications`);
  const push = panel(page, 'Notifications on this device');
  const scopes = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
  await push.getByText('Off', { exact: true }).waitFor();
  expect(await scopes()).toEqual([]);

  await push.getByRole('button', { name: 'Turn on' }).click();
  await push.getByText('On', { exact: true }).waitFor();
  expect(await scopes()).toEqual([`${kat.url}/push-worker/`]);
  await push.getByRole('button', { name: 'Send a test' }).click();
  await push.getByText('on its way to the sandbox').waitFor();
  const taken = async () => (await page.request.get(`${kat.url}/dev/push`)).text();
  await expect.poll(taken).toContain('Notifications work on this device');

  const answer = await page.reload();
  expect(answer?.fromServiceWorker()).toBe(false);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await push.getByRole('button', { name: 'Turn off' }).click();
  await push.getByText('Off', { exact: true }).waitFor();
  expect(await scopes()).toEqual([]);
  expect(trouble).toEqual([]);
});

test('lists what happened in the activity log, and then its own download', async () => {
  const { email } = await newAccount(kat.url);
  const page = await (
    await signedInContext(browser, kat.url, email, { viewport: { width: 390, height: 900 } })
  ).newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/account/activity`);
  const log = panel(page, 'Last 90 days');
  await log.getByText('Signed in', { exact: true }).first().waitFor();
  expect(await overflowOf(page)).toBe(0);
  expect(await axeViolations(page, 'main')).toEqual([]);

  const arriving = page.waitForEvent('download');
  await log.getByRole('button', { name: 'Download CSV' }).click();
  expect(await textOf(await (await arriving).createReadStream())).toMatch(/^time,kind,event,details\r\n.*Signed in,/);
  await log.getByText('Exports', { exact: true }).click();

  await log.getByText('Activity log', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?kind=export');
  await expect.poll(() => log.getByText('Signed in', { exact: true }).count()).toBe(0);
  expect(trouble).toEqual([]);
});
