/**
 * Tests the market panel on the home page in a real browser: live, fallback and old figures. dashboard.test.ts opens
 * it too.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { readDownTo, simulatedBar, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type LeasedKat, leaseKat, type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const GLOBAL = '**/api/v3/global*';
const COINS = '**/api/v3/coins/markets*';
const INDEX = '**/fng/*';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const HOUR_MS = 3_600_000;

let kat: SharedKat;
/** Used at night, when tests move the server's clock and inject faults. */
let leased: LeasedKat | null = null;
let browser: Browser;

beforeAll(async () => {
  if (isNight) leased = await leaseKat();
  kat = leased ?? (await sharedKat('plain'));
  browser = await launchChromium();
  // The server collects the figures while it starts.
  await vi.waitFor(async () => {
    for (const path of ['/api/v3/global', '/api/v3/coins/markets?vs_currency=usd', '/fng/?limit=1'])
      expect((await fetch(`${kat.url}${path}`)).status).toBe(200);
  });
});

afterAll(async () => {
  await browser?.close();
  await leased?.release();
});

async function open(viewport = WIDE, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await prepare?.(page);
  const panel = page.getByRole('region', { name: 'Market', exact: true });
  const figure = (name: string) => panel.locator(`dt:text-is("${name}") + dd`).textContent();
  return { page, panel, figure, close: () => context.close() };
}

const NAMES = ['Market cap', '24h volume', 'BTC dominance', 'Fear & greed', 'BTC', 'ETH'];

test('marks fallback figures when all sources fail, and loads the market on Retry without layout shift', async () => {
  const paths = [GLOBAL, COINS, INDEX];
  const answers = Promise.withResolvers<void>();
  const { page, panel, figure, close } = await open(PHONE, async (opened) => {
    for (const path of paths)
      await opened.route(path, async (route) => {
        await answers.promise;
        await route.abort();
      });
  });
  const trouble = watchTrouble(page, kat.url, [/\/(api\/v3|fng)\//]);
  const heights = async () => {
    const measured: (number | undefined)[] = [];
    for (const viewport of [PHONE, WIDE]) {
      await page.setViewportSize(viewport);
      await nextFrames(page);
      expect(await overflowOf(page)).toBe(0);
      measured.push((await panel.boundingBox())?.height);
    }
    return measured;
  };
  await page.goto(kat.url);
  await readDownTo(page, panel.getByRole('status', { name: 'Loading market' }));
  const before = await heights();

  answers.resolve();
  await panel.getByText('Data fetch failed. Fallback figures, not live.').waitFor();
  await expect.poll(() => panel.getByText('Fallback figures', { exact: true }).count()).toBe(1);
  expect(await Promise.all(NAMES.map(figure))).toEqual([
    ...['$3.43Tfallback', '$53.80Bfallback', '62.5%fallback', '68Greed, fallback'],
    ...['$107,632fallback', '$2,441fallback'],
  ]);
  expect(await panel.getByRole('table').count()).toBe(0);
  for (const path of paths) await page.unroute(path);
  await panel.getByRole('button', { name: 'Retry' }).click();

  await panel.getByText(/^US dollars\. Source: Sandbox market\./).waitFor();
  await expect.poll(() => panel.getByText(/fallback/i).count()).toBe(0);
  expect(await heights()).toEqual(before);
  expect(await figure('Market cap')).toMatch(/^\$\d\.\d\dT$/);
  expect(await figure('24h volume')).toMatch(/^\$[\d.]+[BM]$/);
  expect(await figure('BTC dominance')).toMatch(/^\d\d\.\d%$/);
  expect(await figure('Fear & greed')).toMatch(/^\d{1,3}(Extreme Greed|Greed|Neutral|Fear|Extreme Fear)$/);
  expect(await figure('BTC')).toMatch(/^\$[\d,]{5,}$/);
  await expect.poll(() => panel.getByRole('row').count()).toBe(21);
  await simulatedBar(page).waitFor();

  const list = panel.getByRole('region', { name: 'Largest coins' });
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport);
    await list.evaluate((element) => element.scrollTo({ top: 0, behavior: 'instant' }));
    await list.focus();
    await page.keyboard.press('End');
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(200);
  }
  expect(trouble).toEqual([]);
  await close();
});

