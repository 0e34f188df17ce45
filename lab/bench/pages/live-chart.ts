/**
 * `npm run bench -- live-chart`: four charts that stay open on a phone, at three timeframes. Bars that closed and bars
 * that the chart rolled, how long a new price takes from its arrival to the screen, how old the price on the screen is
 * at its venue, frames, and the memory of each page.
 *
 * --minutes N (default 60), --slower N (processor, default 4 times), --desktop (one chart, 1440x900, full processor)
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openSources } from '../../../sandbox/market/market-sources.ts';
import type { Ticks } from '../../../sandbox/market/simulation/ticks.ts';
import { launchChromium } from '../../../tests/support/browser/chromium.ts';
import { waitForCandles } from '../../../tests/support/browser/site-driver.ts';
import { startKat } from '../../../tests/support/servers/kat-server.ts';
import { newSubscriber } from '../../../tests/support/worlds/new-accounts.ts';
import { signedInContext } from '../../../tests/support/worlds/signed-in.ts';
import { ageFigures, type ShownPrice } from './price-age.ts';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const CHARTS = [
  { name: 'BTC 1 min', sym: 'BTCUSDT.P', query: '', barS: 60 },
  { name: 'DOGE 1 min', sym: 'DOGEUSDT.P', query: '?sym=DOGE', barS: 60 },
  { name: 'ETH 5 min', sym: 'ETHUSDT.P', query: '?sym=ETH&tf=5min', barS: 300 },
  { name: 'SOL 15 min', sym: 'SOLUSDT.P', query: '?sym=SOL&tf=15min', barS: 900 },
] as const;
const SAMPLE_MS = 5000;
const SEED = 'live-chart';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    slower: { type: 'string', default: '4' },
    desktop: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const slower = values.desktop ? 1 : Number(values.slower);

interface Watched {
  name: string;
  sym: string;
  barS: number;
  page: Page;
  devtools: CDPSession;
  /** Each last close that the chart named, with its time. */
  closes: string[];
  /** When it was first and last read: bars that close before or after do not count. */
  readMs: { first: number; last: number } | null;
  errors: string[];
  heapMb: number[];
}

/** Simulated, so that this process computes the same trades as the server's market. */
const kat = await startKat({ env: { HOUSE_FORECASTS: 'on', DEVELOPMENT: `patient,seed=${SEED}` } });
const browser = await launchChromium();
try {
  const { email } = await newSubscriber(kat.url, 'lion');
  const charts = values.desktop ? CHARTS.slice(0, 1) : CHARTS;
  const watched = await Promise.all(charts.map((chart) => open(browser, email, chart)));
  const startMs = Date.now();
  // The arrival is measured by `bench -- arrival`.
  await Promise.all(watched.map(({ page }) => page.evaluate(() => Reflect.set(window, 'frameCounts', {}))));
  await Promise.all(watched.map(readHeap));
  for (let nextMs = startMs; Date.now() < startMs + minutes * 60_000; ) {
    nextMs += SAMPLE_MS;
    await pause(Math.max(0, nextMs - Date.now()));
    await Promise.all(watched.map(readClose));
    if ((nextMs - startMs) % 300_000 < SAMPLE_MS) await Promise.all(watched.map(readHeap));
  }
  await Promise.all(watched.map(readHeap));
  const endMs = Date.now();
  for (const one of watched) console.log(JSON.stringify(await figuresOf(one, startMs, endMs)));
} finally {
  await browser.close();
  await kat.dispose();
}

async function open(on: Browser, email: string, chart: (typeof CHARTS)[number]): Promise<Watched> {
  const context = await signedInContext(on, kat.url, email, values.desktop ? DESKTOP : PHONE);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(timePrices);
  await page.addInitScript(timeFrames);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  // A page behind another is throttled.
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await page.goto(`${kat.url}/kat${chart.query}`);
  await waitForCandles(page, 150);
  return { ...chart, page, devtools, closes: [], readMs: null, errors, heapMb: [] };
}

/**
 * Runs in the page: from a price's arrival on the socket until the chart writes it on its axis, and each price that it
 * wrote with the time.
 */
