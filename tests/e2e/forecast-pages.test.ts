/** A saved prediction is shared, read without JavaScript, compared with its picture, framed, and no longer shared. */
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { readPlot } from '../support/browser/forecast-plot.ts';
import { expectBriefly } from '../support/browser/page-clock.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const EMAIL = 'lion@example.com';
const COPIED_MS = 2000;

let kat: LeasedKat;
let browser: Browser;
let owner: Page;
let trouble: string[];
/** Of the shared prediction. */
let path = '';

beforeAll(async () => {
  [kat, browser] = await Promise.all([leaseKat(), launchChromium()]);
  const context = await signedInContext(browser, kat.url, EMAIL, { viewport: { width: 1440, height: 900 } });
  owner = await context.newPage();
  trouble = watchTrouble(owner, kat.url);
  path = await createLink(0);
});
afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

async function without<T>(read: (page: Page) => Promise<T>, options: { width?: number; hasScripts?: boolean } = {}) {
  const { width = 1440, hasScripts = false } = options;
  const context = await browser.newContext({
    javaScriptEnabled: hasScripts,
    colorScheme: 'dark',
    viewport: { width, height: 900 },
  });
  try {
    return await read(await context.newPage());
  } finally {
    await context.close();
  }
}

/** @returns the path of a new link to one of the owner's predictions, counted from the newest */
async function createLink(nth: number): Promise<string> {
  await owner.goto(`${kat.url}/account/predictions`);
  await owner.getByRole('button', { name: 'Share', exact: true }).nth(nth).click();
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = owner.getByRole('link', { name: /\/f\/[0-9a-f]{32}$/ });
  return (await link.getAttribute('href')) ?? '';
}

test('shows anyone the whole page without JavaScript', async () => {
  await without(async (page) => {
    const answer = await page.goto(kat.url + path);
    expect(answer?.status()).toBe(200);
    expect(await page.getByText('Simulated market', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: /^Chart of / }).isVisible()).toBe(true);
    await page.getByText('Every bar as a table').click();
    expect(await page.getByRole('row').count()).toBe(51);
    expect(await page.getByText('For research and education only. Not financial advice.').isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
  });
});

test('fits its page at 1440 and 390 pixels, accessible', async () => {
  await without(
    async (page) => {
      await page.goto(kat.url + path);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => overflowOf(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
      }
    },
    { hasScripts: true },
  );
});

test.each([390, 1440])('moves nothing at %i pixels when fonts and script arrive after the text', async (width) => {
  await without(
    async (page) => {
      const painted = Promise.withResolvers<void>();
      await page.route(/\.woff2$|forecast-page\.js/, async (route) => {
        await painted.promise;
        await route.continue();
      });
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          const sum = list
            .getEntries()
            .reduce((total, entry) => total + (entry as unknown as { value: number }).value, 0);
          const place = document.body.dataset;
          place.shift = String(Number(place.shift ?? 0) + sum);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(kat.url + path, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate(nextFrames);
      painted.resolve();
      await page.getByRole('button', { name: 'Copy link' }).waitFor();
      await page.evaluate(() => document.fonts.ready);
      await page.evaluate(nextFrames);

      expect(await page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true);
      expect(Number(await page.evaluate(() => document.body.dataset.shift ?? 0))).toBeLessThan(0.01);
    },
    { width, hasScripts: true },
  );
});

/** Runs in the page: what was laid out is painted, and reported to observers. */
function nextFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
}

/** Share of the height: strokes of the picture are wider than the page's. */
const TOLERANCE = 0.03;

test('shows in the picture the same candles and bands as the page', async () => {
  const [shot, box] = await without(async (page) => {
    await page.goto(kat.url + path);
    const svg = page.locator('svg.plot.wide');
    const size = await svg.evaluate((plot) => (plot as SVGSVGElement).getAttribute('viewBox'));
    return [await svg.screenshot(), z.string().parse(size).split(' ').map(Number)] as const;
  });
  // A busy server refuses a picture that it could not draw in ten seconds.
  const png = await vi.waitFor(async () => {
    const answer = await fetch(`${kat.url}${path}.png`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  });
  expect((await sharp(png).metadata()).width).toBe(1200);
  expect((await sharp(png).metadata()).height).toBe(630);
  expect(png.length).toBeLessThan(60 * 1024);

  const [, , width = 0, height = 0] = box;
  const historyBars = 70;
  const ofPage = await readPlot(shot, {
    left: 0,
    top: 0,
    width: width - 84,
    height: height - 24,
    viewWidth: width,
    historyBars,
  });
  // As in the picture's layout: margin, top of the plot, and its axes.
  const ofPicture = await readPlot(png, {
    left: 56,
    top: 202,
    viewWidth: 1200,
    historyBars,
    width: 1200 - 2 * 56 - 116,
    height: 528 - 202 - 25 * 1.6 - 32,
  });
  expect(ofPage.candles.length).toBeGreaterThan(60);
  expect(ofPicture.candles.length).toBe(ofPage.candles.length);
  const differences = (kind: 'candles' | 'bands') =>
    ofPage[kind].flatMap((edges, i) => edges.map((edge, k) => Math.abs((ofPicture[kind][i]?.[k] ?? 1) - edge)));
  // The outcome's line hides parts of what lies under it, and it is wider in the picture. So a few may differ.
  for (const kind of ['candles', 'bands'] as const) {
    const sorted = differences(kind).sort((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)], `median of ${kind}`).toBeLessThan(TOLERANCE / 2);
    expect(sorted[Math.floor(0.85 * sorted.length)], `85% of ${kind}`).toBeLessThan(TOLERANCE);
  }
});

