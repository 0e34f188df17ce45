/** Tests /youtube in a real browser: the channel, its defaults when it is unavailable, and its videos. */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf, shiftOf, watchShifts } from '../support/browser/page-quality.ts';
import { watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const STATS = '**/functions/v1/channel-stats';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Allows one rounding error of the browser. */
const STILL = 0.001;
const VIEWS = [
  ['wide, dark', WIDE, true],
  ['phone, light', PHONE, false],
] as const;
const OTHER_VIEWS = [
  ['wide, light', WIDE, false],
  ['phone, dark', PHONE, true],
] as const;

let kat: SharedKat;
let browser: Browser;
let visitor: BrowserContext;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  visitor = await browser.newContext();
});

afterAll(async () => {
  await browser?.close();
});

async function open(viewport: typeof WIDE, isDark: boolean, answer?: (route: Route) => Promise<unknown>) {
  const page = await visitor.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript((dark) => localStorage.setItem('darkMode', dark), String(isDark));
  await watchShifts(page);
  page.on('dialog', (dialog) => expect.fail(`a script ran: ${dialog.message()}`));
  if (answer !== undefined) await page.route(STATS, answer);
  const profile = page.getByRole('region', { name: 'Channel', exact: true });
  const videos = page.getByRole('region', { name: 'Recent videos' });
  const figure = (name: string) => profile.locator(`dt:text-is("${name}") + dd`).textContent();
  return { page, profile, videos, figure, close: () => page.close() };
}

function aChannel(change: object = {}) {
  return {
    kind: 'live',
    fetchedAt: new Date(Date.now() - 300_000).toISOString(),
    title: 'A channel',
    subscriberCount: 41_260,
    viewCount: 2_345_678,
    videos: Array.from({ length: 10 }, (_, n) => aVideo(n)),
    ...change,
  };
}

function aVideo(n: number, change: object = {}) {
  return {
    id: `v${n}`,
    title: `Video ${n}`,
    description: `What happens in video ${n}. `.repeat(20),
    viewCount: 1000 * n,
    publishedAt: new Date(Date.now() - n * 86_400_000).toISOString(),
    url: `https://video.example/watch?v=${n}`,
    ...change,
  };
}

/** Checks what holds for the page in every state. */
async function expectSound(page: Page): Promise<void> {
  expect(await axeViolations(page, 'main')).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(await shiftOf(page)).toBeLessThan(STILL);
}

test.each(isNight ? VIEWS : VIEWS.slice(0, 1))(
  'shows the sandbox channel marked as simulated, with ten videos, newest first (%s)',
  async (_what, viewport, isDark) => {
    const { page, profile, videos, figure, close } = await open(viewport, isDark);
    const trouble = watchTrouble(page, kat.url);
    await page.goto(`${kat.url}/youtube`);

    await videos.getByRole('listitem').first().waitFor();

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('YouTube');
    await expect.poll(() => profile.getByText('simulated', { exact: true }).count()).toBe(1);
    expect(await figure('Subscribers')).toMatch(/^[\d.]+[KM]?$/);
    expect(await figure('Views')).toMatch(/^[\d.]+[KM]?$/);
    await expect.poll(() => profile.getByRole('heading', { name: 'Sandbox sample channel' }).count()).toBe(1);
    await expect.poll(() => videos.getByText('simulated').count()).toBe(1);
    const titles = await videos.getByRole('heading', { level: 3 }).allTextContents();
    expect(titles).toHaveLength(10);
    expect(titles.filter((title) => /shorts/i.test(title))).toEqual([]);
    const links = videos.getByRole('link', { name: /^Watch / });
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(new Set(addresses.filter((address) => /^https:\/\/example\.com\/watch\?v=[\w-]+$/.test(address))).size).toBe(
      10,
    );
    const published = await videos
      .locator('time')
      .evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
    expect(published).toEqual(published.toSorted((a, b) => b - a));
    expect(published.every((timeMs) => timeMs <= Date.now())).toBe(true);
    await expect.poll(() => profile.getByText('sample', { exact: true }).count()).toBe(4);
    await expectSound(page);
    expect(trouble).toEqual([]);
    await close();
  },
);

