/** Tests /research, /legal and /track-record in print: complete, dark on white in either theme, without what only a screen needs. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { ensurePdfText, pdfText } from '../support/browser/pdf-text.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  ensurePdfText();
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function openDark(path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(() => localStorage.setItem('darkMode', 'true'));
  await page.goto(kat.url + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

/** Waits until the page handles `beforeprint`, then removes what that filled in. */
async function listens(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        window.dispatchEvent(new Event('beforeprint'));
        const copy = document.querySelector('[data-filled]');
        copy?.removeAttribute('data-filled');
        copy?.shadowRoot?.replaceChildren();
        return copy !== null;
      }),
    )
    .toBe(true);
}

/** @returns the first words of every paragraph, cell and heading that the printed page must contain */
async function textsOf(page: Page, within: string): Promise<string[]> {
  return page.locator(within).evaluate((root) =>
    [...root.querySelectorAll('h1, h2, h3, p, li, dt, dd, th, td, caption, figcaption')]
      .filter((element) => element.closest('nav') === null)
      .map((element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim().split(' ').slice(0, 4).join(' '))
      .filter((text) => text.length > 3),
  );
}

/** Removes spaces and hyphens, because a printed line may end at any of them. */
function plain(text: string): string {
  return text.replace(/\s|-/g, '');
}

test('prints the whole paper dark on white, alone and from the page that frames it', async () => {
  const paper = await openDark('/research-paper/');
  const expected = await textsOf(paper, '.paper');
  const printedAlone = plain(pdfText(await paper.pdf({ format: 'A4' })));
  expect(expected.filter((text) => !printedAlone.includes(plain(text)))).toEqual([]);
  await expectDarkOnWhite(paper);
  await paper.close();
  const page = await openDark('/research');
  await page.frameLocator('iframe').getByText('Reproducing the results').first().waitFor();
  await listens(page);

  const printed = plain(pdfText(await page.pdf({ format: 'A4' })));

  expect(expected.length).toBeGreaterThan(200);
  expect(expected.filter((text) => !printed.includes(plain(text)))).toEqual([]);
  expect(printed).toContain(plain('From the last 450 one-minute candles, three small networks forecast how far'));
  expect(printed).toContain(plain('For research and education only. Not financial advice.'));
  expect(printed).not.toContain(plain('Sign Up'));
  await expectDarkOnWhite(page);
  await page.close();
});

test('prints the whole terms and privacy text dark on white, without the navigation', async () => {
  const page = await openDark('/legal');
  await page.getByText('The operator’s name and address are samples').waitFor();
  const expected = await textsOf(page, 'article');

  const printed = plain(pdfText(await page.pdf({ format: 'A4' })));

  expect(expected.length).toBeGreaterThan(80);
  expect(expected.filter((text) => !printed.includes(plain(text)))).toEqual([]);
  expect(printed).toContain(plain('A template, to be reviewed by the operator.'));
  expect(printed).toContain(plain('Sample operator, support@example.com'));
  expect(printed).not.toContain(plain('Market Sim'));
  await expectDarkOnWhite(page);
  await page.close();
});

/** Checks the print colours of a page in the dark theme. */
async function expectDarkOnWhite(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const { ground, textColor } = await page.evaluate(() => ({
    ground: getComputedStyle(document.documentElement).backgroundColor,
    textColor: getComputedStyle(document.querySelector('h1') ?? document.body).color,
  }));

  expect(ground).toBe('rgb(255, 255, 255)');
  expect(textColor).toBe('rgb(18, 22, 27)');
}

test('prints the track record white in the dark theme, without controls and with its address', async () => {
  const page = await openDark('/track-record');
  await page.emulateMedia({ media: 'print' });

  await expect.poll(() => page.getByText(`${kat.url}/track-record`).isVisible()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  const pressed = page.locator(':is(button:not([aria-pressed="true"], th button), select, input)');
  expect(await pressed.filter({ visible: true }).count()).toBe(0);
  await page.close();
});
