/** A toast disappears after two seconds, which a busy machine may miss, so a page records every toast. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  var shownToasts: string[];
}

/** Call it before the page is opened. Each document starts a new list. */
export function recordToasts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    globalThis.shownToasts = [];
    new MutationObserver((changes) => {
      for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (added instanceof Element && added.matches('[role="status"][aria-live]'))
          globalThis.shownToasts.push(added.textContent ?? '');
    }).observe(document, { subtree: true, childList: true });
  });
}

/** @returns every toast since the document was opened */
export const toastsOf = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.shownToasts);

/** Finds it also after it has disappeared. */
export async function waitForToast(page: Page, text: string): Promise<void> {
  await expect.poll(() => toastsOf(page)).toContain(text);
}
