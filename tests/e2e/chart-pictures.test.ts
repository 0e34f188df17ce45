/** The pixels of a chart: candles, bands, path, outcome and usual range, in both themes and at two pixel ratios. */
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { waitForCandles } from '../support/browser/site-driver.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const [REAL, AHEAD, PAD] = [150, 50, 2];
const T0_S = Date.UTC(2026, 10, 27) / 1000;

/** Two halves: rising candles, then falling ones. The path of the forecast rises, and the outcome falls. */
const candles = Array.from({ length: REAL + AHEAD }, (_, i) => {
  const isForecast = i >= REAL;
  const isRising = isForecast || i < REAL / 2;
  const base = isForecast ? 100 + 0.02 * (i - REAL + 1) : 100;
  const [open, close] = isRising ? [base - 0.3, base + 0.3] : [base + 0.3, base - 0.3];
  return { time: T0_S + i * 60, open, high: base + 0.5, low: base - 0.5, close };
});
const outcome = candles.slice(REAL).map(({ time }, i) => {
  const close = 99.5 - 0.05 * i;
  return { time, open: close, high: close, low: close, close };
});
const edges = (share: number) => Array.from({ length: AHEAD }, (_, i) => share * Math.sqrt(i + 1));
const band = {
  lower80: edges(0.3).map((away) => 100 - away),
  upper80: edges(0.3).map((away) => 100 + away),
  lower95: edges(0.5).map((away) => 100 - away),
  upper95: edges(0.5).map((away) => 100 + away),
};

let kat: SharedKat;
let browser: Browser;
let email: string;
beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
  ({ email } = await newSubscriber(kat.url, 'lion'));
});
afterAll(() => browser?.close());

type Rgb = readonly [number, number, number];

interface Picture {
  /** Of the plot at the middle of a bar, or beside it, from top to bottom. */
  columnAt(bar: number, besideBars?: number): Rgb[];
  /** The theme's colour of text, in which the outcome is drawn. */
  text: Rgb;
}

async function pictureOf(theme: 'dark' | 'light', deviceScaleFactor: number): Promise<Picture> {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, deviceScaleFactor });
  const page = await context.newPage();
  const snapshot = { data: candles, outcome, band, isDark: theme === 'dark', title: 'BTC', ts: Date.now() };
  await page.addInitScript((text) => localStorage.setItem('popout:drawn', text), JSON.stringify(snapshot));
  await page.goto(`${kat.url}/popout?key=drawn`);
  await page.locator('[data-candle-count="200"] canvas').first().waitFor();
  const picture = await plotOf(page);
  await context.close();
  return picture;
}

/** The chart on /kat of a subscriber who has no forecast. */
async function usualPageOf(theme: 'dark' | 'light', deviceScaleFactor: number): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const context = await signedInContext(browser, kat.url, email, { viewport, deviceScaleFactor });
  const page = await context.newPage();
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(theme === 'dark'));
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, REAL);
  await page.getByText('usual range, from past volatility').waitFor();
  return page;
}

async function plotOf(page: Page): Promise<Picture> {
  await page.evaluate(() => document.fonts.ready);
  const plot = page.locator('[data-candle-count] canvas').first();
  // Two frames later everything is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const { data, info } = await sharp(await plot.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const text = await textColourOf(page);
  const slotPx = info.width / (REAL + AHEAD + 2 * PAD);
  return {
    text,
    columnAt(bar, besideBars = 0) {
      const x = Math.round((bar + PAD + 0.5 + besideBars) * slotPx);
      return Array.from({ length: info.height }, (_, y) => {
        const i = (y * info.width + x) * 3;
        return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0] as const;
      });
    },
  };
}

function textColourOf(page: Page): Promise<Rgb> {
  return page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] = getComputedStyle(document.body).color.match(/\d+/g)?.map(Number) ?? [];
    return [red, green, blue];
  });
}

const apart = (a: Rgb, b: Rgb) => Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))));
/** A wick is a pixel or two wide: it may lie beside the middle. */
const coloursAt = (picture: Picture, bar: number) => {
  const pixels = [-0.5, -0.25, 0, 0.25].flatMap((beside) => picture.columnAt(bar, beside));
  return {
    isUp: pixels.some(([red, green]) => green - red > HUE_APART),
    isDown: pixels.some(([red, green]) => red - green > HUE_APART),
  };
};
const HUE_APART = 30;
/** Amber: red is far above blue. */
const amberOf = ([red, , blue]: Rgb) => red - blue;

