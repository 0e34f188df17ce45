/**
 * Tests the market ticker in a real browser: a loop of 60 seconds by transform, its text, its pauses and its
 * fallback.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { simulatedBar, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const SNAPSHOTS = '**/rest/v1/price_snapshots*';
const FAILED = 'Failed to load market data — fallback active.';
const WIDE = { width: 1440, height: 900 };
const still = { reducedMotion: 'reduce' } as const;

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'no-preference', ...options });
  const page = await context.newPage();
  await prepare?.(page);
  const ticker = page.getByRole('region', { name: 'Market Ticker' });
  return { page, ticker, close: () => context.close() };
}

/** Reads the loop's animation: its state, duration, position and animated properties. */
function loopOf(page: Page) {
  return page.evaluate(() => {
    const [loop] = document.querySelector('[data-loop]')?.getAnimations() ?? [];
    const timing = loop?.effect?.getComputedTiming();
    const frames = loop?.effect instanceof KeyframeEffect ? loop.effect.getKeyframes() : [];
    return {
      state: loop?.playState,
      durationMs: timing?.duration,
      atMs: Number(loop?.currentTime ?? 0),
      moved: [...new Set(frames.flatMap((frame) => Object.keys(frame)))].filter(
        (name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name),
      ),
    };
  });
}

describe('the moving ticker', () => {
  // These tests share one page.
  let opened: Awaited<ReturnType<typeof open>>;
  let trouble: string[];
  beforeAll(async () => {
    opened = await open();
    trouble = watchTrouble(opened.page, kat.url);
    await opened.page.goto(`${kat.url}/kat`);
    await opened.ticker.getByText(/^Last updated/).waitFor();
  });
  afterAll(() => opened?.close());

  test('loops prices in 60 seconds by transform alone, and gives each symbol as text', async () => {
    const { page, ticker } = opened;
    const items = await ticker.getByRole('listitem').allTextContents();
    expect(items.length).toBeGreaterThan(100);
    // Wrapped bitcoins have the same price and may come first in the market's order.
    expect(items.find((line) => line.startsWith('BTC:'))).toMatch(
      /^BTC: [\d,]+ US dollars, (up|down|unchanged).* in 24 hours, volume [\d.]+[BM] US dollars$/,
    );
    const symbols = items.map((line) => line.replace(/:.*$/, ''));
    expect(symbols.filter((symbol) => /^w|usd|st/i.test(symbol))).toEqual([]);
    expect(new Set(symbols).size).toBe(symbols.length);
    await simulatedBar(page).waitFor();
    const loop = await loopOf(page);
    expect([loop.state, loop.durationMs, loop.moved]).toEqual(['running', 60_000, ['transform']]);
  });

  test('continues at the end of a loop with the symbols that follow', async () => {
    const { page } = opened;
    const symbols = () =>
      page
        .locator('[data-loop] [data-symbol]')
        .evaluateAll((items) => items.map((item) => item.getAttribute('data-symbol')));
    // The loop stops while it is read, which takes longer than a loop on a slow machine.
    const loops = page.locator('[data-loop]');
    const setPace = (pace: number) =>
      loops.evaluate((loop, rate) => {
        for (const one of loop.getAnimations()) one.playbackRate = rate;
      }, pace);
    await setPace(0);
    const first = await symbols();
    const before = Number(await loops.getAttribute('data-loop'));

    await loops.evaluate((loop) => {
      for (const one of loop.getAnimations()) {
        one.currentTime = 59_900;
        one.playbackRate = 1;
      }
    });
    await page.locator(`[data-loop="${before + 1}"]`).waitFor();
    expect((await loopOf(page)).state).toBe('running');
    await setPace(0);

    const half = first.length / 2;
    expect((await symbols()).slice(0, half)).toEqual(first.slice(half));
    await setPace(1);
  });

  test('pauses under the pointer, on keyboard focus and on request', async () => {
    const { page, ticker } = opened;
    const button = ticker.getByRole('button', { name: 'Pause ticker' });
    const state = () => expect.poll(async () => (await loopOf(page)).state);

    await state().toBe('running');
    const box = await ticker.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 500, (box?.y ?? 0) + 25);
    await state().toBe('paused');
    await page.mouse.move(500, 600);
    await state().toBe('running');

    await button.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await state().toBe('paused');
    await page.keyboard.press('Enter');
    await ticker.getByRole('button', { name: 'Play ticker' }).waitFor();
    await page.keyboard.press('Tab');
    await state().toBe('paused');

    await ticker.getByRole('button', { name: 'Play ticker' }).click();
    await page.mouse.move(500, 600);
    await state().toBe('running');
    expect(trouble).toEqual([]);
  });
});

nightTest('reports an empty store, and shows the prices automatically once they arrive', async () => {
  const { page, ticker, close } = await open(still, (opened) =>
    opened.route(SNAPSHOTS, (route) => route.fulfill({ json: [] })),
  );
  await page.goto(`${kat.url}/kat`);
  await ticker.getByText('No prices yet. They appear automatically.').waitFor();
  expect(await ticker.getByText(FAILED).count()).toBe(0);

  await page.unroute(SNAPSHOTS);

  await ticker.getByText(/^Last updated/).waitFor();
  await close();
});
