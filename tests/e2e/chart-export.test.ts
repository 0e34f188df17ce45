/** The forecast on the chart as files that a browser really downloads, and as a link; on a laptop and on a phone. */
import { buffer } from 'node:stream/consumers';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { BAND_BARS, readPlot } from '../support/browser/forecast-plot.ts';
import { expectBriefly } from '../support/browser/page-clock.ts';
import { axeViolations } from '../support/browser/page-quality.ts';
import { waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const candleSchema = z.looseObject({ time: z.number(), high: z.number(), low: z.number(), close: z.number() });
const edges = z.array(z.number());
const savedSchema = z.object({
  data: z.array(candleSchema),
  band: z.object({ lower80: edges, upper80: edges }),
});
type Saved = z.infer<typeof savedSchema>;

/** R-SITE-11 */
const COPIED_MS = 1600;

let kat: SharedKat;
let browser: Browser;
let client: SupabaseClient;
let email: string;
let laptop: Page;
let trouble: string[];

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
  ({ client, email } = await newSubscriber(kat.url, 'lion'));
  const viewport = { width: 1440, height: 900 };
  const context = await signedInContext(browser, kat.url, email, { viewport, colorScheme: 'dark' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  laptop = await context.newPage();
  trouble = watchTrouble(laptop, kat.url);
});
afterAll(() => browser?.close());

async function savedRow(): Promise<Saved> {
  const { data, error } = await client.from('user_predictions').select('data,band').single();
  if (error) throw error;
  return z.parse(savedSchema, data);
}

const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export' });

async function download(page: Page, kind: 'PNG' | 'CSV' | 'JSON') {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialogOf(page)
      .getByRole('button', { name: `Download ${kind}` })
      .click(),
  ]);
  return { name: file.suggestedFilename(), content: await buffer(await file.createReadStream()) };
}

/** Share of the plot's height, as wide as two strokes. */
const TOLERANCE = 0.03;

