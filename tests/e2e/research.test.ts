/** Tests /research in a real browser: the paper in its frame of 4800 px, at every width and in both themes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { axeViolations, describeShifts, overflowOf, shiftOfLateFont } from '../support/browser/page-quality.ts';
import { chooseTheme, watchTrouble } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { isNight } from '../support/run/test-size.ts';
import { type SharedKat, sharedKat } from '../support/servers/shared-kat.ts';

const PAPER = 'Kat research paper';
const TITLE = 'How far, not which way: bands for the next fifty minutes';

let kat: SharedKat;
let browser: Browser;

beforeAll(async () => {
  kat = await sharedKat('plain');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function open(path: string, width: number, isDark: boolean): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(
    (dark) => localStorage.setItem('darkMode', localStorage.getItem('darkMode') ?? dark),
    String(isDark),
  );
  await page.goto(kat.url + path);
  return { context, page };
}

/** @returns the framed document once it is drawn */
async function paperOf(page: Page) {
  const frame = page.frameLocator(`iframe[title="${PAPER}"]`);
  await frame.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  return frame;
}

function lengthOf(page: Page): Promise<{ room: number; content: number; over: number }> {
  return page.locator('iframe').evaluate((element: HTMLIFrameElement) => {
    const root = element.contentDocument?.documentElement;
    return {
      room: element.clientHeight,
      content: root?.scrollHeight ?? 0,
      over: (root?.scrollWidth ?? 0) - (root?.clientWidth ?? 0),
    };
  });
}

async function expectFrame(page: Page, width: number, isDark: boolean): Promise<void> {
  const paper = await paperOf(page);
  const frame = page.locator('iframe');
  expect(await frame.getAttribute('height')).toBe('4800');
  expect((await frame.boundingBox())?.height).toBe(4800);
  await expect.poll(() => paper.locator('figure svg[role="img"]').count()).toBe(4);
  const { room, content, over } = await lengthOf(page);
  expect(over).toBe(0);
  expect(await page.getByText('The paper continues inside the frame').isVisible()).toBe(content > room);
  expect(content > room).toBe(width < 1024);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  // The paper follows the theme of the page around it.
  const themes = isDark ? (['dark', 'light', 'dark'] as const) : (['light', 'dark', 'light'] as const);
  expect(await paper.locator('html').getAttribute('data-theme')).toBe(themes[0]);
  for (const theme of themes.slice(1)) {
    await chooseTheme(page, theme);
    await expect.poll(() => paper.locator('html').getAttribute('data-theme')).toBe(theme);
  }
}

async function expectHomeAndEnd(page: Page): Promise<void> {
  const paper = await paperOf(page);
  await paper.getByText('Every 7 minutes').click();
  await page.keyboard.press('End');
  await expect.poll(() => isInSight(page, '.paper > footer')).toBe(true);
  await page.keyboard.press('Home');
  await expect.poll(() => isInSight(page, 'h1')).toBe(true);
}

test.each([true, ...(isNight ? [false] : [])])(
  'fits the paper in its 4800 px frame at 1440 px, supports Home and End, and passes axe (dark: %s)',
  async (isDark) => {
    const { context, page } = await open('/research', 1440, isDark);
    const trouble = watchTrouble(page, kat.url);
    await expectFrame(page, 1440, isDark);
    await expectHomeAndEnd(page);

    await page.getByRole('link', { name: 'Open the paper on its own' }).click();
    await page.waitForURL('**/research-paper/');
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(trouble).toEqual([]);
    await context.close();
  },
);

nightTest('fits the paper in its 4800 px frame at 1024 px without overflow', async () => {
  const { context, page } = await open('/research', 1024, false);
  const trouble = watchTrouble(page, kat.url);
  await expectFrame(page, 1024, false);
  expect(trouble).toEqual([]);
  await context.close();
});

test('scrolls the paper within its frame by keyboard and wheel on a phone', async () => {
  const { context, page } = await open('/research', 360, true);
  const trouble = watchTrouble(page, kat.url);
  await expectFrame(page, 360, true);
  await page.setViewportSize({ width: 390, height: 900 });
  const paper = await paperOf(page);
  const scrolled = () => page.locator('iframe').evaluate((e: HTMLIFrameElement) => e.contentWindow?.scrollY ?? -1);

  await paper.getByRole('link', { name: 'What can be forecast' }).focus();
  await page.keyboard.press('End');
  await expect.poll(scrolled).toBeGreaterThan(1000);

  const atTheEnd = await scrolled();
  const box = await page.locator('iframe').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, Math.max(100, (box?.y ?? 0) + 200));
  await page.mouse.wheel(0, -600);
  await expect.poll(scrolled).toBeLessThan(atTheEnd);
  expect(trouble).toEqual([]);
  await context.close();
});

nightTest('moves to the visible top and end of the paper by Home and End on a phone', async () => {
  const { context, page } = await open('/research', 390, true);
  await expectHomeAndEnd(page);
  await context.close();
});

/** Checks whether an element of the paper lies within the window of the outer page. */
function isInSight(page: Page, selector: string): Promise<boolean> {
  return page.locator('iframe').evaluate((frame: HTMLIFrameElement, what) => {
    const box = frame.contentDocument?.querySelector(what)?.getBoundingClientRect();
    const top = frame.getBoundingClientRect().top + (box?.top ?? Number.NaN);
    return top >= 0 && top + (box?.height ?? 0) <= window.innerHeight;
  }, selector);
}

test.each(isNight ? [390, 1440] : [390])(
  'keeps page and paper still when their font arrives late, at %i px',
  async (width) => {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    for (const path of ['/research', '/research-paper/']) {
      const page = await context.newPage();
      const shift = await shiftOfLateFont(page, kat.url + path);
      expect(shift, `${path} ${await describeShifts(page)}`).toBeLessThan(0.01);
      await page.close();
    }
    await context.close();
  },
);

test('redirects the paper’s address without its slash with 308', async () => {
  const answer = await fetch(`${kat.url}/research-paper?a=1`, { redirect: 'manual' });

  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/research-paper/?a=1']);
});

test('serves page and paper whole before any script', async () => {
  const served = async (path: string) => (await (await fetch(kat.url + path)).text()).replace(/<!--[\s\S]*?-->/g, '');
  const [page, paper] = [await served('/research'), await served('/research-paper/')];

  expect(page).toMatch(/<h1[^>]*>Research<\/h1>/);
  expect(page).toMatch(new RegExp(`<iframe[^>]*title="${PAPER}"`));
  const text = paper.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  expect(text).toContain(TITLE);
  expect(text).toContain('Table 2. Skill on the main group');
});

nightTest('shows page and paper without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();

  await page.goto(`${kat.url}/research`);

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Research');
  const paper = await paperOf(page);
  await expect.poll(() => paper.getByText('Table 2. Skill on the main group').count()).toBe(1);
  await context.close();
});

test('refuses to be framed by another origin, for the paper and any other page', async () => {
  const page = await browser.newPage();
  const elsewhere = await serve(
    `<iframe id="paper" src="${kat.url}/research-paper/"></iframe><iframe id="page" src="${kat.url}/legal"></iframe>`,
  );
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));

  await page.goto(elsewhere.url);

  await expect.poll(() => refused.filter((line) => line.includes('frame-ancestors')).length).toBe(2);
  for (const id of ['paper', 'page'])
    expect(await page.frameLocator(`#${id}`).locator('.paper, #root').count()).toBe(0);
  await page.close();
  elsewhere.server.close();
});

async function serve(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, server };
}
