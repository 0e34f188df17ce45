/**
 * Links a Telegram chat and a Discord channel in their sandboxes, and receives an alert with the forecast's picture in
 * both. A code that was used is refused with its reason; a bot that is blocked pauses the chat on the page.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { isNight } from '../support/run/test-size.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { type LeasedKat, leaseKat } from '../support/servers/shared-kat.ts';
import { newSubscriber, proveAddress, savePrediction } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

/** Later than the end of a forecast made now. */
const LATER_MS = 53 * 60_000;

let kat: LeasedKat;
let browser: Browser;
let page: Page;
let trouble: string[];
/** The users' side of each service. */
let telegram: Page;
let discord: Page;
let usedCode = '';

beforeAll(async () => {
  [kat, browser] = await Promise.all([leaseKat(), launchChromium()]);
  const account = await newSubscriber(kat.url, 'lion');
  await savePrediction(kat.url, account);
  await proveAddress(kat.url, account);
  const context = await signedInContext(browser, kat.url, account.email, { viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  trouble = watchTrouble(page, kat.url);
});
afterAll(async () => {
  await browser?.close();
  await kat?.release();
});

const panel = () => page.getByRole('region', { name: 'Telegram and Discord', exact: true });
const chats = () => panel().getByRole('list', { name: 'Your linked chats' }).getByRole('listitem');
const chat = (name: string) => chats().filter({ has: page.getByRole('group', { name: `Alerts for ${name}` }) });
const section = (of: Page, name: string) => of.getByRole('region', { name, exact: true });

async function enter(place: Locator, text: string): Promise<void> {
  await place.getByLabel('Message or command').fill(text);
  await place.getByRole('button', { name: 'Send' }).click();
  await place.getByRole('listitem').filter({ hasText: text }).last().waitFor();
}

const lastFromKat = (place: Locator) => place.locator('li.bot').last();

test('links a Telegram chat and a Discord channel once each, brings them tests and an alert, and pauses and unlinks a chat that blocked the bot', async () => {
  await linkTelegram();
  await refuseUsedCode();
  await linkDiscord();
  await sendTests();
  await bringAlert();
  await pauseAndUnlink();
});

/** Links a Telegram chat by the code’s link, and the page notices. */
async function linkTelegram(): Promise<void> {
  await page.goto(`${kat.url}/account/notifications#chats`);
  await panel().getByRole('button', { name: 'Link Telegram' }).click();
  const opening = page.waitForEvent('popup');
  await panel()
    .getByRole('link', { name: /^Open @kat_sandbox_bot/ })
    .click();
  telegram = await opening;
  const direct = section(telegram, 'Direct chat of Sample user');
  const field = direct.getByLabel('Message or command');
  usedCode = /[A-Z2-9]{10}/.exec(await field.inputValue())?.[0] ?? '';
  expect(usedCode).not.toBe('');

  await direct.getByRole('button', { name: 'Send' }).click();
  await lastFromKat(direct).getByText('This chat is linked.').waitFor();
  await panel().getByText('Sample user on Telegram is linked.').waitFor();
  expect(await axeViolations(page, '#chats')).toEqual([]);
}

/** Refuses a code that was used, says why, and links nothing. */
async function refuseUsedCode(): Promise<void> {
  const group = section(telegram, 'Sample group');
  await enter(group, `/link ${usedCode}`);

  await lastFromKat(group).getByText('This code isn’t valid. It may have expired or been used already.').waitFor();
  await page.reload();
  await chat('Sample user on Telegram').waitFor();
  expect(await chats().count()).toBe(1);
}

/** Links a Discord channel by a signed command whose reply only its user sees. */
async function linkDiscord(): Promise<void> {
  await panel().getByRole('button', { name: 'Link Discord' }).click();
  const opening = page.waitForEvent('popup');
  await panel()
    .getByRole('link', { name: /^Add Kat sandbox/ })
    .click();
  discord = await opening;
  const channel = section(discord, 'Channel #alerts');

  await channel.getByRole('button', { name: 'Send' }).click();
  // The bot also writes to the channel, where everyone sees that it is linked.
  const linked = channel.locator('li.bot').filter({ hasText: 'This chat is linked.' });
  await linked.filter({ hasText: 'only you can see this' }).waitFor();
  await linked.filter({ hasNotText: 'only you can see this' }).waitFor();
  await panel().getByText('#alerts on Discord is linked.').waitFor();
}

/** Sends a test to each chat. */
async function sendTests(): Promise<void> {
  await chat('Sample user on Telegram')
    .getByRole('button', { name: /^Send a test/ })
    .click();
  await chat('#alerts on Discord')
    .getByRole('button', { name: /^Send a test/ })
    .click();

  for (const place of [section(telegram, 'Direct chat of Sample user'), section(discord, 'Channel #alerts')])
    await lastFromKat(place).getByText('This is the test you requested.').waitFor();
}

/** Brings an alert with the forecast’s picture to the chats that chose its kind. */
async function bringAlert(): Promise<void> {
  const name = 'Any of my predictions, The outcome is known';
  await page.getByRole('switch', { name, exact: true }).click();
  await page.getByRole('switch', { name, exact: true, checked: true }).waitFor();
  await chat('#alerts on Discord').getByRole('checkbox', { name: 'A price leaves the band' }).uncheck();
  await expect
    .poll(() => chat('#alerts on Discord').getByRole('checkbox', { name: 'A price leaves the band' }).isChecked())
    .toBe(false);
  await fetch(`${kat.url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offsetMs: LATER_MS }),
  });

  for (const place of [section(telegram, 'Direct chat of Sample user'), section(discord, 'Channel #alerts')]) {
    const alert = place.locator('li.bot').filter({ hasText: 'BTC: outcome is known' });
    await alert.getByText('Research and education').waitFor({ timeout: 2 * WAIT_MS });
    const picture = alert.getByRole('img', { name: 'The picture of this message' });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBe(1200);
  }
}

/** Pauses a chat that blocked the bot and says why, then resumes and unlinks it. */
async function pauseAndUnlink(): Promise<void> {
  await section(telegram, 'Direct chat of Sample user').getByRole('button', { name: 'Block the bot' }).click();
  await chat('Sample user on Telegram').getByText('the bot was blocked or removed').waitFor();
  for (const theme of isNight ? (['dark', 'light'] as const) : (['light'] as const)) {
    await chooseTheme(page, theme);
    expect(await axeViolations(page, '#chats')).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  await section(telegram, 'Direct chat of Sample user').getByRole('button', { name: 'Unblock' }).click();
  await chat('Sample user on Telegram').getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
  await chat('Sample user on Telegram')
    .getByRole('button', { name: /^Unlink/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await chat('Sample user on Telegram').waitFor({ state: 'detached' });
  expect(trouble).toEqual([]);
}
