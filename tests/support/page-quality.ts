/** What every page must keep to, measured in the browser: accessible, standing still, as wide as the screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What lasts longer is there to move, such as the ticker: nothing to wait for. */
const PASSING_MS = 2000;

/** Waits until what the page was doing to itself is done: halfway from one theme to the other every contrast is wrong. */
export async function stillness(page: Page): Promise<void> {
  await page.evaluate(async (passingMs) => {
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < passingMs,
        );
    // A colour that is handed down sets out anew in each element below.
    for (let moving = passing(); moving.length > 0; moving = passing())
      await Promise.allSettled(moving.map(({ finished }) => finished));
  }, PASSING_MS);
}

/**
 * Looks once the page is still.
 *
 * @param within  a CSS selector: the part of the page that is looked at
 * @returns one line for each element that breaks a rule, empty when none does
 */
export async function axeViolations(page: Page, within = 'body'): Promise<string[]> {
  await stillness(page);
  // Not a script element: the page's own policy refuses those.
  await page.evaluate(AXE);
  return page.evaluate(async (selector) => {
    const { violations } = await axe.run(selector);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }, within);
}

/** Begins to add up how far things move on the page; before it is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && entry.hadRecentInput === false)
          globalThis.shifted += Number(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Layout shift since the page was opened. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => globalThis.shifted);
}

/** Begins to note what the content-security policy refuses; before the page is opened. */
export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.policyRefusals = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      globalThis.policyRefusals.push(`${effectiveDirective}: ${blockedURI} ${sample}`),
    );
  });
}

/** Since the page was opened. */
export function refusedByPolicy(page: Page): Promise<string[]> {
  return page.evaluate(() => globalThis.policyRefusals);
}

/** How far the page is wider than the screen: 0 for every good page. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

interface Axe {
  run(within: string): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
}

declare global {
  var axe: Axe;
  var shifted: number;
  var policyRefusals: string[];
}
