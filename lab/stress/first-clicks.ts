/**
 * `npm run lab -- stress first-clicks`: visits with an empty cache and one press of one control at a random moment of the first
 * four seconds, by mouse, touch and keyboard, with processors 1, 4 and 6 times slower. Each press must act exactly once.
 *
 * --visits N (default 200), --seed N (default 1), --url ADDRESS (of a running demo; by default it starts one),
 * --control NAME (repeatable)
 */
import { parseArgs } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import {
  countActs,
  type EarlyControl,
  INPUTS,
  type Input,
  KAT_CONTROLS,
  reachFor,
} from '../../tests/support/browser/first-press.ts';
import { seededDraws } from '../../tests/support/power-cut/seeded-draws.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';
import { signedInContext } from '../../tests/support/worlds/signed-in.ts';

const SLOWDOWNS = [1, 4, 6];
const FIRST_MS = 4000;
/** A quick tap and an unhurried click. */
const HOLD_MS = { least: 30, most: 200 };
/** A slow page may act this long after the press. */
const LATEST_MS = 20_000;
/** A second act would follow the first within this time. */
const AGAIN_MS = 1500;
const USER = 'bobcat@example.com';
const WIDE: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' };
const PHONE: BrowserContextOptions = { ...WIDE, viewport: { width: 390, height: 844 }, isMobile: true };

interface Press {
  control: EarlyControl;
  input: Input;
  isSignedIn: boolean;
  /** How many times slower than this machine the page's processor is. */
  slowdown: number;
  /** After the control is visible. */
  atMs: number;
  holdMs: number;
}

/** `elsewhere`: the page moved under the pointer. */
type Result = 'once' | 'never' | 'again' | 'elsewhere';

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    control: { type: 'string', multiple: true },
  },
});
const controls = KAT_CONTROLS.filter(({ name }) => values.control?.includes(name) ?? true);
const visits = Number(values.visits);
if (controls.length === 0 || !(visits >= 1)) {
  console.error(`--control takes ${KAT_CONTROLS.map(({ name }) => name).join(', ')}; --visits takes a number from 1.`);
  process.exit(2);
}

const kat = values.url === undefined ? await startKat({ args: ['--demo'], env: { HOUSE_FORECASTS: 'on' } }) : null;
const url = kat?.url ?? String(values.url);
const browser = await launchChromium();
const counts = new Map<string, Record<Result, number>>();
try {
  const draw = seededDraws(Number(values.seed));
  for (let i = 0; i < visits; i++) {
    const press = drawPress(draw);
    const { control, input, isSignedIn, slowdown, atMs, holdMs } = press;
    const result = await visit(press);
    const user = isSignedIn ? 'signed in' : 'visitor';
    for (const row of ['all', `${slowdown} times slower`, input, user]) count(row, result);
    if (result !== 'once')
      console.log(`${result}: ${control.name}, ${input}, ${user}, x${slowdown}, after ${atMs} ms for ${holdMs} ms`);
  }
  console.table(Object.fromEntries(counts));
  const all = counts.get('all');
  process.exitCode = all === undefined || all.never + all.again > 0 ? 1 : 0;
} finally {
  await browser.close();
  await kat?.dispose();
}

function drawPress(draw: () => number): Press {
  const control = among(controls, draw());
  return {
    control,
    input: among(control.inputs ?? INPUTS, draw()),
    isSignedIn: control.isSignedIn ?? draw() < 0.5,
    slowdown: among(SLOWDOWNS, draw()),
    atMs: Math.round(draw() * FIRST_MS),
    holdMs: Math.round(HOLD_MS.least + draw() * (HOLD_MS.most - HOLD_MS.least)),
  };
}

async function visit({ control, input, isSignedIn, slowdown, atMs, holdMs }: Press): Promise<Result> {
  const options = { ...(input === 'touch' && !control.isWideOnly ? PHONE : WIDE), hasTouch: input === 'touch' };
  const context = await (isSignedIn ? signedInContext(browser, url, USER, options) : browser.newContext(options));
  try {
    const page = await context.newPage();
    await countActs(page, control);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${url}/kat`, { waitUntil: 'commit' });
    const hand = await reachFor(page, control, input);
    await page.waitForTimeout(atMs);
    await hand.down();
    await page.waitForTimeout(holdMs);
    await hand.up();
    await page
      .waitForFunction(() => window.acts.changes > 0 || !window.acts.hasReached, null, { timeout: LATEST_MS })
      // It never acted, which the figures show.
      .catch(() => undefined);
    await page.waitForTimeout(AGAIN_MS);
    const { hasReached, changes } = await page.evaluate(() => window.acts);
    const isPointer = input === 'mouse' || input === 'touch';
    // A key misses the control only if the page has lost the focus.
    if (!hasReached) return isPointer ? 'elsewhere' : 'never';
    if (changes === 0) return 'never';
    return changes === 1 ? 'once' : 'again';
  } finally {
    await context.close();
  }
}

function count(row: string, result: Result): void {
  const counted = counts.get(row) ?? { once: 0, never: 0, again: 0, elsewhere: 0 };
  counted[result] += 1;
  counts.set(row, counted);
}

function among<T>(all: readonly T[], draw: number): T {
  const chosen = all[Math.floor(draw * all.length)];
  if (chosen === undefined) throw new RangeError('Nothing to choose from.');
  return chosen;
}
