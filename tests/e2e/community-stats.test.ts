/** Community counts in a real browser: the sandbox's own on / and /about, and what stands there when they cannot be had. */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { axeViolations, overflowOf, shiftOf, watchShifts } from '../support/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { watchTrouble } from '../support/site-driver.ts';

const FUNCTIONS = ['channel-stats', 'chat-members', 'patron-stats'] as const;
const COUNTS = /\/functions\/v1\/(channel-stats|chat-members|patron-stats)$/;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Of nothing at all: one rounding of the browser's. */
const STILL = 0.001;

let kat: SharedKat;
let browser: Browser;
let visitor: BrowserContext;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  visitor = await browser.newContext();
  // The first answers are seconds away.
  await vi.waitFor(async () => expect(await Promise.all(FUNCTIONS.map(askedAt))).not.toContain(null), {
    timeout: 30_000,
    interval: 200,
  });
});

afterAll(async () => {
  await browser?.close();
});

async function askedAt(name: string): Promise<unknown> {
  const body: unknown = await (await fetch(`${kat.url}/functions/v1/${name}`)).json();
  return typeof body === 'object' && body !== null && 'fetchedAt' in body ? body.fetchedAt : undefined;
}

async function open(viewport: typeof WIDE, isDark: boolean, answer?: (route: Route) => Promise<unknown>) {
  const page = await visitor.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  await watchShifts(page);
  if (answer !== undefined) await page.route(COUNTS, answer);
  return page;
}

async function panelOf(page: Page, path: string) {
  await page.goto(kat.url + path);
  const panel = page.getByRole('region', { name: 'Community', exact: true });
  await panel.getByText('Members').waitFor();
  await panel.scrollIntoViewIfNeeded();
  await panel.evaluate((element) => element.setAttribute('data-looked-at', ''));
  return {
    panel,
    height: async () => (await panel.boundingBox())?.height,
    /** By name, with the words beside: '8.4K611 online'. */
    figures: () =>
      panel
        .locator('dt')
        .evaluateAll((names) =>
          Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent])),
        ),
  };
}

/** What must hold of the panel in every state. */
async function expectSound(page: Page): Promise<void> {
  expect(await axeViolations(page, '[data-looked-at]')).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(await shiftOf(page)).toBeLessThan(STILL);
}

test.each([
  ['wide, dark', WIDE, true],
  ['phone, light', PHONE, false],
] as const)(
  'the sandbox is counted on / and /about, and said to be simulated (%s)',
  async (_what, viewport, isDark) => {
    const page = await open(viewport, isDark);
    const trouble = watchTrouble(page, kat.url);
    for (const path of ['/', '/about']) {
      const { panel, figures } = await panelOf(page, path);
      await panel.getByText('As stand-ins for the services count them.').waitFor();

      expect(await figures()).toEqual({
        Subscribers: expect.stringMatching(/^[\d.]+[KM]?$/),
        Views: expect.stringMatching(/^[\d.]+[KM]?$/),
        Members: expect.stringMatching(/^[\d.]+K[\d.]+K? online$/),
        Patrons: expect.stringMatching(/^\d+$/),
      });
      await expect.poll(() => panel.getByText('simulated', { exact: true }).count()).toBe(1);
      expect(await panel.getByText(/default|not known/).count()).toBe(0);
      await expectSound(page);
    }
    expect(trouble).toEqual([]);
    await page.close();
  },
);

test.each([
  ['refused', WIDE, false, (route: Route) => route.fulfill({ status: 503, json: {} })],
  ['HTML', PHONE, true, (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>Busy</html>' })],
  ['without end', PHONE, false, async () => undefined],
] as const)('calls that are %s leave the agreed figures, in the same place', async (what, viewport, isDark, fault) => {
  let held = Promise.withResolvers<void>();
  const page = await open(viewport, isDark, async (route) => {
    await held.promise;
    await fault(route);
  });
  // A call without an end is given up after fifteen seconds: here after one. Elsewhere the page's other calls keep theirs.
  if (what === 'without end')
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms === 15_000 ? 1000 : ms);
    });
  for (const [path, subscribers, views] of [
    ['/', '32.2k', '1.0M'],
    ['/about', '2.1M', '700k'],
  ] as const) {
    held = Promise.withResolvers<void>();
    const { panel, height, figures } = await panelOf(page, path);
    const waiting = await height();
    held.resolve();

    await panel.getByText('Community figures could not be loaded.').waitFor();
    await panel.getByText(views).waitFor();

    expect(await figures()).toEqual({
      Subscribers: `${subscribers}default, not live`,
      Views: `${views}default, not live`,
      Members: '—not known',
      Patrons: '—not known',
    });
    expect(await panel.getByText('simulated', { exact: true }).count()).toBe(0);
    expect(await height()).toBe(waiting);
    await expectSound(page);
  }
  await page.unroute(COUNTS);
  const retry = page.getByRole('region', { name: 'Community', exact: true }).getByRole('button', { name: 'Retry' });
  await retry.click();
  await page.getByText('As stand-ins for the services count them.').waitFor();
  await page.close();
});
