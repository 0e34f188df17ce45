/**
 * `npm run bench -- arrival`: what opening a page costs the browser's main thread, against a bare page in the same
 * rounds. It counts processor time from Chromium's trace, so that a busy machine changes the ratio little.
 *
 * --rounds N (default 5), --page PATH (repeatable), --screen phone|wide (default phone), --url NAME=URL (repeatable: running
 * servers to compare; by default it starts one), --trace FOLDER (keeps the traces of the last round)
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../../tests/support/browser/chromium.ts';
import { signIn } from '../../../tests/support/browser/site-driver.ts';
import { startKat } from '../../../tests/support/servers/kat-server.ts';
import { serveBarePage } from './bare/serve-bare.ts';
import { waitForFirstForecast } from './first-forecast.ts';
import { chosenPages, type MeasuredPage, median, pageName } from './page-bounds.ts';
import { type ArrivalFigures, arrivalFigures, TRACE_CATEGORIES } from './trace-figures.ts';

/** After its load event a page is traced this long. */
const QUIET_MS = 5000;
const SCREENS = {
  phone: { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true },
  wide: { viewport: { width: 1440, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;
const BARE = 'bare page';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true },
    screen: { type: 'string', default: 'phone' },
    url: { type: 'string', multiple: true },
    trace: { type: 'string' },
  },
});
const screen = values.screen === 'wide' ? SCREENS.wide : SCREENS.phone;
const pages = chosenPages(values.page);
const kat = values.url === undefined ? await startKat({ args: ['--demo'], env: { HOUSE_FORECASTS: 'on' } }) : null;
const sites = (values.url ?? [`site=${kat?.url}`]).map((text) => {
  const [name = '', url = ''] = text.split(/=(.*)/);
  return { name, url };
});
const bare = await serveBarePage();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const { url } of sites) await waitForFirstForecast(url);
  const visits = await Promise.all(sites.map((site) => visitsOf(browser, site, pages)));
  const measured = new Map<string, ArrivalFigures[]>();
  const note = (name: string, figures: ArrivalFigures) => measured.set(name, [...(measured.get(name) ?? []), figures]);
  // A first visit fills the servers' caches.
  for (const visit of visits.flat()) await arrive(browser, visit);
  for (let round = 0; round < Number(values.rounds); round++) {
    note(BARE, await arrive(browser, { name: BARE, url: `${bare.url}/`, state: undefined }));
    for (const visit of visits.flat()) note(visit.name, await arrive(browser, visit));
  }
  console.log(JSON.stringify({ screen: values.screen, rounds: Number(values.rounds), ...table(measured) }, null, 2));
} finally {
  await browser.close();
  bare.close();
  await kat?.dispose();
}

interface Visit {
  name: string;
  url: string;
  /** Of a signed-in user. */
  state: BrowserContextOptions['storageState'];
}

async function visitsOf(
  from: Browser,
  site: { name: string; url: string },
  opened: readonly MeasuredPage[],
): Promise<Visit[]> {
  const states = new Map<string, BrowserContextOptions['storageState']>();
  for (const { user } of opened)
    if (user !== null && !states.has(user)) {
      const context = await from.newContext();
      await signIn(await context.newPage(), site.url, user);
      states.set(user, await context.storageState());
      await context.close();
    }
  return opened.map((page) => ({
    name: `${site.name} ${pageName(page)}`,
    url: site.url + page.path,
    state: states.get(page.user ?? ''),
  }));
}

/** Opens the page with an empty cache. */
async function arrive(from: Browser, { name, url, state }: Visit): Promise<ArrivalFigures> {
  const context = await from.newContext({ ...screen, ...(state === undefined ? {} : { storageState: state }) });
  try {
    const page = await context.newPage();
    // Its process exists before the trace begins, or the trace may lack the first events.
    await page.goto(new URL('/robots.txt', url).href);
    const trace = await traced(page, async () => {
      await page.goto(url, { waitUntil: 'load' });
      await page.waitForTimeout(QUIET_MS);
    });
    if (values.trace !== undefined) {
      mkdirSync(values.trace, { recursive: true });
      writeFileSync(join(values.trace, `${name.replaceAll(/\W+/g, '-')}.json`), JSON.stringify({ traceEvents: trace }));
    }
    return arrivalFigures(trace, url);
  } finally {
    await context.close();
  }
}

async function traced(page: Page, work: () => Promise<void>): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  const events: unknown[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: TRACE_CATEGORIES },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return events;
}

function table(measured: ReadonlyMap<string, readonly ArrivalFigures[]>) {
  const bareRuns = measured.get(BARE) ?? [];
  const rows = [...measured].map(([name, runs]) => {
    const of = (figure: keyof ArrivalFigures) => Math.round(median(runs.map((run) => run[figure])));
    const figures = {
      cpuMs: of('cpuMs'),
      longestMs: of('longestMs'),
      tasks: of('tasks'),
      frames: of('frames'),
      requests: of('requests'),
      kilobytes: of('kilobytes'),
    };
    const page = pages.find((one) => name.endsWith(` ${pageName(one)}`));
    if (page === undefined) return { name, ...figures };
    // Of each round, because the machine's speed changes between rounds.
    const ratio = median(runs.map(({ cpuMs }, round) => cpuMs / (bareRuns[round]?.cpuMs ?? Number.NaN)));
    return {
      name,
      ...figures,
      ratio: Number(ratio.toFixed(2)),
      bound: page.maxRatio,
      result: ratio <= page.maxRatio ? 'held' : 'missed',
    };
  });
  return { pages: rows };
}
