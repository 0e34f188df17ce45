/** Follows account emails from the form that requests them to the page that their link or code leads to. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, fillSignUp, PASSWORD, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { startKat } from '../support/servers/kat-server.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { codeIn, linkIn, siteMails, siteMailTo } from '../support/wire/mailbox.ts';
import { newClient } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const UNVERIFIED = 'Your email is not verified. Some features may be restricted.';
const OVER = 'This link has expired or was already used. Request a new one.';
const NEW_PASSWORD = 'Another2';
/** Sent as the sign-up page sends it: only the browser that holds the verifier can sign in with the email's link. */
const CHALLENGE_OF_A_BROWSER = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };
const configSchema = z.object({ supabaseAnonKey: z.string() });

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** Opens a page in a new browser context with empty storage. */
async function newBrowserPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  return context.newPage();
}

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Proofs must not remain in the address, which can be copied, shared and stored in the history. */
function expectCleanAddress(page: Page): void {
  expect(page.url()).not.toMatch(/code=|token|error/);
}

describe('accounts with optional confirmation', () => {
  let kat: SharedKat;
  beforeAll(async () => {
    kat = await sharedKat('plain');
  });

  async function signUp(page: Page, email: string): Promise<void> {
    await fillSignUp(page, kat.url, email);
    await page.waitForURL(`${kat.url}/`);
  }

  /** For tests that start after the sign-up. */
  async function createAccount(email: string): Promise<void> {
    const { supabaseAnonKey } = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());
    const back = encodeURIComponent(`${kat.url}/auth/callback?from=mail`);
    const answer = await fetch(`${kat.url}/auth/v1/signup?redirect_to=${back}`, {
      method: 'POST',
      headers: { apikey: supabaseAnonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD, ...CHALLENGE_OF_A_BROWSER }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }

  /** @returns a page in a browser that is already signed in to the new account */
  async function newMemberPage(email: string): Promise<Page> {
    await createAccount(email);
    const viewport = { width: 1280, height: 900 };
    return (await signedInContext(browser, kat.url, email, { viewport })).newPage();
  }

  async function toDashboard(page: Page): Promise<void> {
    await page.goto(`${kat.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  }

  test('verifies an address with the emailed code, which hides the banner', async () => {
    const email = 'code@example.com';
    const page = await newMemberPage(email);
    const trouble = watchTrouble(page, kat.url, [/status of (403|429) .*\/auth\/v1\//]);
    const first = await siteMailTo(kat.url, email);

    await toDashboard(page);
    await page.getByText(UNVERIFIED).waitFor();
    await page.getByRole('button', { name: 'Send verification email' }).click();
    await page.getByLabel('Code').fill('000000');
    await expect.poll(async () => (await siteMails(kat.url, email)).length).toBe(2);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('This code is wrong or has expired. Request a new one.').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Too many requests. Please wait a minute before you request another email.').waitFor();
    const second = await siteMailTo(kat.url, email);
    await page.getByLabel('Code').fill(` ${codeIn(second)} `);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(UNVERIFIED).waitFor({ state: 'detached' });
    // In the daytime run the test below loads the dashboard after a confirmation.
    if (isNight) {
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    }

    expect(second.id).not.toBe(first.id);
    expect(await page.getByText(UNVERIFIED).count()).toBe(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('verifies by link in the browser that signed up, and reports "already verified" the second time', async () => {
    const page = await newBrowserPage();
    const trouble = watchTrouble(page, kat.url);
    const email = 'link@example.com';
    await signUp(page, email);
    const link = linkIn(await siteMailTo(kat.url, email));

    await page.goto(link);
    await page.waitForURL(`${kat.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const banners = await page.getByText(UNVERIFIED).count();
    await page.goto(link);
    await page.getByText('Your email is verified. There’s nothing left to do.').waitFor();
    expectCleanAddress(page);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.waitForURL(`${kat.url}/dashboard`);

    expect(banners).toBe(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  // In the daytime run contract/auth-pkce-mail.test.ts and web/app/link-answers.test.tsx cover this.
  nightTest(
    'confirms once by link in another browser, and hides the first browser’s banner after a reload',
    async () => {
      const email = 'elsewhere@example.com';
      const [page, other] = [await newMemberPage(email), await newBrowserPage()];
      const trouble = watchTrouble(other, kat.url);
      await toDashboard(page);
      await page.getByText(UNVERIFIED).waitFor();
      const link = linkIn(await siteMailTo(kat.url, email));

      await other.goto(link);
      await other.getByText('Your address is confirmed. Sign in.').waitFor();
      expectCleanAddress(other);
      await other.goto(link);
      await other.getByText(OVER).waitFor();
      expectCleanAddress(other);
      await page.reload();

      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
      await page.getByText(UNVERIFIED).waitFor({ state: 'detached' });
      expect(trouble).toEqual([]);
      for (const one of [page, other]) await one.context().close();
    },
  );

  test('changes a confirmed address by the code of the old and the link of the new one, and links and unlinks GitHub', async () => {
    const [email, newEmail] = ['moves@example.com', 'moved@example.com'];
    const page = await newMemberPage(email);
    await recordToasts(page);
    const trouble = watchTrouble(page, kat.url, [/^left the origin: http:\/\/127\.0\.0\.1:\d+\/github\//]);
    const { auth } = await newClient(kat.url);
    const proof = { email, token: codeIn(await siteMailTo(kat.url, email)), type: 'email' as const };
    expect((await auth.verifyOtp(proof)).error).toBeNull();

    await page.goto(`${kat.url}/account`);
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByLabel('New email address').fill(newEmail);
    await page.keyboard.press('Enter');
    await page.getByText('once you confirm it from both addresses').waitFor();
    const views = [
      ['dark', 390],
      ['light', 1440],
    ] as const;
    for (const [theme, width] of isNight ? views : views.slice(0, 1)) {
      await chooseTheme(page, theme);
      await page.setViewportSize({ width, height: 844 });
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
    const code = page.getByRole('form', { name: `Confirm ${email}` });
    await code.getByRole('textbox').fill(codeIn(await siteMailTo(kat.url, email, /about to change/)));
    await code.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`${email} has confirmed.`).waitFor();
    await page.goto(linkIn(await siteMailTo(kat.url, newEmail, /new email address/)));
    await page.waitForURL(`${kat.url}/account`);
    await waitForToast(page, 'Your email address has been changed.');
    await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(newEmail);

    await page.getByRole('button', { name: 'Link GitHub' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Linking was cancelled. Nothing has changed.').waitFor();
    expectCleanAddress(page);
    await page.getByRole('button', { name: 'Link GitHub' }).click();
    // The first person's account at GitHub may already open an account here: another file signs in with it.
    await page.getByLabel(/Ben Test/).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await waitForToast(page, 'GitHub is linked');
    expect(page.url()).toBe(`${kat.url}/account`);
    await page.getByRole('button', { name: /^Unlink GitHub/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await waitForToast(page, 'GitHub is unlinked');
    await page.getByRole('button', { name: 'Link GitHub' }).waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('resets a forgotten password by email link, and signs in with the new password', async () => {
    const page = await newBrowserPage();
    const trouble = watchTrouble(page, kat.url);
    const email = 'forgot@example.com';
    await createAccount(email);

    await page.goto(`${kat.url}/auth/signin`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // The sign-in form that is still on screen has an Email field too.
    await page.getByRole('button', { name: 'Send reset link' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(linkIn(await passwordMailTo(email)));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    expectCleanAddress(page);
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.waitForURL(`${kat.url}/dashboard`);

    const { error } = await (await newClient(kat.url)).auth.signInWithPassword({ email, password: NEW_PASSWORD });
    expect(error).toBeNull();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  // In the daytime run, contract/auth-pkce-mail.test.ts and web/app/link-answers.test.tsx cover this.
  if (isNight)
    test('rejects a password link in another browser, and accepts the code of a new email', async () => {
      const [page, other] = [await newBrowserPage(), await newBrowserPage()];
      const [email, second] = ['first@example.com', 'second@example.com'];
      await Promise.all([email, second].map(createAccount));

      const requestChange = async (address: string): Promise<void> => {
        await page.goto(`${kat.url}/auth/forgot-password`);
        await page.getByLabel('Email').fill(address);
        await page.getByRole('button', { name: 'Send reset link' }).click();
        await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      };
      await requestChange(email);
      await other.goto(linkIn(await passwordMailTo(email)));
      await other.getByText('This link only works once, in the browser that requested it').waitFor();
      expectCleanAddress(other);
      await other.getByRole('link', { name: 'Request a new one' }).click();
      await other.getByRole('heading', { name: 'Forgot password' }).waitFor();
      await requestChange(second);
      await page.getByLabel('Code').fill(codeIn(await passwordMailTo(second)));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByLabel('Confirm password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Save password' }).click();
      await page.waitForURL(`${kat.url}/dashboard`);

      for (const one of [page, other]) await one.context().close();
    });

  /** Filters by subject, because the confirmation email arrived first. */
  const passwordMailTo = (email: string) => siteMailTo(kat.url, email, /new password/);
});

// In the daytime run, contract/auth-confirmation.test.ts and web/features/auth/auth-forms.test.tsx cover this.
if (isNight)
  test('requires confirmation before sign-in: by link in a second browser, or by code on the page', async () => {
    const kat = await startKat({ env: { EMAIL_CONFIRMATION: 'required' } });
    try {
      const [page, other] = [await newBrowserPage(), await newBrowserPage()];
      const email = 'required@example.com';
      await fillSignUp(page, kat.url, email);
      await page.getByText('Account created but failed to sign in automatically.').waitFor();
      const link = linkIn(await siteMailTo(kat.url, email));

      await other.goto(link);
      await other.getByText('Your address is confirmed. Sign in.').waitFor();
      expectCleanAddress(other);
      await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
      await fillSignIn(other, email, PASSWORD);
      await other.waitForURL(`${kat.url}/dashboard`);
      await page.goto(link);
      await page.getByText(OVER).waitFor();
      expectCleanAddress(page);

      const second = 'typed@example.com';
      await fillSignUp(page, kat.url, second);
      await page.getByLabel('Code').fill(codeIn(await siteMailTo(kat.url, second)));
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.waitForURL(`${kat.url}/`);
      await page.getByRole('button', { name: 'Account menu' }).waitFor();

      for (const one of [page, other]) await one.context().close();
    } finally {
      await kat.dispose();
    }
  });
