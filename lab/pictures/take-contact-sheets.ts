/**
 * `npm run lab -- measure sheets [ADDRESS]`: the first screen of every page at four widths, on one sheet for each theme, in
 * docs/pictures/all. Without an address it starts a separate demo. Needs a Chromium.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import { signIn } from '../../tests/support/browser/site-driver.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';
import { SCREENS, type SheetTheme, type Shot, sheetOf, VIEWERS } from './contact-sheet.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/pictures/all');
/** Charts draw and pictures load after their texts; after a change of width the page is laid out again. */
const SETTLE_MS = 2500;
const RESIZE_MS = 500;

const [address] = process.argv.slice(2);
const kat = address === undefined ? await startKat({ args: ['--demo'] }) : null;
const url = kat?.url ?? new URL(address ?? '').origin;
const browser = await launchChromium();
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const theme of ['dark', 'light'] as const) {
    const sheet = await sheetOf(await takeAll(browser, theme), theme);
    const file = join(FOLDER, `${theme}.webp`);
    writeFileSync(file, sheet);
    console.log(`${theme}.webp: ${sheet.length} bytes`);
  }
} finally {
  await browser.close();
  await kat?.dispose();
}

async function takeAll(own: Browser, theme: SheetTheme): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const { email, paths } of VIEWERS) {
    const context = await own.newContext({ colorScheme: theme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    if (email !== null) await signIn(page, url, email);
    for (const path of paths) shots.push(await take(page, path, email));
    await context.close();
  }
  return shots;
}

async function take(page: Page, path: string, email: string | null): Promise<Shot> {
  const screens: Buffer[] = [];
  for (const [i, size] of SCREENS.entries()) {
    await page.setViewportSize(size);
    if (i === 0) await page.goto(url + path);
    await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)));
    await page.waitForTimeout(i === 0 ? SETTLE_MS : RESIZE_MS);
    screens.push(await page.screenshot());
  }
  console.log(path);
  return { label: email === null ? path : `${path} (${email.split('@')[0]})`, screens };
}
