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
    const last = new WeakMap<Element, string>();
    const note = (toast: Element): void => {
      const text = toast.textContent ?? '';
      if (text === '' || last.get(toast) === text) return;
      last.set(toast, text);
      globalThis.shownToasts.push(text);
    };
    const toasts = '[role="status"][aria-live]';
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        for (const added of addedNodes) if (added instanceof Element && added.matches(toasts)) note(added);
        // A toast may also get another text.
        const changed = (target instanceof Element ? target : target.parentElement)?.closest(toasts);
        if (changed) note(changed);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** @returns every toast since the document was opened */
export const toastsOf = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.shownToasts);

/** Finds it also after it has disappeared. */
export async function waitForToast(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(async () => (await toastsOf(page)).filter(isLike(text))).not.toEqual([]);
}

/** Expects one more toast like this than before. The page must stay in its document. */
export async function expectToast(page: Page, text: string | RegExp, act: () => Promise<unknown>): Promise<void> {
  const count = async () => (await toastsOf(page)).filter(isLike(text)).length;
  const before = await count();
  await act();
  await expect.poll(count).toBe(before + 1);
}

function isLike(text: string | RegExp): (shown: string) => boolean {
  return (shown) => (text instanceof RegExp ? text.test(shown) : shown === text);
}
