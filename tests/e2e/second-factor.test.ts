/**
 * Tests sign-in to an account with an authenticator app: its code, a recovery code, Cancel, and a forgotten password.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, watchTrouble } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { codeIn, linkIn, siteMailTo } from '../support/wire/mailbox.ts';
import { newAccount, newClient } from '../support/worlds/new-accounts.ts';

const STEP_MS = 30_000;
const codesSchema = z.object({ ok: z.literal(true), codes: z.array(z.string()) });
const sessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() });

/** An account with an app. Each time step's code works once, and the setup already used the current one. */
interface Guarded {
  email: string;
  secret: string;
  recoveryCodes: string[];
  code(): string;
}

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
});

/** Creates an account with an app. */
async function guard(): Promise<Guarded> {
  const { client, email } = await newAccount(kat.url);
  return setUpApp(client, email);
}

/** Creates an account whose address is already confirmed, so that no later confirmation removes the app. */
async function guardConfirmed(): Promise<Guarded> {
  const { client, email } = await newAccount(kat.url);
  const token = codeIn(await siteMailTo(kat.url, email));
  const { error } = await client.auth.verifyOtp({ email, token, type: 'email' });
  if (error) throw error;
  return setUpApp(client, email);
}

async function setUpApp(client: SupabaseClient, email: string): Promise<Guarded> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (error) throw error;
  const { secret } = data.totp;
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeAt(Date.now()) });
  if (verified.error) throw verified.error;
  const created = await client.functions.invoke('recovery-codes', { body: { action: 'create' } });
  const recoveryCodes = codesSchema.parse(created.data).codes;
  return { email, secret, recoveryCodes, code: () => codeAt(Date.now() + STEP_MS) };
}

async function newPage(width = 1440): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  return context.newPage();
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Sign In').click();
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await button(page, 'Verify').click();
}

async function expectUsable(page: Page, theme: 'dark' | 'light'): Promise<void> {
  // In a background tab a theme transition stops half way.
  await page.bringToFront();
  await chooseTheme(page, theme);
  expect(await axeViolations(page, 'html')).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
}

/** @returns the error reports that the pages of this browser sent to the server */
function watchReports(context: BrowserContext): string[] {
  const reports: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('error_logs')) reports.push(request.postData() ?? '');
  });
  return reports;
}

async function storedTokens(page: Page): Promise<string[]> {
  const text = await page.evaluate(
    () => Object.entries(localStorage).find(([key]) => /^sb-.+-auth-token$/.test(key))?.[1] ?? '',
  );
  const { access_token: access, refresh_token: refresh } = sessionSchema.parse(JSON.parse(text));
  return [access, refresh];
}

test('requires the app’s code after the password, in other tabs too, and reports no secret', async () => {
  const account = await guard();
  const page = await newPage();
  const reports = watchReports(page.context());
  const trouble = watchTrouble(page, kat.url, [/status of 422 .*\/auth\/v1\/factors\//]);
  const beside = await page.context().newPage();
  await beside.goto(`${kat.url}/auth/signin`);

  await page.goto(`${kat.url}/account/security?tab=1#rights`);
  await givePassword(page, account.email);
  await heading(page, 'Second factor');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
    .toBe('one-time-code');
  await expectUsable(page, 'dark');
  await heading(beside, 'Second factor');
  const halfway = await storedTokens(page);
  await page.reload();
  await heading(page, 'Second factor');
  await giveCode(page, '000000');
  await page.getByText('This code is wrong. Enter the one your app shows now. Each code works only once.').waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe('000000');
  const code = account.code();
  await giveCode(page, code);

  await page.waitForURL(`${kat.url}/account/security?tab=1#rights`);
  await beside.waitForURL(`${kat.url}/dashboard`);
  await heading(beside, 'Dashboard');
  const proven = await storedTokens(page);
  await beside.close();
  await page.reload();
  await heading(page, 'Security');
  expect(trouble).toEqual([]);
  expect(reports.length).toBeGreaterThan(0);
  // contract/auth-logs.test.ts and contract/account-logs.test.ts check the server's log.
  const written = reports.join('\n');
  for (const secret of [PASSWORD, account.secret, code, ...account.recoveryCodes, ...halfway, ...proven])
    expect(written.includes(secret), secret.slice(0, 12)).toBe(false);
  await page.context().close();
});

test('signs out on Cancel, and a recovery code signs in on a phone and removes the app', async () => {
  const account = await guard();
  const [recoveryCode = ''] = account.recoveryCodes;
  const page = await newPage(390);
  const trouble = watchTrouble(page, kat.url);

  await page.goto(`${kat.url}/auth/signin?next=%2Faccount%2Fpredictions`);
  await givePassword(page, account.email);
  await heading(page, 'Second factor');
  await button(page, 'Cancel').click();
  await heading(page, 'Sign in');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth-token')))).toEqual([]);
  await givePassword(page, account.email);
  await button(page, 'Use a recovery code').click();
  await heading(page, 'Lost your authenticator app?');
  await expectUsable(page, 'light');
  await page.getByLabel('Recovery code').fill('aaaa-bbbb-cccc');
  await button(page, 'Sign in without the app').click();
  await page.getByText('This recovery code is wrong or was already used.').waitFor();
  await page.getByLabel('Recovery code').fill(recoveryCode.toUpperCase());
  await button(page, 'Sign in without the app').click();
  await page.waitForURL(`${kat.url}/account/predictions`);

  const { auth } = await newClient(kat.url);
  await auth.signInWithPassword({ email: account.email, password: PASSWORD });
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
  expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  expect(trouble).toEqual([]);
  await page.context().close();
});

/** Filters by subject, because emails about the app and its recovery codes come first and may still be on their way. */
const passwordLinkTo = async (email: string) => linkIn(await siteMailTo(kat.url, email, /new password/));

test('requires the app’s code before a password reset', async () => {
  const account = await guardConfirmed();
  const page = await newPage();
  const trouble = watchTrouble(page, kat.url);

  await page.goto(`${kat.url}/auth/forgot-password`);
  await page.getByLabel('Email').fill(account.email);
  await button(page, 'Send reset link').click();
  await heading(page, 'Check your email');
  await page.goto(await passwordLinkTo(account.email));
  await heading(page, 'Second factor');
  expect(page.url()).toBe(`${kat.url}/auth/reset-password`);
  await giveCode(page, account.code());
  await page.getByLabel('New password').fill('Another2');
  await page.getByLabel('Confirm password').fill('Another2');
  await button(page, 'Save password').click();

  await page.waitForURL(`${kat.url}/dashboard`);
  expect(trouble).toEqual([]);
  await page.context().close();
});
