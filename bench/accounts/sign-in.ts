/**
 * Time from the click on Sign In to a usable dashboard in a browser with a cold cache, as a JSON table of medians in
 * milliseconds. It also lists the start and end of each call, which shows the sequential ones.
 */
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import { PASSWORD } from '../../tests/support/browser/site-driver.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';

const EMAIL = 'bobcat@example.com';
/** A user's minimum time to type an address and a password. */
const TYPING_MS = 1500;

const { values } = parseArgs({ options: { url: { type: 'string' }, runs: { type: 'string', default: '7' } } });

interface Call {
  name: string;
  fromMs: number;
  toMs: number;
}
interface Times {
  headingMs: number;
  figuresMs: number;
  calls: Call[];
}

const kat = values.url === undefined ? await startKat({ args: ['--demo'] }) : null;
const browser = await launchChromium();
try {
  const url = values.url ?? kat?.url ?? '';
  // A first run fills the server's caches.
  await measure(browser, url);
  const runs: Times[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) runs.push(await measure(browser, url));
  const figures = runs.map(({ figuresMs }) => figuresMs);
  console.log(
    JSON.stringify(
      {
        runs: runs.length,
        headingMs: median(runs.map(({ headingMs }) => headingMs)),
        figuresMs: median(figures),
        slowestFiguresMs: Math.max(...figures),
        calls: runs.at(-1)?.calls,
      },
      null,
      2,
    ),
  );
} finally {
  await browser.close();
  await kat?.dispose();
}

async function measure(from: Browser, url: string): Promise<Times> {
  const context = await from.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  try {
    await page.goto(`${url}/auth/signin`);
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.waitForTimeout(TYPING_MS);
    return await signInAndLoad(page);
  } finally {
    await context.close();
  }
}

function signInAndLoad(page: Page): Promise<Times> {
  return page.evaluate(async () => {
    const started = performance.now();
    const since = (atMs: number) => Math.round(atMs - started);
    document.querySelector<HTMLButtonElement>('main button[type="submit"]')?.click();
    const shown = async (isThere: () => boolean): Promise<number> => {
      while (!isThere()) await new Promise((frame) => requestAnimationFrame(frame));
      return since(performance.now());
    };
    const section = (heading: string): string => {
      const found = [...document.querySelectorAll('main h2')].find((element) => element.textContent === heading);
      return found?.closest('section')?.textContent ?? '';
    };
    const headingMs = await shown(() => document.querySelector('main h1')?.textContent === 'Dashboard');
    const figuresMs = await shown(
      () => /\d of \d/.test(section('Predictions left')) && /Bobcat/.test(section('Current plan')),
    );
    const resources = performance.getEntriesByType('resource');
    const calls = resources
      .filter(({ startTime }) => startTime >= started)
      .map(({ name, startTime, duration }) => ({
        name: new URL(name).pathname,
        fromMs: since(startTime),
        toMs: since(startTime + duration),
      }));
    return { headingMs, figuresMs, calls };
  });
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
