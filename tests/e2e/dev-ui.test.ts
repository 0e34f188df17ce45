/** Tests /dev/ui, the design system, in a real browser, and that a public server doesn't serve it. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { startKat } from '../support/servers/kat-server.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('plain'), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
});

describe('the design system page', () => {
  let page: Page;
  let trouble: string[];
  beforeAll(async () => {
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.addInitScript(() => localStorage.setItem('darkMode', 'true'));
    trouble = watchTrouble(page, kat.url);
    await page.goto(`${kat.url}/dev/ui`);
    await page.getByRole('heading', { level: 1, name: 'Design system' }).waitFor();
  });
  afterAll(() => page?.context().close());

  test('passes axe in both themes with every component, and gives every colour its required contrast', async () => {
    for (const theme of ['dark', 'light'] as const) {
      await chooseTheme(page, theme);
      expect(await axeViolations(page), theme).toEqual([]);
    }
    expect(trouble).toEqual([]);
    const swatches = page.locator('[data-contrast]');
    await swatches.first().waitFor();

    const measured = await swatches.evaluateAll((items) =>
      items.map(
        (item) =>
          [
            item.textContent,
            Number(item.getAttribute('data-contrast')),
            Number(item.getAttribute('data-needed')),
          ] as const,
      ),
    );

    expect(measured.length).toBe(4 * 11);
    for (const [name, contrast, needed] of measured) expect(contrast, name ?? '').toBeGreaterThanOrEqual(needed);
  });

  test('begins the help and the error of a checkbox under the text of its label', async () => {
    const leftOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().left);
    const labelled = (label: RegExp) => leftOf(page.locator('label', { hasText: label }));

    expect(await leftOf(page.getByText('Submitted with its form.'))).toBe(await labelled(/^Checkbox$/));
    expect(await leftOf(page.getByText('Please agree first.'))).toBe(await labelled(/^Checkbox with an error$/));
  });

  test('traps focus in the dialog, closes it by Escape or a click outside, and restores focus', async () => {
    const opener = page.getByRole('button', { name: 'Open a dialog' });
    const dialog = page.getByRole('dialog', { name: 'Delete this example?' });
    await opener.press('Enter');
    await dialog.waitFor();

    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab');
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      );
      expect(isInside).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await opener.click();
    await page.mouse.click(20, 300);
    await dialog.waitFor({ state: 'hidden' });
    await opener.click();
    await dialog.getByRole('button', { name: 'Delete example' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('operates tabs, table sorting, choices and tooltips by keyboard', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Rows').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await tab('Nothing').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Home');
    expect(await tab('Rows').getAttribute('aria-selected')).toBe('true');

    const head = page.getByRole('columnheader', { name: /Left/ });
    const first = () => page.getByRole('table').getByRole('row').nth(1).getByRole('cell').first().textContent();
    await head.getByRole('button').press('Enter');
    expect([await head.getAttribute('aria-sort'), await first()]).toEqual(['ascending', 'Example B']);
    await head.getByRole('button').press('Enter');
    expect([await head.textContent(), await first()]).toEqual(['Left ▼', 'Example A']);

    await page.getByRole('radio', { name: 'Week' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Month' }).isChecked()).toBe(true);
    const tooltip = page.getByRole('tooltip');
    await page.getByText('2h ago').focus();
    await tooltip.waitFor();
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
  });
});

nightTest('answers 404 for /dev/ui on a server behind a proxy', async () => {
  const others = await startKat({ env: { TRUSTED_PROXIES: '1', DEVELOPMENT: '' } });

  const answer = await fetch(`${others.url}/dev/ui`);

  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json']);
  await others.dispose();
});
