/** One user's way through the product: signs in, opens /kat, streams a forecast and finds it saved. */
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, signIn } from '../browser/site-driver.ts';
import { newClient } from '../worlds/new-accounts.ts';

export interface Visit {
  /** Milliseconds from the start of the visit to the end of each step. */
  steps: Record<string, number>;
  /** Answers of 500 and above, 429, and requests without an answer. */
  refused: string[];
  /** Texts of alerts and status lines that report a failure, however briefly they are shown. */
  messages: string[];
  /** The user's saved predictions afterwards. */
  saved: number;
  failure: string | null;
}

/** A tenth of a core takes ten times as long as a core. */
const STEP_MS = 300_000;
const VIEWPORT = { width: 1440, height: 900 };
const FAILURE = /busy|fail|couldn|can.t reach|lost|too long|try again/i;

export async function visitAs(browser: Browser, url: string, email: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  const visit: Visit = { steps: {}, refused: watchRefusals(page), messages: [], saved: 0, failure: null };
  await watchMessages(page, visit.messages);
  const beganMs = performance.now();
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await work();
    visit.steps[name] = Math.round(performance.now() - beganMs);
  };
  try {
    await step('signed in', () => signIn(page, url, email));
    await step('history shown', async () => {
      await page.goto(`${url}/kat`);
      await candles(page, 150);
    });
    await step('first candle', async () => {
      await page.getByRole('button', { name: /^Prediction \d+ left today/ }).click();
      await page.locator('main [data-candle-count]:not([data-candle-count="150"])').first().waitFor();
    });
    await step('all candles', () => candles(page, 200));
    await step('saved', () => page.getByText('saved', { exact: true }).first().waitFor());
  } catch (error) {
    visit.failure = `${error instanceof Error ? error.message.split('\n')[0] : error}; ${await shownBy(page)}`;
  }
  visit.saved = await savedRows(url, email);
  await context.close();
  return visit;
}

async function candles(page: Page, count: number): Promise<void> {
  await page.locator(`main [data-candle-count="${count}"]`).first().waitFor();
}

async function shownBy(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText()
    .catch(() => '');
  return `${page.url()} shows: ${text.replaceAll(/\s+/g, ' ').slice(0, 1500)}`;
}

async function savedRows(url: string, email: string): Promise<number> {
  const client = await newClient(url);
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  const rows = await client.from('user_predictions').select('id');
  return rows.data?.length ?? 0;
}

function watchRefusals(page: Page): string[] {
  const refused: string[] = [];
  const pathOf = (address: string): string => new URL(address).pathname;
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 500 || status === 429) refused.push(`${status} ${pathOf(response.url())}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left aborts its requests. Other programs of the machine may change its network meanwhile.
    if (!['net::ERR_ABORTED', 'net::ERR_NETWORK_CHANGED'].includes(reason))
      refused.push(`${reason} ${pathOf(request.url())}`);
  });
  return refused;
}

async function watchMessages(page: Page, messages: string[]): Promise<void> {
  await page.exposeFunction('noteMessage', (text: string) => {
    if (FAILURE.test(text) && !messages.includes(text)) messages.push(text);
  });
  await page.addInitScript(() => {
    const { noteMessage } = window as unknown as { noteMessage(text: string): void };
    const read = (): void => {
      for (const element of document.querySelectorAll('[role="alert"], [role="status"]')) {
        noteMessage((element.textContent ?? '').trim().slice(0, 200));
      }
    };
    new MutationObserver(read).observe(document, { subtree: true, childList: true, characterData: true });
  });
}
