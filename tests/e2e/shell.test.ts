/** Tests the site shell in a real browser: navigation by keyboard and touch, footer, theme and 404 page. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { passUntil, stopTime } from '../support/browser/page-clock.ts';
import { shiftOf, watchArrival, watchShifts } from '../support/browser/page-quality.ts';
import { PASSWORD, readDownTo, signOut, waitUntilVisitor, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
});

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url, [/status of 404.*no\/such/]);
  await page.goto(`${kat.url}${path}`);
  await waitUntilVisitor(page);
  return { page, trouble, close: () => context.close() };
}

/** @returns the name of the focused element */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

test('navigates by keyboard: skip link, groups and palette that return the focus, and a page that receives it', async () => {
  const { page, trouble, close } = await open('/legal');
  const press = (key: string) => page.keyboard.press(key);

  const stops = [];
  for (let stop = 0; stop < 6; stop += 1) {
    await press('Tab');
    stops.push(await focused(page));
  }
  expect(stops).toEqual(['Skip to content', 'Kat, home', 'AI Prediction', 'Market Sim', 'Pricing', 'Research']);
  const group = page.getByRole('button', { name: 'Research', exact: true });
  await press('Enter');
  expect(await group.getAttribute('aria-expanded')).toBe('true');
  await press('Tab');
  await press('Tab');
  expect(await focused(page)).toBe('AI Models');
  await press('Escape');
  expect([await group.getAttribute('aria-expanded'), await focused(page)]).toEqual(['false', 'Research']);
  await press('Space');
  for (let stop = 0; stop < 5; stop += 1) await press('Tab');
  expect(await focused(page)).toBe('Change Log');
  await press('Enter');

  await page.waitForURL(`${kat.url}/change-log`);
  await expect.poll(() => group.getAttribute('aria-expanded')).toBe('false');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  await group.click();
  expect(await page.getByRole('link', { name: 'Change Log' }).first().getAttribute('aria-current')).toBe('page');

  await press('Control+k');
  await expect.poll(() => focused(page)).toBe('Search pages and commands');
  await press('Escape');
  await expect.poll(() => focused(page)).toBe('Research');
  expect(trouble).toEqual([]);
  await close();
});

test('traps the focus in the phone’s menu, and closes the menu by a tap outside', async () => {
  const { page, trouble, close } = await open('/legal', { viewport: PHONE, hasTouch: true });
  const menu = page.getByRole('button', { name: 'Menu' });
  const press = (key: string) => page.keyboard.press(key);
  await menu.focus();

  await press('Enter');
  await expect.poll(() => focused(page)).toBe('AI Prediction');
  await press('Shift+Tab');
  expect(await focused(page)).toBe('Menu');
  await press('Tab');
  expect(await focused(page)).toBe('AI Prediction');
  const seen = [];
  for (let stop = 0; stop < 20 && (await focused(page)) !== 'Menu'; stop += 1) {
    seen.push(await focused(page));
    await press('Tab');
  }
  expect(seen).toEqual(expect.arrayContaining(['Gallery', 'YouTube', 'Legal', 'Sign In', 'Sign Up', 'Toggle theme']));
  expect(await menu.getAttribute('aria-expanded')).toBe('true');
  await press('Escape');
  await expect
    .poll(async () => [await menu.getAttribute('aria-expanded'), await focused(page)])
    .toEqual(['false', 'Menu']);
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);

  // A link to the current page closes the menu too.
  await press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Legal' }).click();
  await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');

  const nav = page.getByRole('navigation', { name: 'Main' });
  await menu.tap();
  for (const link of await nav.getByRole('link').all()) {
    const box = await link.boundingBox();
    expect(box?.height ?? 0, (await link.textContent()) ?? '').toBeGreaterThanOrEqual(44);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.touchscreen.tap(180, 830);
  await expect.poll(() => nav.isVisible()).toBe(false);
  await menu.tap();
  await nav.getByRole('link', { name: 'About' }).tap();
  await page.waitForURL(`${kat.url}/about`);
  await expect.poll(() => nav.isVisible()).toBe(false);
  expect(trouble).toEqual([]);
  await close();
});

test('aligns header, page and footer at one edge, and starts a new page at its top', async () => {
  const { page, close } = await open('/about', { viewport: { width: 2560, height: 1200 } });
  await expectOneEdge(page);
  await page.setViewportSize(WIDE);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);

  await page.getByRole('contentinfo').getByRole('link', { name: 'Market Sim' }).click();

  await page.waitForURL('**/market-simulator-v03');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await close();
});