test.each(
  isNight
    ? [
        {
          viewport: WIDE,
          path: GLOBAL,
          text: 'Global market fetch failed. Market cap, volume and dominance are fallback figures, not live.',
          fallen: ['Market cap', '24h volume', 'BTC dominance'],
          rows: 21,
        },
        {
          viewport: PHONE,
          path: COINS,
          text: 'Coin list fetch failed. BTC and ETH are fallback figures, not live.',
          fallen: ['BTC', 'ETH'],
          rows: 0,
        },
      ]
    : [],
)('reports "$text" and keeps the rest live', async ({ viewport, path, text, fallen, rows }) => {
  const { page, panel, figure, close } = await open(viewport, (opened) =>
    opened.route(path, (route) => route.fulfill({ status: 503, json: {} })),
  );
  await page.goto(kat.url);
  await panel.getByText(text).waitFor();

  const shown = await Promise.all(NAMES.map(async (name) => ({ name, text: await figure(name) })));
  expect(shown.filter(({ text }) => text?.includes('fallback')).map(({ name }) => name)).toEqual(fallen);
  expect(await panel.getByRole('row').count()).toBe(rows);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.unroute(path);
  await panel.getByRole('button', { name: 'Retry' }).click();

  await panel
    .getByText(/fallback/i)
    .first()
    .waitFor({ state: 'detached' });
  await expect.poll(() => panel.getByRole('row').count()).toBe(21);
  await close();
});

nightTest('marks the default of the fear and greed index when only the index fails', async () => {
  const { page, panel, figure, close } = await open(WIDE, (opened) =>
    opened.route(INDEX, (route) => route.fulfill({ status: 503, json: {} })),
  );
  await page.goto(kat.url);
  await panel.getByRole('table').waitFor();

  await expect.poll(() => figure('Fear & greed')).toBe('50Neutral, default');
  expect(await panel.getByText('Fallback figures').count()).toBe(0);
  await close();
});

nightTest('keeps earlier figures with their age when newer ones fail', async () => {
  const { page, panel, close } = await open(WIDE, (opened) => opened.clock.install());
  await page.goto(kat.url);
  const table = panel.getByRole('table');
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return table.count();
    })
    .toBe(1);

  await page.route(COINS, (route) => route.fulfill({ status: 503, json: {} }));
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(31_000);
        return panel.getByText(/Coin list fetch failed\. Shown as of \d+[sm] ago\./).count();
      },
      { interval: 300 },
    )
    .toBe(1);

  await expect.poll(() => table.count()).toBe(1);
  expect(await panel.getByText('Fallback figures').count()).toBe(0);
  await close();
});

nightTest('keeps the last figures with their age after the sources have refused for 3 hours', async () => {
  const post = (path: string, body: object) =>
    fetch(`${kat.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const dialect of ['coingecko', 'fear-greed'])
    expect((await post('/dev/market-faults', { part: 'rest', dialect, what: 'status', status: 503 })).ok).toBe(true);
  expect((await post('/dev/clock', { offsetMs: 3 * HOUR_MS })).ok).toBe(true);
  const { page, panel, figure, close } = await open(WIDE, (opened) =>
    opened.clock.setFixedTime(Date.now() + 3 * HOUR_MS),
  );
  await page.goto(kat.url);

  await panel.getByText(/^The sources haven’t responded\. Shown as of 3h ago\.$/).waitFor();
  await expect.poll(() => figure('Fear & greed')).toMatch(/, 3h ago$/);
  await expect.poll(() => panel.getByRole('row').count()).toBe(21);
  expect(await panel.getByText(/fallback/i).count()).toBe(0);

  await page.goto(`${kat.url}/kat`);
  const ticker = page.getByRole('region', { name: 'Market Ticker' });
  await ticker.getByText(/^Last updated 3h ago$/).waitFor();
  await fetch(`${kat.url}/dev/market-faults`, { method: 'DELETE' });
  await post('/dev/clock', { offsetMs: 0 });
  await close();
});
