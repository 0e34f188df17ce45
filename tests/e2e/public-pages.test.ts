/** Every public page: what it says before, and without, any script; that it comes alive as it was drawn; who can use it. */
import { createHash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { headOf } from '#domain/site/page-head.ts';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  axeViolations,
  overflowOf,
  refusedByPolicy,
  shiftOf,
  watchPolicy,
  watchShifts,
} from '../support/page-quality.ts';
import { type SharedKat, sharedKat } from '../support/shared-kat.ts';
import { chooseTheme, watchTrouble } from '../support/site-driver.ts';

const PAGES = foundRoutes().map(({ path }) => path);
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** 720 px stands for 1440 at 200 % zoom. */
const WIDTHS = [360, 390, 720, 768, 1440, 2560];
const MAX_SHIFT = 0.02;

let kat: SharedKat;
let browser: Browser;
let context: BrowserContext | null = null;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
});
afterEach(async () => {
  await context?.close();
  context = null;
});

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  context = await browser.newContext({ viewport: DESKTOP, ...options });
  return context.newPage();
}

/** Alive, and its widgets there. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
  await page.waitForTimeout(300);
}

interface Visit {
  page: Page;
  /** What went wrong until it was alive and its widgets there. */
  trouble: readonly string[];
  /** What it told the server of it. */
  reports: readonly string[];
  shift: number;
  headings: number;
  close(): Promise<void>;
}

/** Opens a page as a visitor far away does, and waits until all of it is there. */
async function visit(path: string, viewport: typeof DESKTOP): Promise<Visit> {
  // A zone and a language that are not the builder's: what was drawn must not depend on them.
  const visitor = await browser.newContext({
    viewport,
    timezoneId: 'America/New_York',
    locale: 'de-DE',
    colorScheme: 'dark',
    // With all that moves: it is to come alive without a fault, and to shift nothing.
    reducedMotion: 'no-preference',
  });
  const page = await visitor.newPage();
  const trouble = watchTrouble(page, kat.url);
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('error_logs')) reports.push(request.postData() ?? '');
  });
  await watchShifts(page);
  await watchPolicy(page);
  await page.goto(kat.url + path);
  await settle(page);
  const shift = await shiftOf(page);
  const headings = await page.locator('h1').count();
  return { page, trouble: [...trouble], reports: [...reports], shift, headings, close: () => visitor.close() };
}

describe.each(PAGES)('%s', (path) => {
  test('reads without scripts, and says what it is and where', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    const answer = await page.goto(kat.url + path);
    const { title, description } = headOf(path);
    const attribute = (selector: string, name: string) => page.locator(selector).getAttribute(name);

    expect(answer?.status()).toBe(200);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect((await page.locator('main').innerText()).length).toBeGreaterThan(60);
    expect(await page.title()).toBe(title);
    expect(await attribute('meta[name="description"]', 'content')).toBe(description);
    expect(await page.locator('meta[name="robots"]').count()).toBe(0);
    // Without scripts a visitor can still come in, and go anywhere from here.
    const header = page.getByRole('banner');
    expect(await header.getByRole('link', { name: 'Sign Up' }).isVisible()).toBe(true);
    await header.getByRole('button', { name: 'Research' }).focus();
    expect(await header.getByRole('link', { name: 'Gallery' }).isVisible()).toBe(true);
    // Words about what is not shown stand in the page's own measure, in a line and not in a tall empty box.
    for (const words of await page.locator('noscript:visible').all()) {
      const box = await words.locator('..').boundingBox();
      expect([box?.x === 0, (box?.height ?? 0) > 90]).toEqual([false, false]);
    }
    expect(await attribute('link[rel="canonical"]', 'href')).toBe(kat.url + path);
    expect(await attribute('meta[property="og:title"]', 'content')).toBe(title);
    expect(await attribute('meta[property="og:url"]', 'content')).toBe(kat.url + path);
  });

  describe('on a screen', () => {
    let seen: Visit;
    let onPhone: Visit;

    beforeAll(async () => {
      // Most of a visit is waiting.
      [seen, onPhone] = await Promise.all([visit(path, DESKTOP), visit(path, PHONE)]);
      await onPhone.close();
      // From here on nothing moves that is only for show.
      await seen.page.emulateMedia({ reducedMotion: 'reduce' });
    });
    afterAll(() => seen?.close());

    test('on a phone it comes alive as it was drawn, without a fault, and stands still', () => expectGood(onPhone));

    test('it comes alive as it was drawn, without a fault, and stands still', () => expectGood(seen));

    test.each(['dark', 'light'] as const)('everyone can use it, and nothing of it is refused, %s', async (theme) => {
      await chooseTheme(seen.page, theme);

      expect(await axeViolations(seen.page, 'html')).toEqual([]);
      expect(await refusedByPolicy(seen.page)).toEqual([]);
    });

    test('it is as wide as the screen at every width, and at 200 % zoom', async () => {
      const over: Record<number, number> = {};
      for (const width of WIDTHS) {
        await seen.page.setViewportSize({ width, height: 800 });
        await seen.page.waitForTimeout(60);
        over[width] = await overflowOf(seen.page);
      }

      expect(over).toEqual(Object.fromEntries(WIDTHS.map((width) => [width, 0])));
    });

    test('the keyboard reaches everything, and shows where it is', async () => {
      await seen.page.setViewportSize(DESKTOP);

      expect(await unreachable(seen.page)).toEqual([]);
    });
  });
});

