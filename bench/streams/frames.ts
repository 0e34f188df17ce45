/**
 * Frame times of /kat while order book, chart and ticker run, from the browser's own trace, beside an almost empty page
 * that only moves one box, in the same browser. A frame's time is the interval since the previous one.
 * `npm run bench -- frames`, with the setting RUN_SECONDS (20). Prints one JSON table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod/mini';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import { chooseModel, signIn, waitForCandles } from '../../tests/support/browser/site-driver.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';

const SECONDS = Number(process.env.RUN_SECONDS ?? 20);
const VIEWPORT = { width: 1440, height: 900 };
const BOUND_MS = 33;
const CATEGORIES = ['viz', 'cc', 'benchmark', 'devtools.timeline'];
/** The display has shown a frame. */
const SHOWN = 'Display::FrameDisplayed';
const LONG_TASK_MS = 50;
const MOVING_BOX = `<div id="box" style="width:80px;height:80px;background:gray"></div>
<style>@keyframes go { to { transform: translateX(500px) } } #box { animation: go 2s linear infinite }</style>`;

const eventSchema = z.object({ name: z.string(), ts: z.number(), dur: z.optional(z.number()) });

interface FrameTimes {
  frames: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
  longTasks: number;
}

async function traced(page: Page): Promise<FrameTimes> {
  const session = await page.context().newCDPSession(page);
  const shownMs: number[] = [];
  let longTasks = 0;
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const entry of value) {
      const event = eventSchema.safeParse(entry);
      if (!event.success) continue;
      const { name, ts, dur = 0 } = event.data;
      if (name === SHOWN) shownMs.push(ts / 1000);
      if (name === 'RunTask' && dur / 1000 > LONG_TASK_MS) longTasks += 1;
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  await sleep(SECONDS * 1000);
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  shownMs.sort((a, b) => a - b);
  const times = shownMs.slice(1).map((ms, i) => ms - (shownMs[i] ?? ms));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  const spanS = ((shownMs.at(-1) ?? 0) - (shownMs[0] ?? 0)) / 1000;
  return {
    frames: shownMs.length,
    perSecond: round(times.length / spanS),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
    longTasks,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

async function measureKat(browser: Browser, url: string): Promise<Record<string, FrameTimes>> {
  const page = await (await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'no-preference' })).newPage();
  await signIn(page, url, 'lion@example.com');
  await page.goto(`${url}/kat`);
  await waitForCandles(page, 150);
  await page.locator('[data-side="ask"]').first().waitFor();
  await sleep(3000);
  const watching = await traced(page);
  await chooseModel(page, 'Lion');
  await page.getByRole('button', { name: /left today/ }).click();
  const predicting = await traced(page);
  await page.context().close();
  return { watching, predicting };
}

const kat = await startKat({ args: ['--demo'] });
const browser = await launchChromium();
try {
  const empty = await (await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'no-preference' })).newPage();
  await empty.setContent(MOVING_BOX);
  const baseline = await traced(empty);
  await empty.context().close();
  const runs = await measureKat(browser, kat.url);
  const rows = Object.entries(runs).map(([name, times]) => ({
    page: `/kat, ${name}`,
    ...times,
    worstHundredthUnder33Ms: times.p99Ms < BOUND_MS,
    p99ToBaseline: round(times.p99Ms / baseline.p99Ms),
  }));
  console.log(
    JSON.stringify(
      {
        bench: 'frames',
        browser: browser.version(),
        viewport: VIEWPORT,
        seconds: SECONDS,
        rows: [{ page: 'a moving box', ...baseline }, ...rows],
      },
      null,
      2,
    ),
  );
} finally {
  await browser.close();
  await kat.dispose();
}
