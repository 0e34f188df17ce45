/**
 * Lighthouse on the site as `npm start` serves it and on a bare page in the same rounds, on its mobile profile: medians
 * as a JSON table. `benchmarkIndex` is Lighthouse's measure of this machine: compare scores only beside it. Its own
 * packages are in lab/bench/lighthouse (run `npm ci` there first).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import * as z from 'zod/mini';
import { ensureChromium } from '../../../tests/support/browser/chromium.ts';
import { signIn } from '../../../tests/support/browser/site-driver.ts';
import { startKat } from '../../../tests/support/servers/kat-server.ts';
import { serveBarePage } from './bare/serve-bare.ts';
import { waitForFirstForecast } from './first-forecast.ts';
import { chosenPages, MAX_POINTS_BELOW, median, pageName } from './page-bounds.ts';

/** Replaced by the page of the newest free forecast of the record, which is open while it runs. */
const FORECAST = '/f/';
const BARE = 'bare page';
const FOLDER = join(import.meta.dirname, '../lighthouse/node_modules');

const scored = z.object({ score: z.nullable(z.number()) });
const measured = z.object({ numericValue: z.optional(z.number()) });
const reportSchema = z.object({
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.object({ performance: scored, accessibility: scored, 'best-practices': scored, seo: scored }),
  audits: z.catchall(
    z.object({
      'largest-contentful-paint': measured,
      'first-contentful-paint': measured,
      'cumulative-layout-shift': measured,
      'total-blocking-time': measured,
      'total-byte-weight': measured,
    }),
    z.looseObject({ score: z.optional(z.nullable(z.number())), scoreDisplayMode: z.optional(z.string()) }),
  ),
});
type Report = z.infer<typeof reportSchema>;

interface Chrome {
  port: number;
  kill(): void;
}
interface Tools {
  lighthouse: (url: string, flags: object) => Promise<{ lhr: unknown } | undefined>;
  launch: (options: object) => Promise<Chrome>;
}
interface Visit {
  name: string;
  url: string;
  user: string | null;
}

/** Local storage of each signed-in user. */
const sessions = new Map<string, string>();

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    runs: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true },
  },
});
if (!existsSync(FOLDER)) throw new Error('Lighthouse is not installed: npm ci --prefix lab/bench/lighthouse');
const tools = await load();
const kat = values.url === undefined ? await startKat({ args: ['--demo'], env: { HOUSE_FORECASTS: 'on' } }) : null;
const bare = await serveBarePage();
try {
  const visits = await visitsOf(values.url ?? kat?.url ?? '');
  const reports = new Map<string, Report[]>();
  // A first request fills the server's per-origin caches.
  for (const { url } of visits) await fetch(url);
  for (let run = 0; run < Number(values.runs); run++)
    for (const visit of visits) reports.set(visit.name, [...(reports.get(visit.name) ?? []), await measure(visit)]);
  const bareScore = scoreOf(reports.get(BARE) ?? [], 'performance');
  const rows = [...reports].map(([name, list]): [string, object] => {
    const row = summary(list);
    const isWithin = row.performance >= bareScore - MAX_POINTS_BELOW;
    return [
      name,
      name === BARE ? row : { ...row, bound: bareScore - MAX_POINTS_BELOW, result: isWithin ? 'held' : 'missed' },
    ];
  });
  console.log(JSON.stringify(Object.fromEntries(rows), null, 2));
} finally {
  bare.close();
  await kat?.dispose();
}

async function visitsOf(url: string): Promise<Visit[]> {
  const pages = chosenPages(values.page).map((page) => ({
    name: pageName(page),
    url: url + page.path,
    user: page.user,
  }));
  const hasForecast = values.page?.includes(FORECAST) ?? true;
  const newest = await waitForFirstForecast(url);
  return [
    { name: BARE, url: `${bare.url}/`, user: null },
    ...pages,
    ...(hasForecast ? [{ name: FORECAST, url: url + newest, user: null }] : []),
  ];
}

async function load(): Promise<Tools> {
  const own = (path: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(FOLDER, path)).href);
  const [lighthouse, launcher] = await Promise.all([
    own('lighthouse/core/index.js'),
    own('chrome-launcher/dist/index.js'),
  ]);
  if (!isCallable(lighthouse.default) || !isCallable(launcher.launch)) throw new Error('This is another Lighthouse.');
  return { lighthouse: lighthouse.default, launch: launcher.launch };
}

// biome-ignore lint/suspicious/noExplicitAny: a tool without types of ours
function isCallable(value: unknown): value is (...args: any[]) => Promise<any> {
  return typeof value === 'function';
}

async function measure({ url, user }: Visit): Promise<Report> {
  const chrome = await tools.launch({
    chromePath: ensureChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    if (user !== null) await enter(chrome, new URL(url).origin, user);
    const result = await tools.lighthouse(url, {
      port: chrome.port,
      output: 'json',
      logLevel: 'error',
      disableStorageReset: user !== null,
    });
    return reportSchema.parse(result?.lhr);
  } finally {
    chrome.kill();
  }
}

/** Puts the user's session into this browser; nothing else of the site is in its cache. */
async function enter(chrome: Chrome, origin: string, user: string): Promise<void> {
  const stored = sessions.get(user) ?? (await newSession(origin, user));
  sessions.set(user, stored);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${chrome.port}`);
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('The browser has no context.');
  const page = await context.newPage();
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate((entries) => {
    for (const [key, value] of JSON.parse(entries)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
  await browser.close();
}

/** @returns local storage after signing in, as JSON entries */
async function newSession(origin: string, user: string): Promise<string> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await signIn(page, origin, user);
    return await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  } finally {
    await browser.close();
  }
}

function scoreOf(reports: readonly Report[], name: keyof Report['categories']): number {
  return Math.round(median(reports.map(({ categories }) => (categories[name].score ?? 0) * 100)));
}

function summary(reports: readonly Report[]) {
  const value = (name: keyof Report['audits']) =>
    median(reports.map((r) => measured.parse(r.audits[name]).numericValue ?? Number.NaN));
  return {
    performance: scoreOf(reports, 'performance'),
    accessibility: scoreOf(reports, 'accessibility'),
    bestPractices: scoreOf(reports, 'best-practices'),
    seo: scoreOf(reports, 'seo'),
    fcpMs: Math.round(value('first-contentful-paint')),
    lcpMs: Math.round(value('largest-contentful-paint')),
    cls: Number(value('cumulative-layout-shift').toFixed(4)),
    tbtMs: Math.round(value('total-blocking-time')),
    kilobytes: Math.round(value('total-byte-weight') / 1024),
    benchmarkIndex: Math.round(median(reports.map((report) => report.environment.benchmarkIndex))),
    below: below(reports),
  };
}

/** Audits that cost points in every run. */
function below(reports: readonly Report[]): string[] {
  const failed = reports.map(({ audits }) =>
    Object.entries(audits)
      .filter(([, audit]) => 'score' in audit && typeof audit.score === 'number' && audit.score < 0.9)
      .map(([name]) => name),
  );
  return (failed[0] ?? []).filter((name) => failed.every((names) => names.includes(name)));
}
