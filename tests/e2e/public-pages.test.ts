/** Tests every public page: its content before and without scripts, its hydration, and its accessibility. */
import { createHash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { headOf } from '#domain/site/page-head.ts';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import {
  axeViolations,
  leftEdges,
  nextFrames,
  overflowOf,
  refusedByPolicy,
  shiftOf,
  watchArrival,
  watchPolicy,
  watchShifts,
} from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const PAGES = foundRoutes().map(({ path }) => path);
const THEMES = ['dark', 'light'] as const;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** 720 px is what 1440 px are at 200% zoom. */
const WIDTHS = [360, 390, 720, 768, 1440, 2560];
/** Where header and page begin: one column of 1680 px with margins of 24 px, and of 16 px on phones. */
const EDGES = [
  { width: 390, edge: 16 },
  { width: 1440, edge: 24 },
];
const MAX_SHIFT = 0.02;
/**
 * In the daytime run only these pages are opened without scripts, because both have notices in place of their
 * widgets.
 */
const WITHOUT_SCRIPTS = ['/', '/kat'];

/**
 * The daytime run gives each page every second check, and the next page the others. At night each page gets all
 * checks.
 */
function checksOf<T>(all: readonly T[], page: number): readonly T[] {
  return isNight ? all : all.filter((_, i) => i % 2 === page % 2);
}

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

interface Visit {
  page: Page;
  /** Errors until the page was hydrated and its widgets were there. */
  trouble: readonly string[];
  /** Messages of any level. */
  console: readonly string[];
  /** Error reports that the page sent to the server. */
  reports: readonly string[];
  shift: number;
  headings: number;
  close(): Promise<void>;
}

/** Opens a page as a visitor from elsewhere does, and waits until all of it is there. */
async function visit(path: string, viewport: typeof DESKTOP): Promise<Visit> {
  // The time zone and language differ from those of the build, because the prerendered page must not depend on them.
  const visitor = await browser.newContext({
    viewport,
    timezoneId: 'America/New_York',
    locale: 'de-DE',
    colorScheme: 'dark',
    // Motion is allowed, because hydration with animations must cause no error and no shift either.
    reducedMotion: 'no-preference',
  });
  const page = await visitor.newPage();
  const trouble = watchTrouble(page, kat.url);
  const logged: string[] = [];
  page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('error_logs')) reports.push(request.postData() ?? '');
  });
  await watchShifts(page);
  await watchPolicy(page);
  const arrival = watchArrival(page);
  await page.goto(kat.url + path);
  await arrival();
  const shift = await shiftOf(page);
  const headings = await page.locator('h1').count();
  const problems = { trouble: [...trouble], console: [...logged], reports: [...reports] };
  return { page, ...problems, shift, headings, close: () => visitor.close() };
}