test('reports missing settings in the footer, and loads links, contact and coins on Retry', async () => {
  const context = await browser.newContext({ viewport: WIDE, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const trouble = watchTrouble(page, kat.url, [/\/site\.json/]);
  await page.route('**/site.json', (route) => route.abort());
  await page.goto(`${kat.url}/legal`);

  const footer = page.getByRole('contentinfo');
  await expect.poll(() => footer.getByRole('link', { name: 'Gallery' }).count()).toBe(1);
  await expect.poll(() => footer.getByRole('link', { name: 'YouTube' }).count()).toBe(1);
  await readDownTo(page, footer.getByText('We couldn’t load the links.'));
  await expect.poll(() => footer.getByText('We couldn’t load the addresses.').count()).toBe(1);
  await page.unroute('**/site.json');
  await footer.getByRole('button', { name: 'Retry' }).click();

  await footer.getByRole('link', { name: 'support@example.com' }).waitFor();
  await expect.poll(() => footer.getByText('For research and education only. Not financial advice.').count()).toBe(1);
  expect(await footer.getByRole('link', { name: 'Video channel' }).getAttribute('rel')).toContain('noopener');
  await expect.poll(() => footer.getByText('sample').count()).toBe(4);
  await expect.poll(() => footer.getByRole('button', { name: /^Copy / }).count()).toBe(2);
  await page.clock.install();
  await stopTime(page);
  await footer.getByRole('button', { name: 'Copy ETH address' }).click();
  await passUntil(page, footer.getByRole('button', { name: 'Copied ETH address' }));
  expect(await footer.getByRole('status').filter({ hasText: 'Copied ETH address' }).count()).toBe(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Demo address - do not send');
  expect(trouble).toEqual([]);
  await context.close();
});

test('stores theme and colours across pages', async () => {
  const { page, trouble, close } = await open('/legal', { colorScheme: 'dark' });
  const attributes = () =>
    page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.dataset.palette]);
  expect(await attributes()).toEqual(['dark', 'standard']);

  await page.getByRole('button', { name: 'Toggle theme' }).click();
  await page.getByRole('switch', { name: 'Colour-blind palette' }).click();

  expect(await attributes()).toEqual(['light', 'colour-blind']);
  expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('false');
  await page.goto(`${kat.url}/about`);
  expect(await attributes()).toEqual(['light', 'colour-blind']);
  await page.getByRole('switch', { name: 'Colour-blind palette', checked: true }).waitFor();
  expect(trouble).toEqual([]);
  await close();
});

test('repeats no animation for users who prefer reduced motion', async () => {
  const { page, close } = await open('/', { reducedMotion: 'reduce' });
  // The footer is below the screen, so its parts are not loaded yet.
  await page.locator('footer [class*=skeleton]').first().waitFor({ state: 'attached' });
  const repeated = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => (effect?.getComputedTiming().iterations ?? 0) > 1)
        .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : animation.id)),
    );
  expect(await repeated()).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await repeated()).not.toEqual([]);
  await close();
});

test('lets the compositor draw what moves while parts load: no element has two animations of one property', async () => {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  // The code of the page's parts does not arrive, so their places keep moving.
  await page.route(/\/assets\/home-forecast-[^/]*\.js/, () => undefined);
  await page.goto(`${kat.url}/`);
  await page.locator('main [class*=skeleton]').first().waitFor({ state: 'attached' });
  const animated = () =>
    page.evaluate(() =>
      document.getAnimations().flatMap(({ effect }) => {
        if (!(effect instanceof KeyframeEffect) || effect.target === null) return [];
        const names = new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)));
        const all = [...document.querySelectorAll('*')];
        const place = `${all.indexOf(effect.target)}${effect.pseudoElement ?? ''}`;
        return [...names]
          .filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name))
          .map((name) => `${place} ${name}`);
      }),
    );
  const names = await animated();
  expect(names.length).toBeGreaterThan(0);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  await context.close();
});

test('offers visitors sign-in and sign-up, and users the dashboard and sign-out', async () => {
  const { page, trouble, close } = await open('/auth/signin');
  const header = page.getByRole('banner');
  await expect.poll(() => header.getByRole('link', { name: 'Sign In' }).count()).toBe(1);
  expect(await header.getByRole('link', { name: 'Dashboard' }).count()).toBe(0);

  const arrival = watchArrival(page);
  await page.getByLabel('Email').fill('free@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard');

  await expect.poll(() => header.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page');
  expect(await header.getByRole('link', { name: /^Sign/ }).count()).toBe(0);
  // The server would refuse a dashboard request that arrives after the sign-out.
  await arrival();
  await signOut(page);
  await header.getByRole('link', { name: 'Sign Up' }).waitFor();
  expect(trouble).toEqual([]);
  await close();
});

test('never shows a signed-in user the visitor’s header, not even for a frame', async () => {
  const context = await signedInContext(browser, kat.url, 'free@example.com', { viewport: WIDE });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen: boolean[] = [];
    Object.assign(window, { seen });
    const check = () => {
      const link = document.querySelector('header a[href="/auth/signup"]');
      if (link?.checkVisibility({ visibilityProperty: true })) seen.push(true);
      requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
  await watchShifts(page);

  await page.goto(`${kat.url}/market-simulator-v03`);
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).waitFor();
  await page.getByRole('region', { name: 'Already bought?' }).waitFor();

  expect(await page.evaluate(() => (window as unknown as { seen: boolean[] }).seen)).toEqual([]);
  expect(await shiftOf(page)).toBeLessThan(0.001);
  await context.close();
});

nightTest('aligns header, page and footer of the trading page at one edge', async () => {
  const { page, close } = await open('/kat', { viewport: { width: 2560, height: 1200 } });
  await expectOneEdge(page);
  await close();
});

async function expectOneEdge(page: Page): Promise<void> {
  // Panels have footers too.
  const places = [
    page.getByRole('banner').getByRole('link', { name: 'Kat' }),
    page.getByRole('main').getByRole('heading', { level: 1 }),
    page.getByRole('contentinfo').locator('p').first(),
  ];
  const boxes = await Promise.all(places.map((place) => place.boundingBox()));
  expect(new Set(boxes.map((box) => Math.round(box?.x ?? 0))).size).toBe(1);
}

test('answers an unknown address with 404, noindex and links to other pages', async () => {
  const { page, trouble, close } = await open('/no/such/page');
  expect((await fetch(`${kat.url}/no/such/page`)).status).toBe(404);
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
  expect(await page.locator('link[rel="canonical"]').count()).toBe(0);
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: '404 – Page Not Found' }).waitFor();

  await main.getByRole('link', { name: 'Gallery' }).click();

  await page.waitForURL(`${kat.url}/gallery`);
  expect(trouble).toEqual([]);
  await close();
});