function timePrices(): void {
  const delaysMs: number[] = [];
  const shown: ShownPrice[] = [];
  let waiting: { price: number; sinceMs: number } | null = null;
  Reflect.set(window, 'priceDelaysMs', delaysMs);
  Reflect.set(window, 'shownPrices', shown);
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || !data.includes('"type":"candles"')) return;
        const price: number | undefined = JSON.parse(data).forming?.[4];
        if (price === shown.at(-1)?.[1]) waiting = null;
        else if (price !== undefined && price !== waiting?.price)
          waiting = { price, sinceMs: waiting?.sinceMs ?? performance.now() };
      });
    }
  };
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    const decimals = text.split('.')[1]?.length ?? 0;
    if (waiting !== null && text.replaceAll(',', '') === waiting.price.toFixed(decimals)) {
      delaysMs.push(performance.now() - waiting.sinceMs);
      shown.push([Date.now(), waiting.price]);
      waiting = null;
    }
    return fillText.call(this, text, ...place);
  };
}

/** Runs in the page: milliseconds from one frame to the next, counted by whole ones. */
function timeFrames(): void {
  Reflect.set(window, 'frameCounts', {});
  let lastMs: number | null = null;
  const count = (nowMs: number) => {
    if (lastMs !== null) {
      const counts: Record<number, number> = Reflect.get(window, 'frameCounts');
      const ms = Math.round(nowMs - lastMs);
      counts[ms] = (counts[ms] ?? 0) + 1;
    }
    lastMs = nowMs;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}

/** @param counts  of frames by the whole milliseconds since the one before */
function frameFigures(counts: Record<number, number>) {
  const byLength = Object.entries(counts).map(([ms, count]) => [Number(ms), count] as const);
  const frames = byLength.reduce((sum, [, count]) => sum + count, 0);
  const seconds = byLength.reduce((sum, [ms, count]) => sum + ms * count, 0) / 1000;
  let left = 0.99 * frames;
  const p99Ms = byLength.find(([, count]) => {
    left -= count;
    return left <= 0;
  })?.[0];
  return { perSecond: Math.round((10 * frames) / seconds) / 10, p99Ms, longestMs: byLength.at(-1)?.[0] };
}

async function readClose(watched: Watched): Promise<void> {
  const { page, closes } = watched;
  const nowMs = Date.now();
  watched.readMs = { first: watched.readMs?.first ?? nowMs, last: nowMs };
  const label = await page.locator('[data-candle-count]').first().getAttribute('aria-label');
  const close = /last close \S+ at \S+/.exec(label ?? '')?.[0];
  if (close !== undefined && closes.at(-1) !== close) closes.push(close);
}

async function readHeap({ devtools, heapMb }: Watched): Promise<void> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  heapMb.push(Math.round(usedSize / 1e5) / 10);
}

async function figuresOf(
  { name, sym, barS, page, closes, readMs, errors, heapMb }: Watched,
  startMs: number,
  endMs: number,
) {
  const delaysMs = await page.evaluate((): number[] => Reflect.get(window, 'priceDelaysMs'));
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  const barOf = (timeMs: number): number => Math.floor(timeMs / 1000 / barS);
  const closed = barOf(readMs?.last ?? 0) - barOf(readMs?.first ?? 0);
  const delayMs = { prices: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
  const frames = frameFigures(await page.evaluate((): Record<number, number> => Reflect.get(window, 'frameCounts')));
  const shown = await page.evaluate((): ShownPrice[] => Reflect.get(window, 'shownPrices'));
  const ageMs = ageFigures(shown, await ticksOfSymbol(sym, startMs), { fromMs: startMs, toMs: endMs });
  return { name, minutes, closed, rolled: closes.length - 1, delayMs, ageMs, frames, heapMb, errors };
}

async function ticksOfSymbol(sym: string, nowMs: number): Promise<Ticks> {
  const sources = await openSources({ dataDir: null, seed: SEED, nowMs, startMs: null, log: console.error });
  const listed = sources.find(({ symbol }) => symbol.sym === sym);
  if (listed === undefined) throw new Error(`The sandbox market does not list ${sym}.`);
  return listed.ticks;
}