/** Of the inner band, which fills more than a tenth of each column; its path and its edges do not. */
function innerAmber(column: readonly Rgb[]): number {
  return column.map(amberOf).toSorted((a, b) => b - a)[Math.floor(column.length / 10)] ?? 0;
}

/** Rows that are more amber than the ground of the forecast, as a share of the height. */
function bandShare(column: readonly Rgb[], threshold: number): number {
  return column.filter((pixel) => amberOf(pixel) > threshold).length / column.length;
}

test.each([
  ['dark', 1],
  ['dark', 2],
  ['light', 1],
  ['light', 2],
] as const)('draws candles, bands, path and outcome in the %s theme at pixel ratio %d', async (theme, ratio) => {
  const picture = await pictureOf(theme, ratio);
  const { columnAt, text } = picture;

  for (const bar of [10, 40, 70]) {
    expect(coloursAt(picture, bar), `rising candle ${bar}`).toEqual({ isUp: true, isDown: false });
    expect(coloursAt(picture, bar + REAL / 2), `falling candle ${bar}`).toEqual({ isUp: false, isDown: true });
  }
  // The outcome is a line in the text's colour, which falls, where only the forecast and it are.
  const lineAt = (bar: number) => {
    const column = columnAt(REAL + bar, 0.5);
    const rows = column.flatMap((pixel, y) => (apart(pixel, text) < 35 ? [y / column.length] : []));
    return rows.length === 0 ? expect.fail(`no outcome at bar ${bar}`) : Math.max(...rows);
  };
  const lines = [10, 25, 40].map(lineAt);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  // Between candles there are only bands: they widen, and the outer one is paler than the inner one.
  const ground = Math.max(
    ...columnAt(REAL + 1, 0.5)
      .slice(0, 5)
      .map(amberOf),
  );
  const [inner, outer] = [10, 25, 45].reduce<[number[], number[]]>(
    ([inside, outside], bar) => {
      const column = columnAt(REAL + bar, 0.5);
      const most = innerAmber(column);
      inside.push(bandShare(column, ground + 0.75 * (most - ground)));
      outside.push(bandShare(column, ground + 0.15 * (most - ground)));
      return [inside, outside];
    },
    [[], []],
  );
  expect(outer).toEqual(outer.toSorted((a, b) => a - b));
  expect(inner.every((share, i) => share > 0 && share < (outer[i] ?? 0))).toBe(true);
  // Left of the forecast nothing is amber.
  expect(bandShare(columnAt(REAL - 10, 0.5), 40)).toBe(0);
});

test.each([
  ['dark', 1],
  ['dark', 2],
  ['light', 1],
  ['light', 2],
] as const)('draws the usual range as a grey cone in the %s theme at pixel ratio %d', async (theme, ratio) => {
  const page = await usualPageOf(theme, ratio);
  // The words may be there a moment before the drawing, whose code comes later.
  await vi.waitFor(async () => expectGreyCone(await plotOf(page)));
  await page.context().close();
});

function expectGreyCone({ columnAt }: Picture): void {
  const named = (column: readonly Rgb[]) => column.map((pixel) => pixel.join());
  const [ground = ''] = byCount(named(columnAt(REAL - 10, 0.5)));
  // Beside its edges and the lines of the grid, the cone has one colour.
  const fill = byCount(named(columnAt(REAL + 45, 0.5))).find((colour) => colour !== ground) ?? '';
  const shares = [-10, 2, 20, 45].map((bar) => {
    const column = named(columnAt(REAL + bar, 0.5));
    return column.filter((colour) => colour === fill).length / column.length;
  });

  expect(shares[0]).toBe(0);
  expect(shares[1]).toBeGreaterThan(0);
  expect(shares).toEqual([...new Set(shares)].toSorted((a, b) => a - b));
  const [red = 0, , blue = 0] = fill.split(',').map(Number);
  expect(Math.abs(red - blue)).toBeLessThan(HUE_APART);
}

/** The most frequent first. */
function byCount(colours: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
}
