/**
 * Tests /account in a browser: saving, saving offline, a photo cropped by keyboard, and files that are not valid
 * pictures.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, overflowOf } from '../support/browser/page-quality.ts';
import { bombPng, halvedPicture, photograph, plainPicture } from '../support/browser/pictures.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { expectToast, recordToasts } from '../support/browser/toasts.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';
import { type Account, newAccount } from '../support/worlds/new-accounts.ts';
import { signedInContext } from '../support/worlds/signed-in.ts';

let kat: SharedKat;
let browser: Browser;
let account: Account;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
  account = await newAccount(kat.url);
  const options = { viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/Berlin' };
  context = await signedInContext(browser, kat.url, account.email, options);
  page = await context.newPage();
  await recordToasts(page);
  await openProfile();
});

afterAll(async () => {
  await browser?.close();
});

async function openProfile(): Promise<void> {
  await page.goto(`${kat.url}/account`);
  await page.getByLabel('Full name').waitFor();
}

const save = () => page.getByRole('button', { name: 'Save Changes' }).click();
const choose = (name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
const avatar = () => page.getByRole('region', { name: 'Photo' }).locator('img[width]');

describe('the profile', () => {
  test('saves and reloads every field, and reports a website without https at its field', async () => {
    const trouble = watchTrouble(page, kat.url);
    const typed = {
      'Full name': 'Zoë 李 😀',
      Phone: '+49 30 1234',
      Location: 'Köln',
      Website: 'https://cats.example/zoë',
      Bio: 'Two lines,\none cat.',
    };

    await page.getByLabel('Website').fill('cats.example');
    await save();
    await page.getByText('Please enter a valid URL').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('website');
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
    await page.getByLabel('Timezone').click();
    await page.getByLabel('Timezone').pressSequentially('tokyo');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Profile updated', save);
    await openProfile();

    for (const [label, text] of Object.entries(typed)) expect(await page.getByLabel(label).inputValue()).toBe(text);
    expect(await page.getByLabel('Timezone').inputValue()).toBe('Asia/Tokyo');
    expect(trouble).toEqual([]);
  });

  test('reports a failed save while offline, keeps the input, and saves it once online again', async () => {
    await page.getByLabel('Location').fill('Aachen');
    await context.setOffline(true);
    await expectToast(page, 'Failed to update profile', save);
    expect(await page.getByLabel('Location').inputValue()).toBe('Aachen');
    expect(await page.getByRole('form', { name: 'Profile' }).getByRole('alert').innerText()).toContain('still here');

    await context.setOffline(false);
    await expectToast(page, 'Profile updated', save);
    const { data } = await account.client.from('profiles').select('location').eq('id', account.id).single();
    expect(data).toEqual({ location: 'Aachen' });
  });

  test('leads to sign-in when the session was ended elsewhere, and restores the unsaved input', async () => {
    await page.getByLabel('Bio').fill('typed before the session ended');
    const token = await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => /^sb-.+-auth-token$/.test(one)) ?? '';
      return String(JSON.parse(localStorage.getItem(key) ?? '{}').access_token);
    });
    const config = await (await fetch(`${kat.url}/config.json`)).json();
    await fetch(`${kat.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { apikey: config.supabaseAnonKey, authorization: `Bearer ${token}` },
    });

    await save();
    await page.waitForURL('**/auth/signin');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill('Password1');
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/account');

    await page.getByText('Not saved yet').waitFor();
    expect(await page.getByLabel('Bio').inputValue()).toBe('typed before the session ended');
    await save();
    await page.getByText('Not saved yet').waitFor({ state: 'hidden' });
  });
});

