/** Rules that every page must meet, measured in the browser: accessible, no layout shift, as wide as the screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, Request } from 'playwright-core';
import { WAIT_MS } from '../run/wait-limit.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Longer animations, such as the ticker's, are meant to run on: they are not awaited. */
const PASSING_MS = 2000;

/** Waits until the page's transitions end: halfway between two themes, every contrast is wrong. */
export async function stillness(page: Page): Promise<void> {
  await page.evaluate(async (passingMs) => {
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < passingMs,
        );
    // An inherited colour starts a new transition in each element below.
    for (let moving = passing(); moving.length > 0; moving = passing())
      await Promise.allSettled(moving.map(({ finished }) => finished));
  }, PASSING_MS);
}

/** A toast may start to fade while axe measures: until axe is done, toasts stay opaque. */
const OPAQUE_TOASTS =
  '[role][aria-live] { opacity: 1 !important; transition: none !important; animation: none !important; }';

/** Runs axe once the page is still. @param within  a CSS selector  @returns one line for each fault */
export async function axeViolations(page: Page, within = 'body'): Promise<string[]> {
  await stillness(page);
  // Not a script element: the page's own policy blocks those.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(
    async ([selector, css]) => {
      const opaque = new CSSStyleSheet();
      opaque.replaceSync(css);
      document.adoptedStyleSheets.push(opaque);
      // Without the elements that pass, which axe would describe one by one.
      const { violations } = await axe.run(selector, { resultTypes: ['violations'] });
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== opaque);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => [`${id}: ${target.join(' ')}`, any[0]?.message].filter(Boolean).join(': ')),
      );
    },
    [within, OPAQUE_TOASTS] as const,
  );
}

/** Two rounds without a request show that no answer has led to another request. */
const QUIET_ROUNDS = 2;

/**
 * Call it before the page is opened.
 * @param without  requests that the test leaves without an answer
 * @returns waits until the page knows its user, has all answers, and is idle
 */
export function watchArrival(page: Page, without?: RegExp): () => Promise<void> {
  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    if (without?.test(request.url()) !== true) unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  return async () => {
    await page.waitForFunction(
      () => document.readyState === 'complete' && document.querySelector('[data-until-known]') === null,
    );
    const endsMs = Date.now() + 2 * WAIT_MS;
    for (let quietRounds = 0; quietRounds < QUIET_ROUNDS; ) {
      if (Date.now() > endsMs)
        throw new Error(`still no answer: ${[...unanswered].map((request) => request.url()).join(', ')}`);
      await page.evaluate(
        () => new Promise((idle) => setTimeout(() => requestIdleCallback(idle, { timeout: 500 }), 50)),
      );
      quietRounds = unanswered.size === 0 ? quietRounds + 1 : 0;
    }
  };
}

/** @returns where the logo and the leftmost visible content of the page begin, in pixels from the left */
export function leftEdges(page: Page): Promise<{ logo: number; content: number }> {
  return page.evaluate(() => {
    const PICTURES = /^(svg|img|canvas|video|iframe|input)$/i;
    const isBox = (element: Element): boolean => {
      const { backgroundColor, borderLeftWidth } = getComputedStyle(element);
      return (
        PICTURES.test(element.tagName) || borderLeftWidth !== '0px' || !/, 0\)$|^transparent$/.test(backgroundColor)
      );
    };
    const textsOf = (element: Element): DOMRect[] =>
      [...element.childNodes]
        .filter(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim())
        .map((text) => {
          const range = document.createRange();
          range.selectNode(text);
          return range.getBoundingClientRect();
        });
    const visible = [...document.querySelectorAll('main *')].filter(
      (element) => !element.parentElement?.closest('svg') && element.checkVisibility({ visibilityProperty: true }),
    );
    const lefts = visible
      .flatMap((element) => [...(isBox(element) ? [element.getBoundingClientRect()] : []), ...textsOf(element)])
      // Left out: texts for screen readers only, and strips that scroll beyond the page's margin.
      .filter(({ left, width, height }) => left >= 1 && width >= 2 && height >= 2)
      .map(({ left }) => left);
    const logo = document.querySelector('header a[href="/"]')?.getBoundingClientRect().left ?? -1;
    return { logo: Math.round(logo), content: Math.round(Math.min(...lefts)) };
  });
}

/** Waits until the browser has drawn the effects of a change of size or position. */
export function nextFrames(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 0)))),
  );
}

/** Starts to sum up layout shifts; call it before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) globalThis.shifts.push(entry);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** @param within  a selector: only shifts that move something inside it; otherwise all */
export function shiftOf(page: Page, within?: string): Promise<number> {
  return page.evaluate((place) => {
    const counts = ({ sources }: Shift) =>
      place === undefined || sources.some(({ node }) => document.querySelector(place)?.contains(node));
    return globalThis.shifts.filter(counts).reduce((sum, { value }) => sum + value, 0);
  }, within);
}

/** What moved, one line a shift: its value, each element with its text, and from where to where in pixels. */
export function describeShifts(page: Page): Promise<string> {
  return page.evaluate(() =>
    globalThis.shifts
      .map(({ value, sources }) => {
        const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
          const text = (node?.textContent ?? '').trim().slice(0, 40);
          return `${node?.nodeName} '${text}' ${from.y}+${from.height} to ${to.y}+${to.height}`;
        });
        return `${value}: ${moved.join(', ')}`;
      })
      .join('\n'),
  );
}

/** Opens a page whose text font arrives only after the first paint. @returns how much that moves */
export async function shiftOfLateFont(page: Page, url: string): Promise<number> {
  const isPainted = Promise.withResolvers<void>();
  await page.route('**/inter-latin-*', async (route) => {
    await isPainted.promise;
    await route.continue();
  });
  await watchShifts(page);
  const arrival = watchArrival(page);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  isPainted.resolve();
  await page.waitForFunction(() =>
    [...document.fonts].some(({ family, status }) => /Inter Variable/.test(family) && status === 'loaded'),
  );
  await arrival();
  return shiftOf(page);
}

/** Starts to record violations of the content-security policy; call it before the page is opened. */
export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.policyRefusals = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      globalThis.policyRefusals.push(`${effectiveDirective}: ${blockedURI} ${sample}`),
    );
  });
}

export function refusedByPolicy(page: Page): Promise<string[]> {
  return page.evaluate(() => globalThis.policyRefusals);
}

/** How much wider the page is than the screen: 0 for every good page. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

interface Axe {
  run(
    within: string,
    options: { resultTypes: ['violations'] },
  ): Promise<{ violations: { id: string; nodes: { target: string[]; any: { message: string }[] }[] }[] }>;
}

/** Of the browser; TypeScript's library lacks it. */
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

declare global {
  var axe: Axe;
  var shifts: Shift[];
  var policyRefusals: string[];
}
