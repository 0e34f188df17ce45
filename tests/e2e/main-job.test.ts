/** The main job, as a person does it: sign in, press Prediction, watch 50 candles arrive, find them saved. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { predictionRowSchema } from '#domain/forecast/prediction.ts';
import { candleSchema } from '#domain/market/candle.ts';
import { launchChromium } from '../support/chromium.ts';
import { type KatServer, startKat } from '../support/kat-server.ts';
import { nightTest } from '../support/night-test.ts';
import { findRun, type MarketData, marketDataForTests, readSourceFile } from '../support/recorded-market.ts';
import { signedInContext } from '../support/signed-in.ts';
import {
  chooseModel,
  PASSWORD,
  signIn,
  waitForCandles,
  watchPredictionCalls,
  watchTrouble,
} from '../support/site-driver.ts';

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });
const source = process.env.MARKET_DATA_DIR ? 'recorded candles' : 'a generated file';

let market: MarketData;
let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  market = await marketDataForTests();
  kat = await startKat({ args: ['--demo'], env: { MARKET_DATA_DIR: market.dir } });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
  market?.dispose();
});

/** With its motion: candles are drawn one by one. */
const SCREEN = { viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' } as const;

async function newPage(): Promise<Page> {
  return (await browser.newContext(SCREEN)).newPage();
}

/** Without motion: it costs seconds of a processor, and the first two tests have it. */
async function pageOf(email: string): Promise<Page> {
  return (await signedInContext(browser, kat.url, email, { viewport: SCREEN.viewport })).newPage();
}

async function clientOf(email: string): Promise<SupabaseClient> {
  const config = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

async function savedRows(client: SupabaseClient): Promise<z.infer<typeof predictionRowSchema>[]> {
  const { data, error } = await client.from('user_predictions').select('*').order('created_at', { ascending: false });
  if (error) throw error;
  return z.array(predictionRowSchema).parse(data);
}

async function quotaOf(client: SupabaseClient): Promise<{ remaining_daily: number; remaining_monthly: number }> {
  const { data, error } = await client.functions.invoke('get-quota', { method: 'POST', body: {} });
  if (error) throw error;
  return z.object({ remaining_daily: z.number(), remaining_monthly: z.number() }).parse(data);
}

/** Records each number of candles that the prediction panel's chart shows. */
function recordCandleCounts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    globalThis.candleCounts = [];
    new MutationObserver(() => {
      const shown = document.querySelector('main [data-candle-count]')?.getAttribute('data-candle-count');
      const count = Number(shown ?? Number.NaN);
      if (!Number.isNaN(count) && count !== globalThis.candleCounts.at(-1)) globalThis.candleCounts.push(count);
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-candle-count'] });
  });
}

declare global {
  var candleCounts: number[];
}

describe(`the main job on ${source}`, () => {
  test('a visitor sees 150 sample candles, then 50 more, and nothing is predicted', async () => {
    const page = await newPage();
    await recordCandleCounts(page);
    const trouble = watchTrouble(page, kat.url);
    const calls = watchPredictionCalls(page);

    await page.goto(`${kat.url}/kat`);
    // The demo plays on, so a busy machine may not see the page while it shows exactly 150.
    const counts = () => page.evaluate(() => globalThis.candleCounts);
    await expect.poll(counts, { timeout: 20_000 }).toContain(200);
    expect((await counts()).find((count) => count > 0)).toBe(150);

    expect(await page.getByText('BTC Demo').first().isVisible()).toBe(true);
    expect(calls).toEqual([]);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('a lion user watches 50 candles arrive and finds exactly 200 saved; the history is the market’s own', async () => {
    const client = await clientOf('lion@example.com');
    const before = { quota: await quotaOf(client), rows: await savedRows(client) };
    const page = await newPage();
    const trouble = watchTrouble(page, kat.url);
    await signIn(page, kat.url, 'lion@example.com');

    await page.goto(`${kat.url}/kat`);
    await waitForCandles(page, 150);
    const { remaining_daily: daily, remaining_monthly: monthly } = before.quota;
    await page
      .getByRole('button', { name: `${daily} left today / ${monthly} this month` })
      .first()
      .click();
    await waitForCandles(page, 200);
    await page
      .getByRole('button', { name: `${daily - 1} left today / ${monthly - 1} this month` })
      .first()
      .waitFor();

    const rows = await savedRows(client);
    expect(rows).toHaveLength(before.rows.length + 1);
    const saved = z.array(candleSchema).parse(rows[0]?.data);
    expect(saved).toHaveLength(200);
    expect(rows[0]).toMatchObject({ model: 'kat2_4', cryptocurrency: 'BTC', timeframe: '1min' });
    const history = saved.slice(0, 150).map((candle) => ({ ...candle, volume: candle.volume ?? Number.NaN }));
    expect(findRun(readSourceFile(market.dir, 'BTCUSDT.P'), history)).toBeGreaterThanOrEqual(0);
    expect(saved[150]?.open).toBe(saved[149]?.close);
    expect(await quotaOf(client)).toEqual({ remaining_daily: daily - 1, remaining_monthly: monthly - 1 });
    const grid = page.getByRole('region', { name: 'Your Predictions' });
    await grid.getByText('BTC').first().waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('an admin has every model and the amplify input, and nothing is saved', async () => {
    const client = await clientOf('admin@example.com');
    const page = await pageOf('admin@example.com');
    const trouble = watchTrouble(page, kat.url);

    await page.goto(`${kat.url}/kat`);
    await waitForCandles(page, 150);
    await page.getByLabel(/amplify/i).fill('200');
    await chooseModel(page, 'Bobcat (Kat 1)');
    await page
      .getByRole('button', { name: /^Prediction/ })
      .first()
      .click();
    await waitForCandles(page, 200);
    await page.getByText('amplified').first().waitFor();

    expect(await savedRows(client)).toEqual([]);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('a bobcat user finds the other models locked, and one click leads to the plans', async () => {
    const page = await pageOf('bobcat@example.com');
    const trouble = watchTrouble(page, kat.url);

    await page.goto(`${kat.url}/kat`);
    await waitForCandles(page, 150);
    await page.getByRole('combobox', { name: 'Model' }).first().click();
    const lion = page.getByRole('option', { name: /Lion \(Kat 2\.4\)/ });
    expect(await lion.getAttribute('title')).toBe('Upgrade to unlock');
    await lion.click();

    await page.waitForURL('**/account/subscription');
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  nightTest('a free user’s Prediction button looks disabled and leads to the plans', async () => {
    const page = await pageOf('free@example.com');
    const trouble = watchTrouble(page, kat.url);

    await page.goto(`${kat.url}/kat`);
    await page.getByRole('button', { name: 'Unlock Models' }).waitFor();
    const button = page.getByRole('button', { name: /left today/ }).first();
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    // It says disabled and still answers: a person's click is not stopped by that, the driver's would be.
    await button.click({ force: true });

    await page.waitForURL('**/account/subscription');
    expect(trouble).toEqual([]);
    await page.context().close();
  });
});
