/**
 * Drives a page's own time, for what a page shows only for a while: a test on a busy machine may check too late. Timers,
 * frames, dates and limits of requests stop. Sockets, answers and CSS animations go on.
 */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { WAIT_MS } from '../run/wait-limit.ts';

/** How much of the page's time passes between two checks: far less than anything is shown. */
const STEP_MS = 10;
/** Real time between two checks. It is longer than a step, so that no limit of a request ends early. */
const CHECK_EVERY_MS = 50;
/** A shown thing's time may have begun this much earlier or later than the test noticed. */
const TOLERANCE_MS = 100;

/** Stops the page's time. `page.clock.install()` must come first; for a page that draws by frames, before it is opened. */
export async function stopTime(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const nowMs = await page.evaluate(() => Date.now());
      // Refused if the page's clock has meanwhile passed that moment.
      return page.clock.pauseAt(nowMs + TOLERANCE_MS).then(
        () => 'stopped',
        (error) => String(error),
      );
    })
    .toBe('stopped');
}

/** Lets the page's time pass in small steps until something is shown. It cannot disappear again before this returns. */
export async function passUntil(page: Page, shown: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await shown.isVisible()) return true;
        await page.clock.runFor(STEP_MS);
        return false;
      },
      { interval: CHECK_EVERY_MS, timeout: 4 * WAIT_MS },
    )
    .toBe(true);
}

/**
 * Expects that an act shows something for this long, and that it passes. The page's time runs on afterwards.
 * @param forMs  by the page's clock
 */
export async function expectBriefly(
  page: Page,
  shown: Locator,
  forMs: number,
  act: () => Promise<unknown>,
): Promise<void> {
  await page.clock.install();
  await stopTime(page);
  await act();
  await passUntil(page, shown);
  await page.clock.runFor(forMs - TOLERANCE_MS);
  expect(await shown.isVisible()).toBe(true);
  await page.clock.resume();
  await shown.waitFor({ state: 'hidden' });
}