function expectGood({ trouble, reports, shift, headings }: Visit): void {
  expect(headings).toBe(1);
  expect(reports).toEqual([]);
  expect(trouble).toEqual([]);
  expect(shift).toBeLessThan(MAX_SHIFT);
}

test('an unknown address is told as one, alive or not, and is not to be found', async () => {
  const page = await openPage();
  const answer = await page.goto(`${kat.url}/no/such/page`);

  expect(answer?.status()).toBe(404);
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
  expect(await page.locator('link[rel="canonical"]').count()).toBe(0);
  expect(await page.locator('h1').innerText()).toContain('404');
});

test.each([...SITE_ROUTES.map(({ path }) => path), '/no/such/page', '/research-paper/'])(
  '%s holds no script but one that its policy names, and no style',
  async (path) => {
    const answer = await fetch(kat.url + path);
    const [html, policy] = [await answer.text(), answer.headers.get('content-security-policy') ?? ''];
    const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
      ([, text = '']) => text,
    );

    for (const script of scripts)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).not.toMatch(/unsafe-|\*(?!\.)|http:/);
    expect(html.match(/<style|<[^>]+\s(?:style|on[a-z]+)\s*=|javascript:|<base\b/gi)).toBeNull();
  },
);

test('a script or a style that somebody brought into a page is refused, and told', async () => {
  const page = await openPage();
  await watchPolicy(page);
  await page.goto(`${kat.url}/legal`);
  await page.evaluate(() => {
    const put = document.createElement('div');
    put.innerHTML = '<p style="color: red">x</p><img src="x:" onerror="document.title = 1">';
    document.body.append(put, Object.assign(document.createElement('script'), { textContent: 'document.title = 2' }));
  });
  await expect
    .poll(async () => (await refusedByPolicy(page)).map((line) => line.split(':')[0]).toSorted())
    .toEqual(expect.arrayContaining(['script-src-attr', 'script-src-elem', 'style-src-attr']));

  expect(await page.title()).toBe(headOf('/legal').title);
});

test('going from page to page inside the site, the head follows', async () => {
  const page = await openPage();
  await page.goto(`${kat.url}/legal`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'About', exact: true }).click();
  await page.waitForURL('**/about');
  await page.waitForFunction((title) => document.title === title, headOf('/about').title);

  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(`${kat.url}/about`);
  expect(await page.locator('meta[name="description"]').getAttribute('content')).toBe(headOf('/about').description);

  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.waitForFunction(() => document.querySelector('meta[name="robots"]') !== null);
  expect(await page.locator('link[rel="canonical"]').count()).toBe(0);
});

test('the sitemap leads to pages that are there', async () => {
  const xml = await (await fetch(`${kat.url}/sitemap.xml`)).text();
  const addresses = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);

  expect(addresses).toHaveLength(PAGES.length);
  for (const address of addresses) expect((await fetch(address, { redirect: 'manual' })).status).toBe(200);
});

/** What Tab does not come to, or where it does not show: one line each. Radio groups and lists are one stop each. */
async function unreachable(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const wanted = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
      element.getAttribute('tabindex') !== '-1' &&
      element.closest('[inert], details:not([open]) > :not(summary)') === null;
    const shown = [...document.querySelectorAll(wanted)].filter(isShown);
    for (const element of shown) element.setAttribute('data-to-reach', '');
    return shown.length;
  });
  const unseen: string[] = [];
  let left = count;
  // Players, frames and what can be scrolled have stops of their own between ours.
  for (let stop = 0; stop < 2 * count + 80 && left > 0; stop++) {
    await page.keyboard.press('Tab');
    const reached = await page.evaluate(() => {
      const at = document.activeElement;
      const isOurs = at !== null && at !== document.body && !(at instanceof HTMLIFrameElement);
      if (isOurs) at.removeAttribute('data-to-reach');
      const toReach = document.querySelectorAll('[data-to-reach]').length;
      // A player's stops are its own buttons: the browser marks them, inside.
      if (!isOurs || at instanceof HTMLMediaElement) return { toReach, line: null };
      const marks = [at, ...at.querySelectorAll('*'), at.parentElement, at.closest('label')];
      const isMarked = (element: Element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      };
      // A slider that lies over a chart shows itself on the chart.
      const isOnChart = at instanceof HTMLInputElement && at.type === 'range';
      const isSeen = isOnChart || marks.some((element) => element != null && isMarked(element));
      return { toReach, line: isSeen ? null : `no mark: ${at.outerHTML.slice(0, 120)}` };
    });
    left = reached.toReach;
    if (reached.line !== null) unseen.push(reached.line);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll('[data-to-reach]')]
      .filter((element) => element.isConnected && element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio'))
      .map((element) => `not reached: ${element.outerHTML.slice(0, 120)}`),
  );
  return [...unseen, ...missed];
}
