/** Tests trading sessions and market holidays in a real browser against the sandbox, with and without failures. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { launchChromium } from '../support/browser/chromium.ts';
import { nextFrames, overflowOf } from '../support/browser/page-quality.ts';
import { readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type KatServer, startKat } from '../support/servers/kat-server.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const DAY_MS = 86_400_000;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const PROXY = '**/functions/v1/ff-proxy*';

let kat: SharedKat;
/** Used at night, when tests move the server's clock and stop it. */
let own: KatServer | null = null;
let browser: Browser;

beforeAll(async () => {
  if (isNight) own = await startKat({ env: { DEVELOPMENT: 'clock,patient' } });
  kat = own ?? (await sharedKat('plain'));
  browser = await launchChromium();
  // The server downloads the week's feed while it starts.
  await vi.waitFor(async () => expect((await events()).error).toBeNull());
});

afterAll(async () => {
  await browser?.close();
  await own?.dispose();
});

async function events(): Promise<{ error: string | null }> {
  return JSON.parse(await (await fetch(`${kat.url}/functions/v1/ff-proxy?type=news`)).text());
}

afterEach(async () => {
  if (isNight) await move(0);
});

/** Moves the server's clock. */
function move(offsetMs: number) {
  return fetch(`${kat.url}/dev/clock`, {
    method: 'POST',
    body: JSON.stringify({ offsetMs }),
    headers: { 'content-type': 'application/json' },
  });
}

/** Uses London time, in which Sydney's session spans midnight all year. */
async function open(viewport = WIDE, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport, timezoneId: 'Europe/London', hasTouch: viewport === PHONE });
  const page = await context.newPage();
  await prepare?.(page);
  const sessions = page.getByRole('region', { name: 'Trading Sessions' });
  const holidays = page.getByRole('region', { name: 'Market Holidays & Announcements' });
  const days = () => holidays.locator('[data-date]');
  const close = () => context.close();
  return { page, sessions, holidays, days, close };
}

function announcedToday() {
  const date = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/London' });
  return { isHoliday: false, title: 'Sample figures', country: 'USD', date, time: `${date}T10:00:00Z`, impact: 'High' };
}

