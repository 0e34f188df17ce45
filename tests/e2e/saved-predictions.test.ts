/** Follows a prediction to its outcome: saved, waiting, popped out, resolved an hour later, downloaded. */
import { text as textOf } from 'node:stream/consumers';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { alertListSchema } from '#domain/alerts/alert.ts';
import { candleColumnsSchema, fromColumns } from '#domain/market/candle.ts';
import { outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { passUntil, stopTime } from '../support/browser/page-clock.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, PASSWORD, readDownTo, waitForCandles, watchTrouble } from '../support/browser/site-driver.ts';
import { recordToasts, waitForToast } from '../support/browser/toasts.ts';
import { isNight } from '../support/run/test-size.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { newClient } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const EMAIL = 'lion@example.com';
/** Later than the end of a forecast made now. */
const LATER_MS = 53 * 60_000;
const LIST_ALERTS = '**/functions/v1/list-alerts';

let kat: LeasedKat;
let browser: Browser;
let page: Page;
let client: SupabaseClient;
let trouble: string[];
/** Opens the new prediction in the chart. */
let address = '';
/** The number of the demo account's predictions before the tests add one. */
let before = 0;

beforeAll(async () => {
  [kat, browser] = await Promise.all([leaseKat(), launchChromium()]);
  client = await newClient(kat.url);
  await client.auth.signInWithPassword({ email: EMAIL, password: PASSWORD });
  before = (await outcomes()).length;
  const context = await signedInContext(browser, kat.url, EMAIL, {
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Kolkata',
    colorScheme: 'light',
  });
  page = await context.newPage();
  // Right after the clock was moved, the market's candles are old, and the page finds out that they are.
  trouble = watchTrouble(page, kat.url, [/\/readyz/]);
});
afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

async function outcomes() {
  const { data, error } = await client.from('prediction_outcomes').select('*').order('join_s', { ascending: false });
  if (error) throw error;
  return z.array(outcomeRowSchema).parse(data);
}

async function alerts() {
  const { data, error } = await client.functions.invoke<unknown>('list-alerts', { body: {} });
  if (error) throw error;
  return alertListSchema.parse(data);
}

async function popOutOf(place: ReturnType<Page['locator']>): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await place.getByRole('button', { name: 'Pop-out' }).click();
  return opened;
}

test('follows a prediction from its alert to its outcome, and downloads one as CSV and all as JSON', async () => {
  await savePrediction();
  await setAlert();
  await openInChart();
  if (isNight) await refuseStranger();
  await drawOutcome();
  await announceOutcome();
  await popOutOutcome();
  await downloadPredictions();
});

/** Saves a prediction, shows when its outcome is due, and pops out its panel. */
async function savePrediction(): Promise<void> {
  await page.goto(`${kat.url}/kat`);
  await waitForCandles(page, 150);
  await page
    .getByRole('button', { name: /left today/ })
    .first()
    .click();
  await waitForCandles(page, 200);

  const grid = page.getByRole('region', { name: 'Your Predictions' });
  await readDownTo(page, grid.getByText(`Showing 2 of ${before + 1}`));
  const [newest] = await outcomes();
  expect(newest?.state).toBe('waiting');
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Kolkata' } as const;
  const due = new Intl.DateTimeFormat('en-GB', clock).format(Date.parse(newest?.due_at ?? ''));
  await grid.getByText(new RegExp(`^Outcome known at (.*, )?${due}$`)).waitFor();

  const window = await popOutOf(page.getByRole('region', { name: /Prediction$/ }).first());
  await window.locator('[data-candle-count="200"]').waitFor();
  await expect.poll(() => window.title()).toBe('BTC Prediction – Kat');
  expect(await window.getByRole('navigation').count()).toBe(0);
  expect(await window.locator('header time').innerText()).toMatch(/GMT\+5:30$/);
  expect(await window.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  expect(await window.evaluate(() => [innerWidth, innerHeight])).toEqual([560, 420]);
  await window.close();
}

/** Sets an alert by the chart’s bell, keeps it after a reload, and counts it on the track record. */
async function setAlert(): Promise<void> {
  await page.getByRole('region', { name: 'BTC Prediction' }).getByRole('button', { name: 'Alerts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Alerts' });
  await dialog.getByRole('switch', { name: 'The outcome is known' }).click();
  await expect.poll(async () => (await alerts()).rules.map(({ kind }) => kind)).toEqual(['prediction-resolved']);
  expect(await axeViolations(page, 'dialog[open]')).toEqual([]);
  // A narrow viewport turns the page behind it into one column; the dialog must stay open.
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.locator('dialog:modal').waitFor();
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('button:focus').getAttribute('aria-label')).toBe('Alerts, on');

  await page.goto(`${kat.url}/account/predictions`);
  const bell = page.getByRole('article').first().getByRole('button', { name: 'Alerts, on' });
  await bell.focus();
  await page.keyboard.press('Enter');
  const isOn = dialog.getByRole('switch', { name: 'The outcome is known', checked: true });
  await isOn.waitFor();
  await dialog.getByRole('link', { name: 'Alerts for all my predictions' }).click();

  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  await section.getByText('One more alert is set on single predictions').waitFor();
  await section.getByText('No alerts yet').waitFor();
  expect(new URL(page.url()).hash).toBe('#alerts');
}

