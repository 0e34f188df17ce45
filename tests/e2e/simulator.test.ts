/** Tests /market-simulator-v03 in a real browser: what visitors and users see, and where the links lead. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteSettingsSchema } from '#domain/site/site-settings.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { shiftOf, watchArrival, watchShifts } from '../support/browser/page-quality.ts';
import { PASSWORD, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const PATH = '/market-simulator-v03';
let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
});

/** The site settings as an operator who sells the simulator has them. */
async function sellingSettings() {
  const settings = siteSettingsSchema.parse(await (await fetch(`${kat.url}/site.json`)).json());
  const links = {
    ...settings.links,
    simulatorPurchase: 'https://patrons.example.org/shop',
    simulatorDownload: 'https://files.example.org/simulator.zip',
  };
  const testimonials = [5, 4].map((rating) => ({ name: 'Ada', role: 'Student', content: 'What she wrote.', rating }));
  const simulatorPictures = [{ url: '/favicon.svg', text: 'A calm run, 4,120 points' }];
  return { ...settings, links, testimonials, simulatorPictures, samples: { ...settings.samples, testimonials: false } };
}

async function answerSettings(page: Page, settings: object): Promise<void> {
  await page.unroute('**/site.json');
  await page.route('**/site.json', (route) => route.fulfill({ json: settings }));
}

test('shows price, features, real pictures and quotes, and links to the purchase that the operator has set', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const trouble = watchTrouble(page, kat.url);
  await answerSettings(page, await sellingSettings());
  await page.goto(`${kat.url}${PATH}`);
  const main = page.getByRole('main');

  await main.getByText('$14.99').waitFor();
  await expect.poll(() => main.getByText('one-time').count()).toBe(1);
  await expect.poll(() => main.getByText('About 10,000 candles are stored').count()).toBe(1);
  const buy = main.getByRole('link', { name: 'Buy on the patron page' });
  await buy.waitFor();
  expect(await buy.getAttribute('href')).toBe('https://patrons.example.org/shop');
  expect(await buy.getAttribute('rel')).toContain('noopener');
  const scores = main.getByRole('region', { name: 'High scores' });
  await scores.getByRole('img', { name: 'A calm run, 4,120 points' }).waitFor();
  const quotes = main.getByRole('region', { name: 'Testimonials' });
  await quotes.getByText('4 of 5 stars').waitFor();
  await expect.poll(() => quotes.getByText('What she wrote.').count()).toBe(2);
  expect(trouble).toEqual([]);
  await page.close();
});

test('leads from Account Required through sign-in back to the page, without layout shift before', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const trouble = watchTrouble(page, kat.url);
  await watchShifts(page);
  const arrival = watchArrival(page);
  await answerSettings(page, await sellingSettings());
  await page.goto(`${kat.url}${PATH}?from=card#top`);
  await arrival();
  expect(await shiftOf(page)).toBeLessThan(0.02);
  const box = page.getByRole('region', { name: 'Account Required' });

  expect(await box.getByRole('link', { name: 'Sign Up Free' }).getAttribute('href')).toBe('/auth/signup');
  const link = box.getByRole('link', { name: 'Sign In' });
  expect(await link.getAttribute('href')).toBe('/auth/signin');
  // A prerendered link works before hydration, but doesn't store the address to return to.
  await page.locator('main [data-until-known]').waitFor({ state: 'detached' });
  await link.click();
  await page.getByLabel('Email').fill('free@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();

  await page.waitForURL(`${kat.url}${PATH}?from=card#top`);
  await page
    .getByRole('region', { name: 'Already bought?' })
    .getByRole('link', { name: 'Download version 0.3' })
    .waitFor();
  await expect.poll(() => box.count()).toBe(0);
  expect(trouble).toEqual([]);
  await page.close();
});

// In the daytime run shell.test.ts checks this on a wide screen.
nightTest('keeps the layout still while a user’s page loads', async () => {
  const context = await signedInContext(browser, kat.url, 'free@example.com', {
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await watchShifts(page);
  const arrival = watchArrival(page);
  await page.goto(`${kat.url}${PATH}`);
  await arrival();

  expect(await shiftOf(page)).toBeLessThan(0.02);
  await context.close();
});
