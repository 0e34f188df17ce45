/**
 * `npm run lab -- measure screenshots`: the README's pictures in docs/pictures, of this version on the simulated market.
 * Take them again when a page looks different. Needs a Chromium.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import { chooseModel, signIn } from '../../tests/support/browser/site-driver.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';

const PICTURES = resolve(import.meta.dirname, '../../docs/pictures');
const WIDTH = 1440;

const kat = await startKat({ args: ['--demo'] });
const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: 900 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();

  await page.goto(kat.url);
  await page.getByRole('heading', { name: /this minute/ }).waitFor();
  await page.getByText('Charts by TradingView').first().waitFor();
  await take(page, 'home', 980);

  await page.goto(`${kat.url}/ai-models`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take(page, 'models', 1000);

  await signIn(page, kat.url, 'lion@example.com');
  await page.goto(`${kat.url}/kat`);
  await chooseModel(page, 'Lion');
  await page.getByRole('button', { name: /^Prediction/ }).click();
  await page.getByText('saved', { exact: true }).waitFor();
  await take(page, 'kat', 1080);
} finally {
  await browser.close();
  await kat.dispose();
}

/** @param height  CSS pixels from the top of the page */
async function take(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height });
  await page.evaluate(() => document.fonts.ready);
  // Charts draw and pictures load after their texts.
  await page.waitForTimeout(4000);
  const file = join(PICTURES, `${name}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, colours: 256 })
    .toFile(file);
  console.log(`${name}.png: ${statSync(file).size} bytes`);
}