test.each(isNight ? OTHER_VIEWS : OTHER_VIEWS.slice(1))(
  'replaces the loading state with ten videos without moving anything (%s)',
  async (_what, viewport, isDark) => {
    const held = Promise.withResolvers<void>();
    const { page, profile, videos, figure, close } = await open(viewport, isDark, async (route) => {
      await held.promise;
      await route.fulfill({ json: aChannel() });
    });
    await page.goto(`${kat.url}/youtube`);
    await videos.getByRole('status', { name: 'Loading videos' }).waitFor();
    const top = async () => (await videos.boundingBox())?.y;
    const before = await top();
    expect(await axeViolations(page, 'main')).toEqual([]);
    held.resolve();
    await videos.getByRole('heading', { name: 'Video 9' }).waitFor();

    expect(await top()).toBe(before);
    expect([await figure('Subscribers'), await figure('Views')]).toEqual(['41.3K', '2.3M']);
    expect(await profile.getByText('simulated').count()).toBe(0);
    const watch = videos.getByRole('link', { name: 'Watch Video 3' });
    expect([
      await watch.getAttribute('href'),
      await watch.getAttribute('target'),
      await watch.getAttribute('rel'),
    ]).toEqual(['https://video.example/watch?v=3', '_blank', 'noopener noreferrer']);
    await expectSound(page);
    await close();
  },
);

const refused = (route: Route) => route.fulfill({ status: 503, json: {} });
const html = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>Busy</html>' });
const unreachable = (route: Route) => route.abort();
/** The answer of a server whose video source has never answered. */
const neverAnswered = (route: Route) =>
  route.fulfill({
    json: aChannel({ fetchedAt: null, title: null, subscriberCount: null, viewCount: null, videos: [] }),
  });

function hostileVideos() {
  const title = `<img src=x onerror=alert(1)>\u202e\u05de\u05ea\u05e7\u05e4\u05d4 ${'x'.repeat(10_000)}`;
  const videos = [aVideo(0, { title, description: title, viewCount: null }), aVideo(1, { description: '' }), aVideo(2)];
  return aChannel({ title, subscriberCount: null, videos });
}

test.each(isNight ? [WIDE, PHONE] : [WIDE])(
  'shows marked defaults until Retry, and hostile titles as text in rows of equal height ($width px)',
  async (viewport) => {
    let fault: (route: Route) => Promise<void> = refused;
    const { page, profile, videos, figure, close } = await open(viewport, false, (route) => fault(route));
    await page.goto(`${kat.url}/youtube`);
    for (const answer of [refused, html, unreachable, neverAnswered]) {
      if (fault !== answer) {
        fault = answer;
        const again = page.waitForRequest(STATS);
        await videos.getByRole('button', { name: 'Retry' }).click();
        await again;
      }
      await profile.getByText('These are default figures, not live counts.').waitFor();
      await videos.getByRole('button', { name: 'Retry', disabled: false }).waitFor();

      expect([await figure('Subscribers'), await figure('Views')]).toEqual([
        '32.2kdefault, not live',
        '1.0Mdefault, not live',
      ]);
      await expect.poll(() => profile.getByRole('heading', { name: 'Sample channel' }).count()).toBe(1);
      await expect.poll(() => videos.getByText('We couldn’t load the videos').count()).toBe(1);
      expect(await shiftOf(page)).toBeLessThan(STILL);
    }
    await expectSound(page);

    fault = (route) => route.fulfill({ json: hostileVideos() });
    await videos.getByRole('button', { name: 'Retry' }).click();
    const items = videos.getByRole('listitem');
    await items.first().waitFor();
    expect(await profile.getByText('These are default figures, not live counts.').count()).toBe(0);
    expect(await axeViolations(page, 'main')).toEqual([]);
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size);
      const heights = await items.evaluateAll((all) => all.map((item) => [item.clientHeight, item.scrollHeight]));
      for (const [own, needed] of heights) expect(needed).toBe(own);
      expect(Math.abs((heights[0]?.[0] ?? 0) - (heights[2]?.[0] ?? 0))).toBeLessThanOrEqual(1);
      expect(await overflowOf(page)).toBe(0);
    }
    expect(await page.locator('main img, main script').count()).toBe(0);
    await close();
  },
);

nightTest('reports a channel without videos', async () => {
  const { page, videos, close } = await open(PHONE, true, (route) => route.fulfill({ json: aChannel({ videos: [] }) }));
  await page.goto(`${kat.url}/youtube`);

  await videos.getByText('No recent videos').waitFor();

  await expectSound(page);
  await close();
});
