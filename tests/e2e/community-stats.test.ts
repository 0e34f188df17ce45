/**
 * Tests the community counts on / and /about in a real browser: the sandbox's counts, and the defaults when the calls
 * fail.
 */
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, nextFrames, overflowOf, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const FUNCTIONS = ['channel-stats', 'chat-members', 'patron-stats'] as const;
const COUNTS = /\/functions\/v1\/(channel-stats|chat-members|patron-stats)$/;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const VIEWS = [
  ['wide, dark', WIDE, true],
  ['phone, light', PHONE, false],
] as const;
/** Allows one rounding error of the browser. */
const STILL = 0.001;

let kat: SharedKat;
let browser: Browser;
let visitor: BrowserContext;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  visitor = await browser.newContext();
  // The server fetches its first counts some seconds after the start.
  await vi.waitFor(async () => expect(await Promise.all(FUNCTIONS.map(requestedAt))).not.toContain(null), {
    interval: 200,
  });
});

afterAll(async () => {
  await browser?.close();
});

async function requestedAt(name: string): Promise<unknown> {
  const body: unknown = await (await fetch(`${kat.url}/functions/v1/${name}`)).json();
  return typeof body === 'object' && body !== null && 'fetchedAt' in body ? body.fetchedAt : undefined;
}

/** Holds the count requests until `release`; `hold` starts holding them again. */
async function open(
  viewport: typeof WIDE,
  isDark: boolean,
  answer: (route: Route) => Promise<unknown> = (route) => route.continue(),
) {
  let held = Promise.withResolvers<void>();
  const page = await visitor.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  await watchShifts(page);
  await page.route(COUNTS, async (route) => {
    await held.promise;
    await answer(route);
  });
  const hold = () => {
    held = Promise.withResolvers<void>();
  };
  return { page, hold, release: () => held.resolve() };
}

async function panelOf(page: Page, path: string) {
  await page.goto(kat.url + path);
  const panel = page.getByRole('region', { name: 'Community', exact: true });
  await panel.getByText('Members').waitFor();
  await panel.scrollIntoViewIfNeeded();
  await panel.evaluate((element) => element.setAttribute('data-looked-at', ''));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await nextFrames(page);
  // Only the panel: home.test.ts and gallery.test.ts limit what the rest of a page moves, such as by late fonts.
  const moved = () => shiftOf(page, '[data-looked-at]');
  const shiftBefore = await moved();
  return {
    panel,
    height: async () => (await panel.boundingBox())?.height,
    figures: () => figuresOf(panel),
    /** The layout shift since the panel opened. */
    shift: async () => (await moved()) - shiftBefore,
  };
}

/** Maps each name to its figure and the text beside it, such as '8.4K611 online'. */
function figuresOf(panel: Locator) {
  return panel
    .locator('dt')
    .evaluateAll((names) =>
      Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent])),
    );
}

async function expectSandboxCounts(panel: Locator, figures: () => Promise<unknown>): Promise<void> {
  await panel.getByText('Simulated counts.').waitFor();
  await expect.poll(figures).toEqual({
    Subscribers: expect.stringMatching(/^[\d.]+[KM]?$/),
    Views: expect.stringMatching(/^[\d.]+[KM]?$/),
    Members: expect.stringMatching(/^[\d.]+K[\d.]+K? online$/),
    Patrons: expect.stringMatching(/^\d+$/),
  });
  await expect.poll(() => panel.getByText('simulated', { exact: true }).count()).toBe(1);
  expect(await panel.getByText(/default|unknown/).count()).toBe(0);
}

/** Checks what holds for the panel in every state. */
async function expectSound(page: Page, shift: () => Promise<number>): Promise<void> {
  expect(await axeViolations(page, '[data-looked-at]')).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(await shift()).toBeLessThan(STILL);
}

test.each(isNight ? VIEWS : VIEWS.slice(0, 1))(
  'shows the sandbox counts on / and /about, marked as simulated (%s)',
  async (_what, viewport, isDark) => {
    const { page, hold, release } = await open(viewport, isDark);
    const trouble = watchTrouble(page, kat.url);
    for (const path of isNight ? ['/', '/about'] : ['/']) {
      hold();
      const { panel, figures, shift } = await panelOf(page, path);
      release();
      await expectSandboxCounts(panel, figures);
      await expectSound(page, shift);
    }
    expect(trouble).toEqual([]);
    await page.close();
  },
);

const FAULTS = [
  ['without end', PHONE, false, async () => undefined],
  ['refused', WIDE, false, (route: Route) => route.fulfill({ status: 503, json: {} })],
  ['HTML', PHONE, true, (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>Busy</html>' })],
] as const;

test.each(isNight ? FAULTS : FAULTS.slice(0, 1))(
  'shows the default figures in place when calls are %s, until Retry',
  async (what, viewport, isDark, fault) => {
    const { page, hold, release } = await open(viewport, isDark, fault);
    // A hanging call times out after 15 seconds; the test shortens that to one second. Other timeouts are unchanged.
    if (what === 'without end')
      await page.addInitScript(() => {
        const timeout = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (ms) => timeout(ms === 15_000 ? 1000 : ms);
      });
    for (const [path, subscribers, views] of [
      ['/', '32.2k', '1.0M'],
      ['/about', '2.1M', '700k'],
    ] as const) {
      if (!isNight && path === '/') continue;
      hold();
      const { panel, height, figures, shift } = await panelOf(page, path);
      const waiting = await height();
      release();

      await panel.getByText('We couldn’t load the community figures.').waitFor();
      await panel.getByText(views).waitFor();

      await expect.poll(figures).toEqual({
        Subscribers: `${subscribers}default, not live`,
        Views: `${views}default, not live`,
        Members: '—unknown',
        Patrons: '—unknown',
      });
      expect(await panel.getByText('simulated', { exact: true }).count()).toBe(0);
      expect(await height()).toBe(waiting);
      await expectSound(page, shift);
    }
    await page.unroute(COUNTS);
    const panel = page.getByRole('region', { name: 'Community', exact: true });
    await panel.getByRole('button', { name: 'Retry' }).click();
    await expectSandboxCounts(panel, () => figuresOf(panel));
    await page.close();
  },
);
