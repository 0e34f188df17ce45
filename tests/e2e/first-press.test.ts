/** Tests that a control answers its first press, however early it comes: once, neither lost nor repeated. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import {
  countActs,
  type EarlyControl,
  INPUTS,
  KAT_CONTROLS,
  reachFor,
  waitUntilDrawn,
} from '../support/browser/first-press.ts';
import { holdFiles, SCRIPTS } from '../support/browser/held-files.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newAccount } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } as const;
const PHONE = { ...WIDE, viewport: { width: 390, height: 844 } } as const;
/** Those of the page itself, which are there before any script. */
const DRAWN = KAT_CONTROLS.filter(({ isSignedIn }) => isSignedIn === undefined);

let kat: SharedKat;
let browser: Browser;
let email: string;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  ({ email } = await newAccount(kat.url));
});

afterAll(async () => {
  await browser?.close();
});

const openPage = async (isSignedIn: boolean, options: typeof WIDE | typeof PHONE = WIDE): Promise<Page> =>
  (isSignedIn ? await signedInContext(browser, kat.url, email, options) : await browser.newContext(options)).newPage();

/** The page has its code, knows its user and has loaded what it shows them. */
async function waitUntilComplete(page: Page, isSignedIn: boolean): Promise<void> {
  const account = isSignedIn ? 'button[aria-label="Account menu"]' : 'header a[href="/auth/signup"]';
  // On phones it is inside the menu.
  await page.locator(account).waitFor({ state: 'attached' });
  await page.getByRole('heading', { name: isSignedIn ? 'BTC Prediction' : 'BTC Demo' }).waitFor();
  if (isSignedIn) await page.getByRole('button', { name: 'Unlock Models' }).waitFor();
}

/** In every state of the page until it is complete. */
async function expectOneAct(page: Page, { name }: EarlyControl, isSignedIn: boolean): Promise<void> {
  expect(await page.evaluate(() => window.acts.hasReached), `the press reached ${name}`).toBe(true);
  await expect
    .poll(() => page.evaluate(() => window.acts.changes), { message: `${name} never acted` })
    .toBeGreaterThan(0);
  await waitUntilComplete(page, isSignedIn);
  expect(await page.evaluate(() => window.acts.changes), name).toBe(1);
}

test.each([
  ['a visitor', false],
  ['a user', true],
])('acts once for %s who presses a control before its code has arrived', async (_who, isSignedIn) => {
  for (const [i, control] of DRAWN.entries()) {
    const page = await openPage(isSignedIn);
    await countActs(page, control);
    const release = await holdFiles(page, SCRIPTS);
    await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
    const inputs = control.inputs ?? INPUTS.filter((input) => input !== 'touch');
    const hand = await reachFor(page, control, inputs[i % inputs.length] ?? 'mouse');
    await hand.down();
    await hand.up();
    await release();
    await expectOneAct(page, control, isSignedIn);
    await page.context().close();
  }
});

test.each(['mouse', 'Space'] as const)(
  'acts once for a press by %s that begins on the drawn page and ends on the complete one',
  async (input) => {
    for (const control of DRAWN.filter(({ inputs }) => inputs?.includes(input) ?? true)) {
      const page = await openPage(true);
      await countActs(page, control);
      const release = await holdFiles(page, SCRIPTS);
      await page.goto(`${kat.url}/kat`, { waitUntil: 'commit' });
      const hand = await reachFor(page, control, input);
      await hand.down();
      await release();
      await waitUntilComplete(page, true);
      await hand.up();
      await expectOneAct(page, control, true);
      await page.context().close();
    }
  },
);

test('opens a list once whose own code arrives after the click', async () => {
  for (const name of ['Symbol', 'Model']) {
    const control = KAT_CONTROLS.find((one) => one.name === name) ?? expect.fail('no such control');
    const page = await openPage(true);
    await countActs(page, control);
    const release = await holdFiles(page, /\/assets\/picker-list[^/]*\.js$/);
    await page.goto(`${kat.url}/kat`);
    await waitUntilComplete(page, true);
    const hand = await reachFor(page, control, 'mouse');
    await hand.down();
    await hand.up();
    await release();
    await expectOneAct(page, control, true);
    await page.context().close();
  }
});

declare global {
  interface Window {
    drawn: { element: Element; name: string }[];
  }
}

/** Runs in the page. */
function noteControls(): void {
  window.drawn = [];
  for (const element of document.querySelectorAll('button, input, select, summary, a[href]'))
    if (element.checkVisibility({ visibilityProperty: true }) && element.closest('[aria-hidden="true"]') === null)
      window.drawn.push({ element, name: `${element.getAttribute('aria-label') ?? ''}${element.textContent}` });
}

test.each([
  ['/kat', true, WIDE],
  ['/kat', true, PHONE],
  ['/kat', false, WIDE],
  ['/', true, WIDE],
  ['/track-record', true, PHONE],
  ['/pricing', true, WIDE],
  ['/ai-models', false, PHONE],
])('replaces no control of the drawn page %s (signed in: %s)', async (path, isSignedIn, screen) => {
  const page = await openPage(isSignedIn, screen);
  const release = await holdFiles(page, SCRIPTS);
  // Not until the load event, which waits for scripts that the page has requested by then.
  await page.goto(kat.url + path, { waitUntil: 'commit' });
  await waitUntilDrawn(page);
  await page.evaluate(noteControls);
  await release();
  if (path === '/kat') await waitUntilComplete(page, isSignedIn);
  await page.waitForLoadState('networkidle');
  const replaced = await page.evaluate(() =>
    window.drawn
      .filter(({ element }) => !element.isConnected)
      .map(({ name }) => name)
      .filter((name) =>
        [...document.querySelectorAll('button, input, select, summary, a[href]')].some(
          (now) => `${now.getAttribute('aria-label') ?? ''}${now.textContent}` === name,
        ),
      ),
  );
  expect(replaced).toEqual([]);
  await page.context().close();
});
