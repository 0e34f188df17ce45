/**
 * Tests the public record in a real browser: its page, its verification in the browser, and the detection of
 * tampering.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MODELS } from '#domain/forecast/models.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, readDownTo, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { fillDataFolder } from '../support/servers/filled-folder.ts';
import { type KatServer, startKat } from '../support/servers/kat-server.ts';
import { fillShortRecord } from '../support/servers/short-record.ts';

const DAY_MS = 86_400_000;
const DAYS = 2;
const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The last complete day. */
const DAY = new Date(todayMs - DAY_MS).toISOString().slice(0, 10);
/** One symbol, with a forecast of each model every five minutes. */
const PER_DAY = Object.keys(MODELS).length * 288;

let kat: KatServer;
let browser: Browser;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-record-'));
  fillDataFolder(dataDir, []);
  await fillShortRecord(dataDir, { firstSlotS: todayMs / 1000 - DAYS * 86_400, days: DAYS });
  kat = await startKat({ dataDir });
  browser = await launchChromium();
  await isSealed();
});

afterAll(async () => {
  await browser?.close();
  await kat?.dispose();
});

/** Waits for the days that were missed while the server was down: it seals and counts them soon after the start. */
async function isSealed(): Promise<void> {
  const holds = (path: string, words: RegExp) =>
    vi.waitFor(async () => expect(await (await fetch(kat.url + path)).text()).toMatch(words), {
      timeout: 60_000,
      interval: 500,
    });
  await holds('/record/days.json', new RegExp(DAY));
  await holds('/record/summary.json?period=7d', /"known":[1-9]/);
}

async function open(width: number, hash = ''): Promise<{ page: Page; trouble: string[] }> {
  const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
  const trouble = watchTrouble(page, kat.url);
  await page.goto(`${kat.url}/track-record${hash}`);
  await page.getByRole('heading', { name: 'Verdict' }).waitFor();
  return { page, trouble };
}

nightTest('shows every part on a wide screen, accessible and without overflow', async () => {
  const { page, trouble } = await open(1440);
  await expectUsable(page);
  expect(trouble).toEqual([]);
  await page.context().close();
});

async function expectUsable(page: Page): Promise<void> {
  await readDownTo(page, page.getByRole('heading', { name: 'Check it yourself' }));
  for (const name of ['Skill by horizon', 'Do the bands hold?', 'Worst misses and best hits', 'Latest forecasts'])
    await expect.poll(() => page.getByRole('heading', { name }).count()).toBe(1);
  expect(await page.getByText('All prices here are made up by a program.').isVisible()).toBe(true);
  expect(await overflowOf(page)).toBe(0);
  for (const theme of isNight ? (['dark', 'light'] as const) : (['light'] as const)) {
    await chooseTheme(page, theme);
    expect(await axeViolations(page, 'main')).toEqual([]);
  }
}

describe('the record on one page', () => {
  let page: Page;
  let trouble: string[];
  const result = () => page.getByRole('status', { name: 'Result of the check' });
  beforeAll(async () => {
    ({ page, trouble } = await open(390));
  });
  afterAll(() => page?.context().close());

  test('shows every part on a phone, accessible and without overflow', async () => {
    await expectUsable(page);
    const top = async (name: string) => (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0;
    expect(await top('Worst misses')).toBeLessThan(await top('Best hits'));
    await page.getByText(`The newest signed day is ${DAY}`).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('links only to existing record files', async () => {
    const links = await page
      .locator('main a[href^="/record/"]')
      .evaluateAll((all) => all.flatMap((link) => link.getAttribute('href') ?? ''));

    expect(links.length).toBeGreaterThanOrEqual(5);
    for (const link of links) expect(`${link} ${(await fetch(kat.url + link)).status}`).toBe(`${link} 200`);
  });

  test('recomputes a day’s figures from its file with the published code in the browser', async () => {
    // A string, as a user would type it there, because the test compiler rewrites imports.
    const told = await page.evaluate(`import('/record/recompute.mjs').then(async ({ recompute }) =>
      recompute([await (await fetch('/record/days/${DAY}.ndjson')).text()]))`);

    expect(told).toMatchObject({ repeated: 0, unreadable: 0, markets: [{ counts: { issued: PER_DAY, waiting: 0 } }] });
  });

  test('verifies a whole day and its signature in the browser by keyboard', async () => {
    await page.getByRole('button', { name: 'Check this day' }).focus();
    await page.keyboard.press('Enter');

    await result().getByText('Sound.', { exact: true }).waitFor();
    expect(await result().textContent()).toContain(`${PER_DAY} records, 24 hourly roots, 1 day, 1 signature`);
    expect(await result().getByText('checked:', { exact: true }).count()).toBeGreaterThanOrEqual(5);
  });

  test('verifies a single forecast from its link in the list', async () => {
    await page
      .getByRole('link', { name: /^Check record \d+$/ })
      .first()
      .click();

    // Until now the result was that of the whole day.
    await expect.poll(() => result().textContent()).not.toContain(`${PER_DAY} records`);
    await result().getByText('Sound.', { exact: true }).waitFor();
    expect(trouble).toEqual([]);
  });

  test('detects a changed figure in a downloaded day while offline', async () => {
    const text = await (await fetch(`${kat.url}/record/days/${DAY}.ndjson`)).text();
    const changed = text.replace(/(\\"rv\\":)\d+/, '$11');
    expect(changed).not.toBe(text);
    await page.getByText('A file', { exact: true }).click();
    await page.context().setOffline(true);

    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'changed.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(changed) });

    await result().getByText('Not sound.', { exact: true }).waitFor();
    expect(await result().getByRole('list', { name: 'Faults' }).getByRole('listitem').count()).toBeGreaterThan(0);
  });
});

test('links to the record from the home page, the models, the forecast and the footer', async () => {
  // These links are in the documents themselves, so they work without scripts.
  for (const path of ['/', '/ai-models', '/kat']) {
    const html = await (await fetch(kat.url + path)).text();
    const main = /<main[\s>][\s\S]*<\/main>/.exec(html)?.[0] ?? '';
    const footer = /<footer[\s>][\s\S]*<\/footer>/.exec(html.replace(main, ''))?.[0] ?? '';

    expect(main, path).toMatch(/<a [^>]*href="\/track-record"/);
    expect(footer.match(/<a [^>]*href="\/track-record"/g), path).toHaveLength(1);
  }
});
