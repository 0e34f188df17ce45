/**
 * Tests the change log in a real browser: reading, likes, posting, editing, deleting, hostile posts and new-post
 * dots.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf, shiftOf, watchArrival, watchShifts } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { expectToast, recordToasts } from '../support/browser/toasts.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const HOSTILE = [
  '# Hostile <script>alert(1)</script>',
  '<img src=x onerror=alert(2)> <svg onload=alert(3)>',
  '[run](javascript:alert(4)) [read](data:text/html,<script>alert(5)</script>) [ok](https://kat.example/a)',
  `${'W'.repeat(400)} \`${'c'.repeat(400)}\``,
  '```\n'.concat('line '.repeat(200), '\n```'),
  '> '.repeat(8).concat('deep'),
].join('\n\n');

let kat: SharedKat;
let browser: Browser;
let admin: BrowserContext;

beforeAll(async () => {
  [kat, browser] = await Promise.all([sharedKat('demo'), launchChromium()]);
  admin = await signedInContext(browser, kat.url, 'admin@example.com', { viewport: WIDE });
});

afterAll(async () => {
  await browser?.close();
});

async function openLog(who: BrowserContext): Promise<{ page: Page; trouble: string[] }> {
  const page = await who.newPage();
  page.on('dialog', (dialog) => expect.fail(`a script ran: ${dialog.message()}`));
  const trouble = watchTrouble(page, kat.url);
  await watchShifts(page);
  await recordToasts(page);
  await page.goto(`${kat.url}/change-log`);
  await page.getByRole('article').first().waitFor();
  return { page, trouble };
}

const articles = (page: Page) => page.getByRole('article');

async function post(page: Page, content: string): Promise<void> {
  await page.getByLabel('Content').first().fill(content);
  const save = page.getByRole('region', { name: 'New post' }).getByRole('button', { name: 'Save' });
  await expectToast(page, 'Post published', () => save.click());
}

test('shows posts to a visitor on a phone and neutralizes scripts and links of a hostile one', async () => {
  const { page: editor } = await openLog(admin);
  await post(editor, HOSTILE);
  const visitor = await browser.newContext({ viewport: PHONE });
  const { page, trouble } = await openLog(visitor);
  const hostile = articles(page).filter({ hasText: 'Hostile' });
  await hostile.waitFor();

  expect(await hostile.locator('script, img, svg:not([aria-hidden]), iframe').count()).toBe(0);
  const links = hostile.getByRole('link');
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    'https://kat.example/a',
  ]);

  const days = await articles(page)
    .locator('h2 time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
  expect(days).toEqual(days.toSorted().toReversed());
  await page.getByText(/^Showing \d+ of \d+$/).waitFor();
  await chooseTheme(page, 'dark');
  expect(await axeViolations(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(await shiftOf(page)).toBeLessThan(0.02);
  const like = articles(page).first().getByRole('button', { name: 'Like' });
  await expectToast(page, 'Sign in to like posts', () => like.click());
  expect(trouble).toEqual([]);
  await visitor.close();
  await articles(editor).filter({ hasText: 'Hostile' }).getByRole('button', { name: 'Delete' }).click();
  await editor.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await articles(editor).filter({ hasText: 'Hostile' }).waitFor({ state: 'detached' });
  await editor.close();
});

test('clears both new-post dots once the posts are opened, and stores a like', async () => {
  const member = await signedInContext(browser, kat.url, 'free@example.com', { viewport: WIDE });
  const start = await member.newPage();
  const trouble = watchTrouble(start, kat.url);
  await start.goto(`${kat.url}/legal`);
  const research = start.getByRole('banner').getByRole('button', { name: 'Research' });
  await start.getByRole('button', { name: 'Research (new posts)' }).waitFor();
  const dotted = await research.boundingBox();
  await research.click();
  await start.getByRole('link', { name: 'Change Log (new posts)' }).click();

  await start.getByRole('button', { name: 'Research', exact: true }).waitFor();
  expect(await research.boundingBox()).toEqual(dotted);
  const like = articles(start).first().getByRole('button', { name: 'Like' });
  await articles(start).first().getByRole('button', { name: 'Like', disabled: false }).waitFor();
  const before = await like.getAttribute('aria-pressed');
  const sent = start.waitForResponse(
    (answer) =>
      /changelog_post_likes/.test(answer.url()) && answer.status() < 205 && answer.request().method() !== 'GET',
  );
  await like.click();
  await sent;
  await start.reload();
  await articles(start).first().getByRole('button', { name: 'Like', disabled: false }).waitFor();
  expect(await like.getAttribute('aria-pressed')).toBe(before === 'true' ? 'false' : 'true');
  await like.click();
  // Opened posts count as read on every other page too.
  const arrival = watchArrival(start);
  await start.goto(`${kat.url}/legal`);
  await arrival();
  expect(await start.getByText('(new posts)').count()).toBe(0);
  expect(trouble).toEqual([]);
  await member.close();
});

test('lets an admin post, edit and delete, and restores a draft after a reload', async () => {
  const { page, trouble } = await openLog(admin);
  const first = articles(page).first();
  await page.getByLabel('Content').first().fill('Half a');
  await page.reload();
  await page.getByRole('region', { name: 'New post' }).waitFor();
  await expect.poll(() => page.getByLabel('Content').first().inputValue()).toBe('Half a');

  await post(page, '## A **written** post\n\nWith words.');
  await first.getByRole('heading', { level: 3, name: 'A written post' }).waitFor();
  expect(await shiftOf(page)).toBeLessThan(0.02);
  await first.getByRole('button', { name: 'Edit' }).click();
  await first.getByLabel('Content').fill('Changed words');
  await chooseTheme(page, 'light');
  expect(await axeViolations(page)).toEqual([]);
  await first.getByRole('button', { name: 'Save' }).click();
  await first.getByRole('paragraph').filter({ hasText: 'Changed words' }).waitFor();
  await first.getByRole('button', { name: 'Edit' }).waitFor();
  await first.getByText('edited').waitFor();

  await page.getByLabel('Quick update').fill('A quick one');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await first.getByText('A quick one').waitFor();
  for (const text of ['A quick one', 'Changed words']) {
    await articles(page).filter({ hasText: text }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Are you sure you want to delete this post?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await articles(page).filter({ hasText: text }).waitFor({ state: 'detached' });
  }
  expect(trouble).toEqual([]);
  await page.close();
});
