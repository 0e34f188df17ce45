/**
 * Lighthouse on the site as `npm start` serves it, on its mobile profile: the median of five runs per page, as a JSON
 * table. `benchmarkIndex` says how fast Lighthouse found this machine: compare scores only beside it. Its own packages are in bench/lighthouse (run `npm ci` there first).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { recordListSchema } from '#domain/record/figures/track-summary.ts';
import { forecastPath, houseForecastId } from '#domain/share/forecast-id.ts';
import { ensureChromium } from '../../tests/support/browser/chromium.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';

/** Replaced by the page of the newest free forecast of the record, which is open while it runs. */
const FORECAST = '/f/';
const PAGES = ['/', '/kat', '/pricing', '/ai-models', '/track-record', '/gallery', FORECAST];
const FOLDER = join(import.meta.dirname, '../lighthouse/node_modules');

const SLOT_MS = 5 * 60_000;
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

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    runs: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true },
  },
});
if (!existsSync(FOLDER)) throw new Error('Lighthouse is not installed: npm ci --prefix bench/lighthouse');
const tools = await load();
// The record has its first forecasts at the next slot, at most five minutes later.
const kat = values.url === undefined ? await startKat({ env: { HOUSE_FORECASTS: 'on' } }) : null;
try {
  const url = values.url ?? kat?.url ?? '';
  const rows: Record<string, unknown> = {};
  for (const name of values.page ?? PAGES) {
    const page = name === FORECAST ? await newestForecast(url) : name;
    // A first request fills the server's per-origin caches.
    await fetch(url + page);
    const reports: Report[] = [];
    for (let run = 0; run < Number(values.runs); run++) reports.push(await measure(url + page));
    rows[name] = summary(reports);
  }
  console.log(JSON.stringify(rows, null, 2));
} finally {
  await kat?.dispose();
}

/** Waits for the first slot. @returns its path */
async function newestForecast(url: string): Promise<string> {
  const { exc: _, ...free } = PUBLIC_FORECAST;
  const path = `/record/records.json?${new URLSearchParams({ ...free, sealed: 'only', limit: '1' })}`;
  const untilMs = Date.now() + 2 * SLOT_MS;
  for (;;) {
    const [newest] = recordListSchema.parse(await (await fetch(url + path)).json());
    if (newest?.state === 'sealed') return forecastPath(houseForecastId(newest.seq, newest.hash));
    if (Date.now() > untilMs) throw new Error('The record has no forecast.');
    await setTimeout(1000);
  }
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

async function measure(url: string): Promise<Report> {
  const chrome = await tools.launch({
    chromePath: ensureChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const result = await tools.lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error' });
    return reportSchema.parse(result?.lhr);
  } finally {
    chrome.kill();
  }
}

function summary(reports: readonly Report[]) {
  const score = (name: keyof Report['categories']) => median(reports.map((r) => (r.categories[name].score ?? 0) * 100));
  const value = (name: keyof Report['audits']) =>
    median(reports.map((r) => measured.parse(r.audits[name]).numericValue ?? Number.NaN));
  return {
    performance: Math.round(score('performance')),
    accessibility: Math.round(score('accessibility')),
    bestPractices: Math.round(score('best-practices')),
    seo: Math.round(score('seo')),
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