describe('the photo', () => {
  test('crops a photo by keyboard, replaces it, refuses files that are not pictures, and removes it after one confirmation', async () => {
    await cropAndReplace();
    await refuseFiles();
    await removePhoto();
  });

  /** Crops by keyboard, uploads the photo, shows it, and deletes the previous one. */
  async function cropAndReplace(): Promise<void> {
    const trouble = watchTrouble(page, kat.url);
    await choose('me.png', 'image/png', await halvedPicture(900, 600));
    await page.getByRole('dialog', { name: 'Crop your photo' }).waitFor();
    const stage = page.getByLabel('Photo: move with the arrow keys');
    await stage.focus();
    for (let times = 0; times < 5; times += 1) await page.keyboard.press('ArrowRight');
    await page.getByLabel('Zoom').focus();
    for (let times = 0; times < 10; times += 1) await page.keyboard.press('ArrowRight');
    expect(await axeViolations(page, 'dialog[open]')).toEqual([]);
    await page.getByRole('button', { name: 'Save photo' }).focus();
    await expectToast(page, 'Avatar updated', () => page.keyboard.press('Enter'));

    const first = await avatar().getAttribute('src');
    const shown = await page.evaluate(async (src) => {
      const picture = new Image();
      picture.src = src ?? '';
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.naturalWidth, 1);
      const context = canvas.getContext('2d');
      context?.drawImage(picture, 0, 0);
      const row = context?.getImageData(0, 0, canvas.width, 1).data ?? [];
      const black = Array.from({ length: canvas.width }, (_, x) => row[4 * x] ?? 255).filter((red) => red < 128).length;
      return { sides: [picture.naturalWidth, picture.naturalHeight], blackShare: black / canvas.width };
    }, first);
    expect(first).toMatch(/^\/storage\/v1\/object\/public\/avatars\/[0-9a-f-]{36}\/\d+\.webp$/);
    // The full height of 600 pixels at a zoom of 1.5 gives 400.
    expect(shown.sides).toEqual([400, 400]);
    // The keys moved the crop, so more than half of it comes from the left side of the picture.
    expect(shown.blackShare).toBeGreaterThan(0.55);

    await choose('again.png', 'image/png', await plainPicture('png', 300));
    await page.getByRole('button', { name: 'Save photo' }).click();
    await page.waitForFunction((before) => document.querySelector('main img')?.getAttribute('src') !== before, first);
    await expect.poll(async () => (await fetch(kat.url + first)).status).toBe(400);
    expect(trouble).toEqual([]);
  }

  /** Refuses files that are not pictures, are damaged or are too large, and sends nothing. */
  async function refuseFiles(): Promise<void> {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/storage/')) sent.push(request.url());
    });
    const before = await avatar().getAttribute('src');
    const photo = await photograph('jpeg', 400);
    const damaged = Buffer.from(await plainPicture('png', 300));
    damaged.fill(0x55, damaged.indexOf('IDAT') + 4, damaged.indexOf('IEND') - 8);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "run"</script></svg>');
    const alert = page.getByRole('region', { name: 'Photo' }).getByRole('alert');

    const broken: [string, string, Buffer, string][] = [
      ['letter.pdf', 'application/pdf', Buffer.from('%PDF-1.7'), 'File must be an image'],
      ['letter.png', 'image/png', Buffer.from('hello, no picture'), 'File must be an image'],
      ['drawing.png', 'image/png', svg, 'File must be an image'],
      ['drawing.svg', 'image/svg+xml', svg, 'SVG images aren’t supported'],
      ['large.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1), 'Max 5MB image'],
      ['wide.png', 'image/png', bombPng(20_000, 4), '20000 × 4 pixels'],
      ['bomb.png', 'image/png', bombPng(30_000, 30_000, false), '30000 × 30000 pixels'],
      ['half.jpg', 'image/jpeg', photo.subarray(0, photo.length / 2), 'damaged'],
      ['spoilt.png', 'image/png', damaged, 'damaged'],
      ['unfinished.png', 'image/png', bombPng(300, 300, false), 'damaged'],
    ];
    for (const [name, type, bytes, message] of broken) {
      await choose(name, type, bytes);
      await expect.poll(() => alert.textContent(), { message: name }).toContain(message);
    }

    expect(sent).toEqual([]);
    expect(await page.title()).not.toBe('run');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await avatar().getAttribute('src')).toBe(before);
  }

  /** Keeps the first frame of an animation, changes nothing on Cancel, and removes a photo after one confirmation. */
  async function removePhoto(): Promise<void> {
    const before = await avatar().getAttribute('src');
    await choose('moving.gif', 'image/gif', await plainPicture('gif', 60));
    await page.getByText('Only the first frame').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await avatar().getAttribute('src')).toBe(before);

    await page.getByRole('button', { name: 'Remove photo' }).click();
    const confirm = page.getByRole('button', { name: 'Remove', exact: true });
    await expectToast(page, 'Photo removed', () => confirm.click());
    await expect.poll(() => avatar().count()).toBe(0);
  }
});

test('passes axe and fits the screen with a refused field and an open list', async () => {
  const views = [
    ['dark', 390],
    ['light', 1440],
  ] as const;
  for (const [theme, width] of isNight ? views : views.slice(0, 1)) {
    await chooseTheme(page, theme);
    await page.setViewportSize({ width, height: 844 });
    await page.getByLabel('Website').fill('nonsense');
    await save();
    await page.getByText('Please enter a valid URL').waitFor();
    await page.getByLabel('Timezone').click();
    await page.getByRole('option').first().waitFor();

    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  }
});