test('copies the address of the page', async () => {
  await without(
    async (page) => {
      const faults = watchTrouble(page, kat.url);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(kat.url + path);
      await expectBriefly(page, page.getByRole('button', { name: 'Copied' }), COPIED_MS, () =>
        page.getByRole('button', { name: 'Copy link' }).click(),
      );
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kat.url + path);
      expect(faults).toEqual([]);
    },
    { hasScripts: true },
  );
});

/** A page of another origin that frames these paths of the site. */
async function withHostilePage(paths: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const hostile = createServer((_request, response) => {
    const frames = paths.map((path, i) => `<iframe name="frame${i}" src="${kat.url}${path}"></iframe>`);
    response.setHeader('content-type', 'text/html').end(frames.join(''));
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(hostile.address());
  try {
    await use(`http://127.0.0.1:${port}/`);
  } finally {
    hostile.close();
    hostile.closeAllConnections();
  }
}

test('lets another site frame its embed, and not its page', async () => {
  await withHostilePage([`/embed${path}`, path, '/embed/latest'], (url) =>
    without(
      async (page) => {
        await page.goto(url);
        await page.frameLocator('[name=frame0]').getByRole('heading', { level: 1 }).waitFor();
        await page.frameLocator('[name=frame2]').getByRole('heading', { name: /^BTC/ }).waitFor();
        expect(await page.frameLocator('[name=frame1]').getByRole('heading', { level: 1 }).count()).toBe(0);
      },
      { hasScripts: true },
    ),
  );
});

test('shows a hostile page nothing of a signed-in user, and gives its embeds neither cookie nor storage', async () => {
  const refused = [
    '/',
    path,
    '/kat',
    '/account',
    '/account/predictions',
    '/account/security',
    '/track-record',
    '/docs/',
  ];
  await withHostilePage([`/embed${path}`, '/embed/latest', ...refused], async (url) => {
    const page = await owner.context().newPage();
    const cookies: string[] = [];
    page.on('response', async (answer) => {
      const setCookie = (await answer.allHeaders())['set-cookie'];
      if (setCookie !== undefined) cookies.push(answer.url());
    });
    await page.goto(url);
    for (const embed of ['frame0', 'frame1']) {
      await page.frameLocator(`[name=${embed}]`).getByRole('heading', { level: 1 }).waitFor();
      // Evaluated as if the embed could run scripts, which it cannot.
      const found = await page.frame(embed)?.evaluate(() => {
        const tried = (read: () => unknown) => {
          try {
            return String(read());
          } catch (error) {
            return (error as Error).name;
          }
        };
        return [
          self.origin,
          tried(() => document.cookie),
          tried(() => localStorage.length),
          tried(() => parent.document.title),
        ];
      });
      expect(found).toEqual(['null', 'SecurityError', 'SecurityError', 'SecurityError']);
    }
    for (const [i, place] of refused.entries()) {
      const frame = page.frame(`frame${i + 2}`);
      expect([place, frame?.url(), await frame?.evaluate(() => document.body.innerText.includes('Kat'))]).toEqual([
        ...[place, 'chrome-error://chromewebdata/', false],
      ]);
    }
    // Nor does a page of another origin read an answer, with the site's cookies or without.
    const read = await page.evaluate(
      async ([site, shared]) =>
        Promise.all(
          [
            `${shared}.json`,
            `/embed${shared}`,
            '/account',
            '/rest/v1/user_predictions',
            '/chances?kind=window&minutes=5',
          ].map((at) =>
            fetch(site + at, { credentials: 'include' }).then(
              ({ type }) => type,
              ({ name }) => name,
            ),
          ),
        ),
      [kat.url, path] as const,
    );
    expect(read).toEqual(Array(5).fill('TypeError'));
    expect(cookies).toEqual([]);
    await page.close();
  });
});

test('is created by its owner, and leads nowhere once its owner stops sharing it', async () => {
  const left = await createLink(1);
  expect(left).toMatch(/^\/f\/[0-9a-f]{32}$/);
  expect((await fetch(kat.url + left)).status).toBe(200);
  await owner.getByRole('button', { name: 'Stop sharing' }).click();
  await owner.getByText('Not shared. Sharing it again makes a new link.').waitFor();

  for (const form of [left, `${left}.png`, `${left}.json`, `/embed${left}`])
    expect((await fetch(kat.url + form)).status, form).toBe(404);
  await without(async (page) => {
    await page.goto(kat.url + left);
    expect(await page.getByRole('heading', { name: 'Forecast not found' }).isVisible()).toBe(true);
  });
  expect(trouble).toEqual([]);
});