describe('both widgets on one page', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open(PHONE, (page) => page.clock.install());
  });
  afterAll(() => opened?.close());

  test('shows both widgets without layout shift at every width, opens a day by touch, and starts the new week at midnight on Sunday', async () => {
    await showBoth();
    await startNewWeek();
  });

  /** Shows both widgets without layout shift at both widths, and opens a day by touch. */
  async function showBoth(): Promise<void> {
    const { page, sessions, holidays, days } = opened;
    const trouble = watchTrouble(page, kat.url);
    const answers = Promise.withResolvers<void>();
    await page.route(PROXY, async (route) => {
      await answers.promise;
      if (!route.request().url().includes('type=news')) return route.continue();
      // On Sundays the page's week may have begun, and the feed's not yet.
      const answer = await route.fetch();
      const news = z.object({ data: z.array(z.unknown()) }).parse(await answer.json());
      await route.fulfill({ response: answer, json: { ...news, ok: true, data: [...news.data, announcedToday()] } });
    });
    const heights = async () => {
      const measured: (number | undefined)[] = [];
      for (const viewport of [WIDE, PHONE]) {
        await page.setViewportSize(viewport);
        await nextFrames(page);
        expect(await overflowOf(page)).toBe(0);
        for (const widget of [sessions, holidays]) measured.push((await widget.boundingBox())?.height);
      }
      return measured;
    };

    await page.goto(`${kat.url}/kat#market`);
    const opener = page.getByRole('button', { name: 'Sessions and holidays' });
    await opener.waitFor();
    expect(await sessions.count()).toBe(0);
    await opener.tap();
    await readDownTo(page, page.getByRole('status', { name: 'Loading trading sessions' }));
    await readDownTo(page, page.getByRole('status', { name: 'Loading market holidays' }));
    const before = await heights();
    await expect.poll(() => days().count()).toBe(21);
    expect(await holidays.locator('[aria-pressed="true"]').count()).toBe(0);
    answers.resolve();
    await sessions.getByText('New York').waitFor();

    const lanes = await sessions.getByRole('listitem').allTextContents();
    expect(lanes.map((lane) => lane.replace(/ \d.*$/, ''))).toEqual([
      expect.stringMatching(/^Sydney (Open|Closed|Closed \(Holiday\))$/),
      expect.stringMatching(/^Tokyo (Open|Closed|Closed \(Holiday\))$/),
      expect.stringMatching(/^London (Open|Closed|Closed \(Holiday\))$/),
      expect.stringMatching(/^New York (Open|Closed|Closed \(Holiday\))$/),
    ]);
    await expect.poll(() => sessions.locator('[data-session="Sydney"]').count()).toBe(2);
    await expect.poll(() => sessions.locator('[data-session="London"]').count()).toBe(1);
    await holidays.getByText('Announcements: Sandbox market.').waitFor();
    expect(await heights()).toEqual(before);
    for (const [viewport, count, firstLabels] of [
      [WIDE, 12, ['12 AM', '2 AM', '4 AM', '6 AM', '8 AM', '10 AM']],
      [PHONE, 6, ['12 AM', '4 AM', '8 AM', '12 PM', '4 PM', '8 PM']],
    ] as const) {
      await page.setViewportSize(viewport);
      await nextFrames(page);
      const labels = await sessions.locator('[data-hour]:visible').allTextContents();
      expect(labels).toHaveLength(count);
      expect(labels.slice(0, 6)).toEqual(firstLabels);
    }

    const dates = await days().evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-date')));
    const today = await page.evaluate(() => new Date().toLocaleDateString('en-CA'));
    expect(dates).toHaveLength(21);
    expect(new Date(`${dates[0]}T12:00:00Z`).getUTCDay()).toBe(0);
    expect(await holidays.locator('[aria-current="date"]').getAttribute('data-date')).toBe(today);
    const day = days().getByRole('button').last();
    await day.tap();
    await expect.poll(() => day.getAttribute('aria-pressed')).toBe('true');
    expect(await holidays.getByRole('listitem').count()).toBeGreaterThan(0);
    expect(trouble).toEqual([]);
  }

  /** Keeps every day within its cell on small phones, and starts the new week at midnight on Sunday. */
  async function startNewWeek(): Promise<void> {
    const { page, holidays, days } = opened;
    await page.setViewportSize({ width: 360, height: 740 });
    // Its first day has two digits, so its label is wide. The widgets read the clock twice a minute.
    await page.clock.setSystemTime(new Date('2026-11-21T23:50:00Z'));
    await page.clock.fastForward(31_000);
    const today = () => holidays.locator('[aria-current="date"]').getAttribute('data-date');
    await expect.poll(today).toBe('2026-11-21');
    expect(await days().first().getAttribute('data-date')).toBe('2026-11-15');
    expect(await days().first().textContent()).toMatch(/^Nov 15/);
    await expect.poll(() => days().count()).toBe(21);
    const gaps = await days().evaluateAll((cells) =>
      cells.map((cell) => {
        const textRange = document.createRange();
        textRange.selectNodeContents(cell.querySelector('[aria-hidden="true"]') ?? cell);
        return cell.getBoundingClientRect().right - textRange.getBoundingClientRect().right;
      }),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4);

    await page.clock.fastForward('11:00');
    await page.setViewportSize(PHONE);

    // Sunday is the first day shown, and its label names the month.
    await expect.poll(today).toBe('2026-11-22');
    expect(await days().first().getAttribute('data-date')).toBe('2026-11-22');
    await expect.poll(() => days().count()).toBe(21);
    await nextFrames(page);
    const [plate, next] = await Promise.all([
      days().first().locator('[aria-hidden]').first().boundingBox(),
      days().nth(1).boundingBox(),
    ]);
    expect((plate?.x ?? 999) + (plate?.width ?? 999)).toBeLessThan((next?.x ?? 0) - 4);
    expect(await days().first().getByText('Nov', { exact: true }).isVisible()).toBe(false);
  }
});

