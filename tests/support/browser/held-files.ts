import type { Page, Route } from 'playwright-core';

/** The code of pages. */
export const SCRIPTS = /\/assets\/[^/]*\.js$/;

/** Holds requests for these files until it is called. */
export async function holdFiles(page: Page, files: RegExp): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isOver = false;
  await page.route(files, (route) => (isOver ? route.continue() : void held.push(route)));
  return async () => {
    isOver = true;
    await Promise.all(held.map((route) => route.continue()));
  };
}