describe.each(PAGES.map((path, page) => ({ path, page })))('$path', ({ path, page: index }) => {
  test('serves a whole document that names its title, description and address', async () => {
    const answer = await fetch(kat.url + path);
    const html = await answer.text();
    const { title, description } = headOf(path);
    const contents = (tag: string, name: string, attribute: string) =>
      [...html.matchAll(new RegExp(`<${tag} [^>]*"${name}"[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
        textOf(value),
      );

    expect(answer.status).toBe(200);
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(textOf(/<main[\s>][\s\S]*<\/main>/.exec(html)?.[0] ?? '').length).toBeGreaterThan(60);
    expect(textOf(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '')).toBe(title);
    expect(contents('meta', 'description', 'content')).toEqual([description]);
    expect(contents('meta', 'robots', 'content')).toEqual([]);
    expect(contents('link', 'canonical', 'href')).toEqual([kat.url + path]);
    expect(contents('meta', 'og:title', 'content')).toEqual([title]);
    expect(contents('meta', 'og:url', 'content')).toEqual([kat.url + path]);
    const [picture = ''] = contents('meta', 'og:image', 'content');
    expect(picture).toBe(`${kat.url}/previews/${path.slice(1) || 'home'}.png`);
    const shown = await fetch(picture);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  if (isNight || WITHOUT_SCRIPTS.includes(path))
    test('can be read and left without scripts', async () => {
      const page = await openPage({ javaScriptEnabled: false });
      await page.goto(kat.url + path);

      await expect.poll(() => page.locator('h1').count()).toBe(1);
      expect((await page.locator('main').innerText()).length).toBeGreaterThan(60);
      const header = page.getByRole('banner');
      expect(await header.getByRole('link', { name: 'Sign Up' }).isVisible()).toBe(true);
      await header.getByRole('button', { name: 'Research' }).focus();
      expect(await header.getByRole('link', { name: 'Gallery' }).isVisible()).toBe(true);
      // A notice of what needs scripts must keep the page's margins and be one line, not a tall empty box.
      for (const note of await page.locator('noscript:visible').all()) {
        const box = await note.locator('..').boundingBox();
        expect([box?.x === 0, (box?.height ?? 0) > 90]).toEqual([false, false]);
      }
    });

  describe('the page on a screen', () => {
    let seen: Visit;
    let onPhone: Visit | null;

    beforeAll(async () => {
      // Both visits run at the same time, because most of a visit is waiting.
      [seen, onPhone] = await Promise.all([visit(path, DESKTOP), isNight ? visit(path, PHONE) : null]);
      await onPhone?.close();
      // The checks below need no animations.
      await seen.page.emulateMedia({ reducedMotion: 'reduce' });
    });
    afterAll(() => seen?.close());

    nightTest('hydrates on a phone without an error or a layout shift', () => expectGood(onPhone));

    test('hydrates without an error or a layout shift', () => expectGood(seen));

    test.each(checksOf(THEMES, index))('passes axe and violates no content security policy, %s', async (theme) => {
      await chooseTheme(seen.page, theme);

      expect(await axeViolations(seen.page, 'html')).toEqual([]);
      expect(await refusedByPolicy(seen.page)).toEqual([]);
    });

    test('fits the screen at every width checked', async () => {
      const over: Record<number, number> = {};
      const widths = checksOf(WIDTHS, index);
      for (const width of widths) {
        await seen.page.setViewportSize({ width, height: 800 });
        await nextFrames(seen.page);
        over[width] = await overflowOf(seen.page);
      }

      expect(over).toEqual(Object.fromEntries(widths.map((width) => [width, 0])));
    });

    test('begins at the logo’s left edge', async () => {
      for (const { width, edge } of checksOf(EDGES, index)) {
        await seen.page.setViewportSize({ width, height: 800 });
        await nextFrames(seen.page);

        expect(await leftEdges(seen.page), `${width} px`).toEqual({ logo: edge, content: edge });
      }
    });

    test('lets the keyboard reach every control and shows the focus', async () => {
      await seen.page.setViewportSize(DESKTOP);

      // Header and footer are the same on every page, so they are checked once.
      expect(await unreachable(seen.page, path === PAGES[0] ? 'body' : 'main')).toEqual([]);
    });
  });
});

/** @returns the text of some HTML, with its entities decoded */
function textOf(html: string): string {
  return html
    .replace(/<(script|style|template)[\s>][\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/&#(?:x27|39);/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function expectGood(visited: Visit | null): void {
  const { trouble, console, reports, shift, headings } = visited ?? expect.fail('not visited');
  expect(headings).toBe(1);
  expect(console).toEqual([]);
  expect(reports).toEqual([]);
  expect(trouble).toEqual([]);
  expect(shift).toBeLessThan(MAX_SHIFT);
}

test.each([...SITE_ROUTES.map(({ path }) => path), '/no/such/page', '/research-paper/'])(
  '%s contains only scripts that its policy names, and no inline style',
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

test('blocks and reports an injected script or style, and updates the head on navigation', async () => {
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

  await page.getByRole('contentinfo').getByRole('link', { name: 'About', exact: true }).click();
  await page.waitForURL('**/about');
  await page.waitForFunction((title) => document.title === title, headOf('/about').title);

  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(`${kat.url}/about`);
  expect(await page.locator('meta[name="description"]').getAttribute('content')).toBe(headOf('/about').description);

  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.waitForFunction(() => document.querySelector('meta[name="robots"]') !== null);
  expect(await page.locator('link[rel="canonical"]').count()).toBe(0);
});

test('lists only existing pages in the sitemap', async () => {
  const xml = await (await fetch(`${kat.url}/sitemap.xml`)).text();
  const addresses = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);

  const docs = addresses.filter((address) => address.startsWith(`${kat.url}/docs/`));
  expect(docs).toContain(`${kat.url}/docs/guides/operate`);
  expect(docs.length).toBeGreaterThan(80);
  expect(addresses).toHaveLength(PAGES.length + docs.length);
  for (const address of addresses) expect((await fetch(address, { redirect: 'manual' })).status).toBe(200);
});

/** Tab presses between two checks whether everything was reached, because a check costs as much as a press. */
const PRESSES_A_QUESTION = 8;

/** @returns one line for each control that Tab misses or that shows no focus; a radio group or list is one stop */
async function unreachable(page: Page, within: 'body' | 'main'): Promise<string[]> {
  await page.locator(within).focus();
  const count = await page.evaluate((part) => {
    const wanted = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
      element.getAttribute('tabindex') !== '-1' &&
      element.closest('[inert], details:not([open]) > :not(summary)') === null;
    const shown = [...document.querySelectorAll(`${part} :is(${wanted})`)].filter(isShown);
    for (const element of shown) element.setAttribute('data-to-reach', '');

    const isMarked = (element: Element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    };
    // Players, frames and scrollable parts add Tab stops between ours.
    document.addEventListener('focusin', ({ target: at }) => {
      if (!(at instanceof HTMLElement) || at === document.body || at instanceof HTMLIFrameElement) return;
      at.removeAttribute('data-to-reach');
      // A player's stops are its internal buttons, on which the browser shows the focus.
      if (at instanceof HTMLMediaElement) return;
      // A slider that lies over a chart shows its focus on the chart.
      const isOnChart = at instanceof HTMLInputElement && at.type === 'range';
      const marks = [at, ...at.querySelectorAll('*'), at.parentElement, at.closest('label')];
      if (!isOnChart && !marks.some((element) => element != null && isMarked(element)))
        at.setAttribute('data-no-mark', '');
    });
    return shown.length;
  }, within);
  for (let stop = 0, left = count; stop < 2 * count + 80 && left > 0; stop += PRESSES_A_QUESTION) {
    for (let press = 0; press < PRESSES_A_QUESTION; press++) await page.keyboard.press('Tab');
    left = await page.locator('[data-to-reach]').count();
  }
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const unseen = all('[data-no-mark]').map((element) => `no mark: ${element.outerHTML.slice(0, 120)}`);
    const missed = all('[data-to-reach]')
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio'))
      .map((element) => `not reached: ${element.outerHTML.slice(0, 120)}`);
    return [...unseen, ...missed];
  });
}