/** @param historyBars  how many real candles the chart shows */
async function expectPicture(png: Buffer, { data, band }: Saved, historyBars: number): Promise<void> {
  expect(await sharp(png).metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' });
  expect(png.length).toBeLessThan(40 * 1024);
  const plot = await readPlot(png, {
    left: 56,
    top: 202,
    viewWidth: 1200,
    historyBars,
    width: 1200 - 2 * 56 - 116,
    height: 528 - 202 - 25 * 1.6 - 32,
  });
  // The line where the forecast begins touches the last one.
  const count = historyBars - 1;
  const history = data.slice(150 - historyBars, 149);
  const candles = plot.candles.slice(0, count);
  // The scale that the extremes give holds for all candles, and for the bands.
  const highest = Math.max(...history.map(({ high }) => high));
  const lowest = Math.min(...history.map(({ low }) => low));
  const top = Math.min(...candles.map(([one]) => one));
  const bottom = Math.max(...candles.map(([, one]) => one));
  const placeOf = (price: number) => top + ((highest - price) / (highest - lowest)) * (bottom - top);
  const away = candles.flatMap(([upper, lower], i) => [
    Math.abs(upper - placeOf(history[i]?.high ?? 0)),
    Math.abs(lower - placeOf(history[i]?.low ?? 0)),
  ]);
  expect(away).toHaveLength(2 * count);
  expect(Math.max(...away)).toBeLessThan(TOLERANCE);
  const bandsAway = plot.bands.flatMap(([upper, lower], i) => {
    const bar = BAND_BARS[i] ?? 0;
    // Read between two bars.
    const between = (prices: readonly number[]) => ((prices[bar - 1] ?? 0) + (prices[bar] ?? 0)) / 2;
    return [Math.abs(upper - placeOf(between(band.upper80))), Math.abs(lower - placeOf(between(band.lower80)))];
  });
  // Where a drawn candle crosses an edge, it is read instead.
  const sorted = bandsAway.sort((one, other) => one - other);
  expect(sorted[Math.floor(0.9 * sorted.length)]).toBeLessThan(TOLERANCE);
}

test('downloads picture, table and data of the forecast on the chart, copies its link, and does the same on a phone', async () => {
  await refuseWithoutForecast();
  await downloadFiles();
  await createLink();
  await downloadOnPhone();
});

/** Says that there is no forecast yet, by keyboard, and gives the focus back. */
async function refuseWithoutForecast(): Promise<void> {
  await laptop.goto(`${kat.url}/kat`);
  await waitForCandles(laptop, 150);
  await exportButton(laptop).focus();
  await laptop.keyboard.press('Enter');
  await dialogOf(laptop).getByText('There is no forecast on the chart yet.').waitFor();
  await laptop.keyboard.press('Escape');
  await dialogOf(laptop).waitFor({ state: 'hidden' });
  expect(await exportButton(laptop).evaluate((button) => button === document.activeElement)).toBe(true);
}

/** Downloads picture, table and data of the forecast on the chart. */
async function downloadFiles(): Promise<void> {
  await laptop
    .getByRole('button', { name: /left today/ })
    .first()
    .click();
  await waitForCandles(laptop, 200);
  await laptop.getByText('saved', { exact: true }).first().waitFor();
  await exportButton(laptop).click();
  await dialogOf(laptop)
    .getByRole('img', { name: /^BTC · / })
    .waitFor();
  expect(await axeViolations(laptop)).toEqual([]);
  const saved = await savedRow();

  const png = await download(laptop, 'PNG');
  expect(png.name).toMatch(/^kat-BTC-1min-\d{4}-\d\d-\d\dT\d\d-\d\d-lion\.png$/);
  await expectPicture(png.content, saved, 150);

  const csv = await download(laptop, 'CSV');
  const rows = csv.content
    .toString()
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const closes = rows.filter(([, kind]) => kind === 'history' || kind === 'forecast').map((cells) => Number(cells[5]));
  expect(closes).toEqual(saved.data.map(({ close }) => close));

  const json = await download(laptop, 'JSON');
  const file: unknown = JSON.parse(json.content.toString());
  expect(file).toMatchObject({ coin: 'BTC', market: 'simulated', origin: 'saved', lastClose: saved.data[149]?.close });
}

/** Creates a link, copies it, and it opens. */
async function createLink(): Promise<void> {
  const dialog = dialogOf(laptop);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expectBriefly(laptop, dialog.getByRole('button', { name: 'Copied' }), COPIED_MS, () =>
    dialog.getByRole('button', { name: 'Copy link' }).click(),
  );
  const url = await laptop.evaluate(() => navigator.clipboard.readText());
  expect(url).toMatch(new RegExp(`^${kat.url}/f/[0-9a-f]{32}$`));
  expect((await fetch(url)).status).toBe(200);
  expect(trouble).toEqual([]);
}

/** Downloads the same from a phone, where the picture also goes to the share sheet. */
async function downloadOnPhone(): Promise<void> {
  const viewport = { width: 390, height: 844 };
  const options = { viewport, colorScheme: 'dark', isMobile: true, hasTouch: true, deviceScaleFactor: 3 } as const;
  const context = await signedInContext(browser, kat.url, email, options);
  try {
    // Chromium has no share sheet here.
    await context.addInitScript(() => {
      const share = async ({ files = [] }: ShareData) => {
        document.title = `shared ${files.map(({ name, type, size }) => `${name} ${type} ${size > 1000}`).join()}`;
      };
      Object.assign(navigator, { canShare: ({ files = [] }: ShareData) => files.length > 0, share });
    });
    const phone = await context.newPage();
    const faults = watchTrouble(phone, kat.url);
    await phone.goto(`${kat.url}/kat`);
    await waitForCandles(phone, 200);
    await exportButton(phone).tap();
    await dialogOf(phone)
      .getByRole('img', { name: /^BTC · / })
      .waitFor();
    expect(await axeViolations(phone)).toEqual([]);

    const png = await download(phone, 'PNG');
    await expectPicture(png.content, await savedRow(), 60);
    expect((await download(phone, 'CSV')).name).toMatch(/\.csv$/);
    expect((await download(phone, 'JSON')).name).toMatch(/\.json$/);
    // Found again, as it came back with the page.
    await dialogOf(phone).getByRole('button', { name: 'Copy link' }).waitFor();

    await dialogOf(phone).getByRole('button', { name: 'Share …' }).tap();
    await expect.poll(() => phone.title()).toBe(`shared ${png.name} image/png true`);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}
