/** Tests the weekly and monthly chart in a real browser: its line, its readout, and an unresponsive exchange. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { readDownTo, simulatedBar, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type KatServer, startKat } from '../support/servers/kat-server.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const OHLC = '**/0/public/OHLC*';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let kat: SharedKat;
/**
 * A fault is injected at night, so the server must be new: one that already drew the chart would answer from its
 * cache.
 */
let own: KatServer | null = null;
let browser: Browser;

beforeAll(async () => {
  if (isNight) own = await startKat({ env: { DEVELOPMENT: 'faults,patient' } });
  kat = own ?? (await sharedKat('plain'));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await own?.dispose();
});

async function open(viewport = WIDE, prepare?: (page: Page) => Promise<unknown>, deviceScaleFactor = 1) {
  const context = await browser.newContext({ viewport, deviceScaleFactor });
  const page = await context.newPage();
  await prepare?.(page);
  const panel = page.getByRole('region', { name: /^[A-Z]+-USD (Weekly|Monthly)$/ });
  const chart = panel.getByRole('img');
  const points = () => expect.poll(() => chart.getAttribute('data-point-count'));
  return { page, panel, chart, points, close: () => context.close() };
}

function setFault(method: 'POST' | 'DELETE', fault?: object) {
  return fetch(`${kat.url}/dev/market-faults`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(fault === undefined ? {} : { body: JSON.stringify(fault) }),
  });
}

nightTest('reports an exchange’s error with pair and interval, and draws the chart on Retry', async () => {
  const fault = { part: 'rest', dialect: 'kraken', what: 'status', status: 503 };
  expect((await setFault('POST', fault)).ok).toBe(true);
  const { page, panel, points, close } = await open();
  await page.goto(`${kat.url}/kat#market`);
  await panel.getByText('Failed to load BTC-USD (1W): EService:Unavailable').waitFor({ timeout: 2 * WAIT_MS });

  await setFault('DELETE');
  const retry = panel.getByRole('button', { name: 'Retry' });
  await expect
    .poll(
      async () => {
        if ((await retry.count()) === 1 && (await retry.isEnabled())) await retry.click();
        return panel.getByRole('img').count();
      },
      { interval: 500 },
    )
    .toBe(1);

  await points().toBe('260');
  await close();
});

describe('the chart of a working market', () => {
  // Two pixels per point, as on a phone.
  let opened: Awaited<ReturnType<typeof open>>;
  let trouble: string[];
  const requests: string[] = [];
  beforeAll(async () => {
    opened = await open(WIDE, undefined, 2);
    const { page } = opened;
    trouble = watchTrouble(page, kat.url, [/OHLC/]);
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/0/public/OHLC') requests.push(search);
    });
  });
  afterAll(() => opened?.close());

  test('draws the line after a failed request, reads it by pointer and keys, and follows theme, view, interval and symbol', async () => {
    await drawAfterRetry();
    await readLine();
    await followTheme();
    await changeView();
    await followSymbol();
  });

  /** Reports a failed first request, draws the line on Retry, and moves nothing at either width. */
  async function drawAfterRetry(): Promise<void> {
    const { page, panel, points } = opened;
    const answer = Promise.withResolvers<void>();
    await page.route(OHLC, async (route) => {
      await answer.promise;
      await route.abort();
    });
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
    await page.goto(`${kat.url}/kat#market`);
    await panel.getByRole('status', { name: 'Loading BTC-USD, weekly closes' }).waitFor();
    const before = await heights();

    answer.resolve();
    await panel.getByText('Failed to load BTC-USD (1W): we couldn’t reach the server').waitFor();
    expect(await heights()).toEqual(before);

    await page.unroute(OHLC);
    requests.length = 0;
    await panel.getByRole('button', { name: 'Retry' }).click();
    await points().toBe('260');
    expect(await heights()).toEqual(before);
  }

  /** Reads the line by pointer and arrow keys, and draws it at full resolution. */
  async function readLine(): Promise<void> {
    const { page, panel, chart } = opened;
    const size = await chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => ({
      pixels: [canvas.width, canvas.height],
      shown: [canvas.clientWidth * 2, canvas.clientHeight * 2],
    }));
    expect(size.pixels).toEqual(size.shown);

    const readout = panel.locator('[data-readout]');
    await expect.poll(() => readout.textContent()).toContain('in progress');
    const slider = panel.getByRole('slider', { name: 'Points of BTC-USD, weekly closes: move with the arrow keys' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await readout.textContent()).not.toContain('in progress');
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('data-index')).toBe('0');
    await slider.blur();

    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox()) ?? expect.fail('not shown');
    await page.mouse.move(box.x + 5, box.y + 100);
    expect(Number(await chart.getAttribute('data-index'))).toBeLessThan(5);
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await expect.poll(async () => Number(await chart.getAttribute('data-index'))).toBeGreaterThan(80);
    await page.mouse.move(box.x + 5, box.y - 200);
    await expect.poll(() => chart.getAttribute('data-index')).toBeNull();
  }

  /** Draws the line in the colours of the theme. */
  async function followTheme(): Promise<void> {
    const { page, panel } = opened;
    /** @returns the brightness of the darkest and the brightest visible pixel */
    const range = () =>
      panel.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const seen: number[] = [];
        for (let i = 0; i < data.length; i += 4) if ((data[i + 3] ?? 0) > 240) seen.push(data[i] ?? 0);
        return { low: seen.reduce((a, b) => Math.min(a, b), 255), high: seen.reduce((a, b) => Math.max(a, b), 0) };
      });

    await expect.poll(async () => (await range()).high).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Toggle theme' }).first().click();

    await expect.poll(async () => (await range()).low).toBeLessThan(60);
  }

  /** Shows 260 weeks of Bitcoin, 600 in the wide view, and months. */
  async function changeView(): Promise<void> {
    const { page, panel, chart, points } = opened;
    expect((await chart.boundingBox())?.height).toBe(280);
    expect(await chart.getAttribute('aria-label')).toMatch(
      /^BTC-USD, weekly closes: [\d,]+, week of \d+ \w+ \d{4} \(in progress\); [+−]?[\d.]+% since .*, over 260 points\. Highest .*; lowest .*\.$/,
    );
    await simulatedBar(page).waitFor();
    await panel.getByText('260 weeks, closes in US dollars. Source: Sandbox market.').waitFor();
    await panel.getByRole('button', { name: 'Wide view' }).click();
    await points().toBe('600');

    await panel.getByRole('button', { name: '1M, monthly' }).click();
    await page.getByRole('heading', { name: 'BTC-USD Monthly' }).waitFor();
    await expect.poll(async () => Number(await chart.getAttribute('data-point-count'))).toBeLessThanOrEqual(260);
    expect(await panel.getByRole('button', { name: 'Wide view' }).isDisabled()).toBe(true);
    expect(requests).toEqual(['?pair=XBTUSD&interval=10080', '?pair=XBTUSD&interval=43200']);
    expect(trouble).toEqual([]);
  }

  /** Follows the chosen symbol, and falls back to Bitcoin for one without a chart. */
  async function followSymbol(): Promise<void> {
    const { page, panel } = opened;
    const choose = async (label: string) => {
      await page.getByRole('combobox', { name: 'Symbol' }).click();
      await page.getByRole('option', { name: label }).click();
    };

    await choose('SOL');
    await page.getByRole('heading', { name: 'SOL-USD Monthly' }).waitFor();
    await panel.getByRole('button', { name: '1W, weekly' }).click();
    await page.getByRole('heading', { name: 'SOL-USD Weekly' }).waitFor();
    await choose('MSFT');
    await page.getByRole('heading', { name: 'BTC-USD Weekly' }).waitFor();

    await panel.getByText(/There is no weekly chart for MSFT, so this shows Bitcoin\./).waitFor();
    await panel.getByRole('button', { name: '1M, monthly' }).click();
    await panel.getByText(/There is no monthly chart for MSFT, so this shows Bitcoin\./).waitFor();
  }
});