nightTest('marks mock holidays as such without a mock request, and opens one by keyboard', async () => {
  const { page, holidays, days, close } = await open();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));

  await page.goto(`${kat.url}/kat?mock=hol#market`);
  await holidays.getByText('Using mock holiday data').waitFor();

  await expect.poll(() => days().filter({ hasText: 'Mock Bank Holiday' }).count()).toBeGreaterThanOrEqual(3);
  expect(requests.filter((url) => url.includes('ff-proxy') && url.includes('mock'))).toEqual([]);
  await days().last().getByRole('button').focus();
  await page.keyboard.press('Enter');
  expect(await holidays.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/CHF.*Mock Bank Holiday/),
  ]);
  await page.goto(`${kat.url}/kat#market`);
  await holidays.getByText('Announcements: Sandbox market.').waitFor();
  expect(await holidays.getByText('Mock').count()).toBe(0);
  await close();
});

nightTest('reports failed requests in both widgets, and Retry loads both', async () => {
  const { page, sessions, holidays, close } = await open(WIDE, (opened) =>
    opened.route(PROXY, (route) => route.abort()),
  );
  await page.goto(`${kat.url}/kat#market`);
  await sessions.getByText("Trading Sessions didn't load.").waitFor();
  await sessions.getByText('Failed to load sessions.').waitFor();
  await holidays.getByText('Holiday check unavailable.').waitFor();

  // A server without a calendar gets another message.
  await page.unroute(PROXY);
  const refusal = { ok: false, data: [], error: 'The calendar is not available right now.' };
  await page.route(PROXY, (route) => route.fulfill({ status: 502, json: refusal }));
  await holidays.getByRole('button', { name: 'Retry' }).click();
  await holidays.getByText("Market holidays didn't load.").waitFor();

  await page.unroute(PROXY);
  await sessions.getByRole('button', { name: 'Retry' }).click();
  await holidays.getByRole('button', { name: 'Retry' }).click();

  await sessions.getByText('Sydney').waitFor();
  await holidays.getByText('Announcements: Sandbox market.').waitFor();
  await close();
});

nightTest('reports missing announcements when the feed is silent, and keeps the built-in holidays', async () => {
  const inAWeek = Date.now() + 7 * DAY_MS;
  expect((await move(7 * DAY_MS)).ok).toBe(true);
  const { page, holidays, days, close } = await open(WIDE, (opened) => opened.clock.setFixedTime(inAWeek));

  await page.goto(`${kat.url}/kat#market`);

  await holidays.getByText(/announcements are missing because their feed didn’t respond/).waitFor();
  await expect.poll(() => days().count()).toBe(21);
  expect(await holidays.getByText('simulated').count()).toBe(0);
  await close();
});

nightTest('closes the London session for the holiday on Christmas Day', async () => {
  const christmas = Date.parse('2026-12-25T11:00:00Z');
  expect((await move(christmas - Date.now())).ok).toBe(true);
  const { page, sessions, holidays, close } = await open(WIDE, (opened) => opened.clock.setFixedTime(christmas));

  await page.goto(`${kat.url}/kat#market`);
  await sessions.getByText('New York').waitFor();

  const london = sessions.getByRole('listitem').filter({ hasText: 'London' });
  expect(await london.textContent()).toBe('London Closed (Holiday) 8 AM to 5 PM');
  await holidays
    .locator('[aria-current="date"]')
    .filter({ hasText: /GBP Christmas/ })
    .waitFor();
  await close();
});

nightTest('keeps the sessions with their age while the server is down, and refreshes them on Retry', async () => {
  const { page, sessions, holidays, close } = await open(WIDE, async (opened) => {
    await opened.clock.install();
    // Routed requests bypass the HTTP cache, which would keep answers longer than the fast page clock allows.
    await opened.route(PROXY, (route) => route.continue());
  });
  await page.goto(`${kat.url}/kat#market`);
  await sessions.getByText('Sydney').waitFor();
  await holidays.getByText('Announcements: Sandbox market.').waitFor();

  await own?.stop();
  const note = sessions.getByText(/Failed to load sessions\. Shown as of \d+[sm] ago\./);
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000);
      return note.count();
    })
    .toBe(1);
  await expect.poll(() => sessions.getByText('Sydney').count()).toBe(1);

  own = await startKat({ dataDir: kat.dataDir, env: { DEVELOPMENT: 'clock,patient', PORT: new URL(kat.url).port } });
  kat = own;
  await sessions.getByRole('button', { name: 'Retry' }).click();

  await note.waitFor({ state: 'detached' });
  await close();
});