/** Opens a prediction in the chart, from its list and from a phone’s tab. */
async function openInChart(): Promise<void> {
  await page.goBack();
  await page.getByRole('article').first().getByRole('button', { name: 'Open in chart' }).click();
  const back = page.getByRole('button', { name: 'Back to live' });
  await back.waitFor();
  await waitForCandles(page, 200);
  address = page.url();

  await back.click();
  await back.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?sym=BTC');

  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Saved' }).click();
  await page.getByRole('article').first().getByRole('button', { name: 'Open in chart' }).click();
  await back.waitFor();
  expect(await page.getByRole('tab', { name: 'Forecast' }).getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => back.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.setViewportSize({ width, height });
}

// In the daytime run web/features/forecast/panel-returning.test.tsx and supabase/tests/database/05_predictions.test.sql
// cover this.
/** Opens a prediction for its owner alone. */
async function refuseStranger(): Promise<void> {
  const stranger = await (await signedInContext(browser, kat.url, 'bobcat@example.com')).newPage();
  await recordToasts(stranger);
  await stranger.goto(address);
  await waitForToast(stranger, 'We couldn’t find this prediction among yours.');
  await waitForCandles(stranger, 150);
  await stranger.context().close();
}

/** Draws the real candles an hour later, with the path error beside the last close’s. */
async function drawOutcome(): Promise<void> {
  // Hides alerts from this page, because an alert is shown only once and the next test needs it.
  await page.route(LIST_ALERTS, (route) => route.fulfill({ json: { ok: true, rules: [], alerts: [], unread: 0 } }));
  await fetch(`${kat.url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offsetMs: LATER_MS }),
  });
  await expect.poll(async () => (await outcomes())[0]?.state, { interval: 500 }).toBe('known');

  await page.goto(`${kat.url}/account/predictions`);
  await page.getByText(`Showing 4 of ${before + 1}`).waitFor();
  const newest = page.getByRole('article').first();
  await newest.getByText(/^Path error \d+\.\d+%\. Last-close error \d+\.\d+%\. .* was closer\.$/).waitFor();
  const chart = newest.getByRole('img');
  await expect.poll(() => chart.getAttribute('data-candle-count')).toBe('200');
  await expect.poll(() => chart.getAttribute('data-outcome-count')).toBe('50');
  await expect.poll(() => chart.getAttribute('aria-label')).toMatch(/A line shows the outcome: 50 real candles/);

  for (const theme of isNight ? (['dark', 'light'] as const) : (['dark'] as const)) {
    await chooseTheme(page, theme);
    expect(await axeViolations(page, 'main')).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  // The outcome has the market's own candles of the predicted minutes.
  const query = 'exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100';
  const answer = await fetch(`${kat.url}/history?${query}`);
  const history = fromColumns(candleColumnsSchema.parse(await answer.json()));
  const [known] = await outcomes();
  if (known?.state !== 'known') throw new Error('not known');
  const joinS = Date.parse(known.due_at) / 1000 - 51 * 60;
  expect(known.candles).toEqual(history.filter(({ time }) => time > joinS && time <= joinS + 50 * 60));
}

/** Announces a known outcome once, as a toast and among the latest alerts. */
async function announceOutcome(): Promise<void> {
  await expect.poll(async () => (await alerts()).unread, { interval: 500 }).toBe(1);

  await page.unroute(LIST_ALERTS);
  // The page's time stops before the toast appears, until the toast has the focus, which keeps it.
  await page.route(LIST_ALERTS, async (route) => {
    await page.clock.install();
    await stopTime(page);
    await route.continue();
  });
  await page.goto(`${kat.url}/track-record#alerts`);
  const toast = page.getByRole('status').filter({ hasText: 'BTC: outcome is known' });
  const link = toast.getByRole('link', { name: 'Your Predictions' });
  await passUntil(page, link);
  await link.focus();
  await page.unroute(LIST_ALERTS);
  await page.clock.resume();
  const latest = page.getByRole('region', { name: 'Latest alerts' });
  await latest.getByText('BTC: outcome is known').waitFor();
  await latest.getByText('new', { exact: true }).waitFor();
  expect(await axeViolations(page, '#alerts')).toEqual([]);
  // The alert counts as read once it was visible.
  await expect.poll(async () => (await alerts()).unread).toBe(0);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/account/predictions');
  await toast.waitFor({ state: 'detached' });
}

/** Passes the outcome to the pop-out, which reports data that is no longer cached. */
async function popOutOutcome(): Promise<void> {
  const newest = page.getByRole('article').first();
  // The pop-out gets only what the page has loaded when it opens.
  await newest.getByText(/^Path error/).waitFor();
  const window = await popOutOf(newest);
  const chart = window.locator('[data-candle-count="200"]');
  await chart.waitFor();
  await expect.poll(() => window.title()).toBe('BTC 1min Lion (Kat 2.4) – Kat');
  await expect.poll(() => chart.getAttribute('aria-label')).toMatch(/A line shows the outcome/);

  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (!key.endsWith('-auth-token')) localStorage.removeItem(key);
  });
  await window.reload();
  const key = new URL(window.url()).searchParams.get('key');
  await window.getByText(`Couldn’t find cached data for ${key}. It may have expired or never been created.`).waitFor();
  await window.close();
}

