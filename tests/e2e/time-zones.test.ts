/** Tests times in a real browser: in its own zone, the profile's zone and UTC, and at clock changes. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { passUntil, stopTime } from '../support/browser/page-clock.ts';
import { readDownTo, signOut, watchTrouble } from '../support/browser/site-driver.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { newAccount } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(timezoneId: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId });
  return { context, page: await context.newPage() };
}

const zoneLine = (page: Page) => page.getByRole('contentinfo').getByText(/^Times in/);
/** @returns the full times in the titles of the headlines */
const exactTimes = (news: Locator) =>
  news.locator('time').evaluateAll((times) => times.map((time) => time.getAttribute('title')));
const utcSwitch = (page: Page) => page.getByRole('contentinfo').getByRole('switch', { name: 'Times in UTC' });

/** Replaces the newest headlines with ones of these times. */
async function withHeadlinesOf(page: Page, moments: readonly string[]): Promise<void> {
  const rows = moments.map((published_at, id) => ({
    id,
    title: `Headline ${id}`,
    published_at,
    url: null,
    site: null,
  }));
  await page.route('**/rest/v1/news_articles*', (route) => route.fulfill({ json: rows }));
}

/** Times after the gap and in the doubled hour, and how they are displayed. */
const BERLIN = [
  ['2026-03-29T01:00:00Z', '29 Mar 2026, 03:00:00 GMT+2'],
  ['2026-10-25T00:30:00Z', '25 Oct 2026, 02:30:00 GMT+2'],
  ['2026-10-25T01:30:00Z', '25 Oct 2026, 02:30:00 GMT+1'],
] as const;

const CHANGES = [
  ['Australia/Lord_Howe', '2026-04-04T14:59:40Z', ['1:59 AM', 'GMT+11'], ['1:30 AM', 'GMT+10:30']],
  ['Europe/Berlin', '2026-03-29T00:59:40Z', ['1:59 AM', 'GMT+1'], ['3:00 AM', 'GMT+2']],
] as const;

test.each(CHANGES.slice(0, sampleSize(1, CHANGES.length)))(
  'follows the clock change in %s while the page is open',
  async (zone, before, [clock, name], [nextClock, nextName]) => {
    const { context, page } = await open(zone);
    await page.clock.install({ time: new Date(before) });
    await stopTime(page);
    await page.goto(`${kat.url}/kat#market`);
    const sessions = page.getByRole('region', { name: 'Trading Sessions' });
    const zoneName = `Times in ${zone.replace('_', ' ')}, `;
    // Even a slow machine loads the page within this minute of the page's own time.
    await passUntil(page, sessions.getByText(zoneName));
    const today = page.getByRole('region', { name: /^Market Holidays/ }).locator('[aria-current="date"]');
    const day = await today.getAttribute('data-date');
    await sessions.getByText(`It is ${clock}.`).waitFor();
    await sessions.getByText(zoneName + name, { exact: true }).waitFor();

    await page.clock.fastForward(31_000);

    await sessions.getByText(`It is ${nextClock}.`).waitFor();
    await sessions.getByText(zoneName + nextName, { exact: true }).waitFor();
    await expect.poll(() => today.getAttribute('data-date')).toBe(day);
    await context.close();
  },
);

test('distinguishes Berlin’s doubled hour, and switches all times and tabs to UTC', async () => {
  const { context, page } = await open('Europe/Berlin');
  const trouble = watchTrouble(page, kat.url);
  await withHeadlinesOf(
    page,
    BERLIN.map(([iso]) => iso),
  );
  await page.goto(kat.url);
  const forecast = page.getByRole('region', { name: 'BTC, this minute’s forecast' });
  const chart = forecast.locator('[data-candle-count="200"]');
  await chart.waitFor();
  const legend = forecast.locator('[data-legend="time"]');
  const label = forecast.getByRole('button', { name: /^Times in/ });
  const minutes = async () => {
    const [hour, minute] = String(await legend.textContent()).split(':');
    return Number(hour) * 60 + Number(minute);
  };
  const updatedAt = async () => (await forecast.getByText(/last at/).textContent())?.match(/last at (\d\d:\d\d)/)?.[1];
  const chartLabel = () => chart.getAttribute('aria-label');
  const zoneName = (await label.textContent()) ?? '';
  expect(zoneName).toMatch(/^GMT\+[12]$/);
  const aheadMinutes = 60 * Number(zoneName.slice(-1));
  const news = page.getByRole('region', { name: 'Trending Now' });
  await news.scrollIntoViewIfNeeded();
  await news.getByText('Headline 0').waitFor();
  expect(await exactTimes(news)).toEqual(BERLIN.map(([, time]) => time));
  await readDownTo(page, zoneLine(page));
  await expect.poll(() => zoneLine(page).textContent()).toContain('Times in Europe/Berlin');
  const [inBerlin, labelInBerlin, updatedInBerlin] = [await minutes(), await chartLabel(), await updatedAt()];
  const other = await context.newPage();
  await other.goto(`${kat.url}/legal`);
  await readDownTo(other, zoneLine(other));

  await label.click();

  await expect.poll(() => label.textContent()).toBe('UTC');
  // A minute may pass between the two readings.
  const movedMinutes = (inBerlin - (await minutes()) + 1440) % 1440;
  expect(Math.abs(movedMinutes - aheadMinutes)).toBeLessThanOrEqual(1);
  expect(await chartLabel()).not.toBe(labelInBerlin);
  expect(await updatedAt()).not.toBe(updatedInBerlin);
  expect(await exactTimes(news)).toEqual(BERLIN.map(([iso]) => expect.stringContaining(`${iso.slice(11, 19)} UTC`)));
  expect(await utcSwitch(page).getAttribute('aria-checked')).toBe('true');
  await expect.poll(() => utcSwitch(other).getAttribute('aria-checked')).toBe('true');
  await other.reload();
  await readDownTo(other, utcSwitch(other));
  expect(await utcSwitch(other).getAttribute('aria-checked')).toBe('true');
  expect(trouble).toEqual([]);
  await context.close();
});

test('prefers the profile’s zone to the browser’s until the user signs out', async () => {
  const options = { viewport: { width: 1280, height: 900 }, timezoneId: 'America/New_York' };
  const { client, email, id } = await newAccount(kat.url);
  // Saves the zone as the profile form does.
  const saved = await client.from('profiles').update({ timezone: 'Asia/Kolkata' }).eq('id', id);
  expect(saved.error).toBeNull();
  const context = await signedInContext(browser, kat.url, email, options);
  const page = await context.newPage();
  await page.goto(`${kat.url}/dashboard`);
  const countdown = page.getByRole('region', { name: 'Countdown' });

  await countdown.getByText('1 Aug 2025, 05:30 GMT+5:30').waitFor();
  await readDownTo(page, zoneLine(page));
  await expect.poll(() => zoneLine(page).textContent()).toContain('Times in Asia/Kolkata');
  await signOut(page);
  await expect.poll(() => zoneLine(page).textContent()).toContain('Times in America/New York');
  await context.close();
});