nightTest('reports failed months as (1M), and loads them on Retry', async () => {
  const months = '**/0/public/OHLC?*interval=43200*';
  const { page, panel, points, close } = await open(WIDE, (opened) =>
    opened.route(months, (route) => route.fulfill({ json: { error: ['EService:Unavailable'] } })),
  );
  await page.goto(`${kat.url}/kat#market`);
  await points().toBe('260');
  await panel.getByRole('button', { name: '1M, monthly' }).click();
  await panel.getByText('Failed to load BTC-USD (1M): EService:Unavailable').waitFor();

  await page.unroute(months);
  await panel.getByRole('button', { name: 'Retry' }).click();

  await panel.getByText(/Months before \w+ \d{4} are built from the weeks that start in them\./).waitFor();
  await panel.getByRole('button', { name: '1W, weekly' }).click();
  await points().toBe('260');
  await close();
});

nightTest('shows "No data" for an empty answer', async () => {
  const empty = { error: [], result: { XXBTZUSD: [], last: 0 } };
  const { page, panel, close } = await open(WIDE, (opened) =>
    opened.route(OHLC, (route) => route.fulfill({ json: empty })),
  );
  await page.goto(`${kat.url}/kat#market`);

  await panel.getByText('No data', { exact: true }).waitFor();
  await close();
});

const SCREENS = [
  ['phone', PHONE],
  ['wide', WIDE],
] as const;

// In the daytime run one page is checked at both widths, above.
test.each(isNight ? SCREENS : [])(
  'keeps its height when the line arrives and when the request fails (%s)',
  async (_what, viewport) => {
    const answer = Promise.withResolvers<'go on' | 'fail'>();
    const { page, panel, points, close } = await open(viewport, (opened) =>
      opened.route(OHLC, async (route) => {
        if ((await answer.promise) === 'fail') await route.abort();
        else await route.continue();
      }),
    );
    await page.goto(`${kat.url}/kat#market`);
    await readDownTo(page, panel.getByRole('status', { name: 'Loading BTC-USD, weekly closes' }));
    const height = async () => (await panel.boundingBox())?.height;
    const before = await height();

    answer.resolve('go on');
    await points().toBe('260');
    expect(await height()).toBe(before);

    await page.route(OHLC, (route) => route.abort());
    await page.reload();
    await readDownTo(page, panel.getByText('Failed to load BTC-USD (1W): we couldn’t reach the server'));
    expect(await height()).toBe(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await close();
  },
);

nightTest('shows the age of an old line and keeps its points', async () => {
  const { page, panel, points, close } = await open(WIDE, (opened) =>
    opened.route(OHLC, async (route) => {
      const response = await route.fetch();
      const headers = {
        'x-market-kind': 'simulated',
        'x-market-attribution': 'Sandbox market',
        'x-market-stale': 'true',
        'x-fetched-at': new Date(Date.now() - 3.5 * 3_600_000).toISOString(),
      };
      await route.fulfill({ json: await response.json(), headers });
    }),
  );
  await page.goto(`${kat.url}/kat#market`);

  await panel.getByText(/Sandbox market hasn’t responded\. Shown as of 3h ago\./).waitFor();
  await points().toBe('260');
  await close();
});