/** Downloads one prediction as CSV and all as JSON. */
async function downloadPredictions(): Promise<void> {
  // A download needs nothing from local storage, which the test before emptied except for the session.
  const newest = page.getByRole('article').first();
  await newest.getByText(/^Path error/).waitFor();

  const one = await download(() => newest.getByRole('button', { name: 'Download as CSV' }).click());
  expect(one.name).toMatch(/^kat-BTC-\d{4}-\d\d-\d\dT\d\d-\d\d-kat2_4\.csv$/);
  const lines = one.text.trimEnd().split('\r\n');
  expect(lines[0]).toBe('time,kind,open,high,low,close,volume,release');
  const kinds = ['history', 'forecast', 'outcome'].map(
    (kind) => lines.filter((line) => line.includes(`Z,${kind},`)).length,
  );
  expect(kinds).toEqual([150, 50, 50]);

  const all = await download(() => page.getByRole('button', { name: 'Download all as JSON' }).click());
  expect(all.name).toBe('kat-predictions.json');
  expect(JSON.parse(all.text)).toHaveLength(before + 1);
  await page.getByText(`Downloaded ${before + 1} predictions.`).waitFor();

  await page.getByRole('button', { name: 'Load More' }).click();
  await page.getByText(`Showing ${before + 1} of ${before + 1}`).waitFor();
  expect(await page.getByRole('button', { name: 'Load More' }).count()).toBe(0);
  expect(trouble).toEqual([]);
}

async function download(start: () => Promise<void>): Promise<{ name: string; text: string }> {
  const begun = page.waitForEvent('download');
  await start();
  const file = await begun;
  return { name: file.suggestedFilename(), text: await textOf(await file.createReadStream()) };
}
