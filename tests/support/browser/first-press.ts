/** Presses one control of a page early, by mouse, finger or key, and counts how often it acted. */
import type { CDPSession, Page } from 'playwright-core';

export const INPUTS = ['mouse', 'touch', 'Enter', 'Space'] as const;
export type Input = (typeof INPUTS)[number];

export interface EarlyControl {
  name: string;
  /** CSS selector of the control. */
  at: string;
  /** JavaScript expression: true while what the control does is in force. A second press would end it. */
  hasActed: string;
  /** Only for this kind of visitor; by default for both. */
  isSignedIn?: boolean;
  isWideOnly?: boolean;
  inputs?: readonly Input[];
}

const isOpen = (selector: string) => `document.querySelector('${selector}')?.getAttribute('aria-expanded') === 'true'`;
const opener = (name: string, at: string): EarlyControl => ({ name, at, hasActed: isOpen(at) });
const CHANCES = 'main button[aria-expanded]:not([id])';
const HAS_DIALOG = `document.querySelector('dialog[open]')`;

/** Of /kat, in a browser that prefers the dark theme. */
export const KAT_CONTROLS: readonly EarlyControl[] = [
  opener('Symbol', '[role="combobox"][aria-label="Symbol"]'),
  opener('Model', '[role="combobox"][aria-label="Model"]'),
  { ...opener('Watchlist', '#watchlist-button'), isWideOnly: true },
  opener('Chances', CHANCES),
  { name: 'Export', at: `${CHANCES} + button`, hasActed: HAS_DIALOG },
  {
    name: 'Timeframe',
    at: 'main label:has(input[value="5min"])',
    hasActed: `location.search.includes('5min')`,
    // Keys act on the radio button of the chosen one.
    inputs: ['mouse', 'touch'],
  },
  { name: 'Search', at: 'header button[aria-haspopup="dialog"]', hasActed: HAS_DIALOG },
  {
    name: 'Theme',
    at: 'button[aria-label="Toggle theme"]',
    hasActed: `document.documentElement.dataset.theme === 'light'`,
  },
  { ...opener('Navigation', 'header nav li button'), isWideOnly: true },
  { ...opener('Account menu', 'button[aria-label="Account menu"]'), isSignedIn: true, isWideOnly: true },
];

export interface Hand {
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Before its styles have arrived nothing is painted, and every control is elsewhere. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn);
}

/** Runs in the page. */
function isDrawn(): boolean {
  const paints = performance.getEntriesByName('first-contentful-paint');
  return document.readyState !== 'loading' && paints.length > 0;
}

/** A hand on the control of a drawn page, which is brought into view. */
export async function reachFor(page: Page, control: EarlyControl, input: Input): Promise<Hand> {
  await page.locator(control.at).first().waitFor();
  await waitUntilDrawn(page);
  const place = await page.evaluate(showPlace, control.at);
  return HANDS[input](page, await page.context().newCDPSession(page), place, control.at);
}

interface Place {
  x: number;
  y: number;
}

const HANDS: Readonly<Record<Input, (page: Page, session: CDPSession, place: Place, at: string) => Hand>> = {
  mouse: (page, _session, { x, y }) => ({
    async down() {
      await page.mouse.move(x, y);
      await page.mouse.down();
    },
    up: () => page.mouse.up(),
  }),
  touch: (_page, session, place) => ({
    async down() {
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place] });
    },
    async up() {
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
  }),
  Enter: (page, _session, _place, at) => keyOn(page, at, 'Enter'),
  Space: (page, _session, _place, at) => keyOn(page, at, ' '),
};

function keyOn(page: Page, at: string, key: string): Hand {
  return {
    async down() {
      await page.locator(at).first().focus();
      await page.keyboard.down(key);
    },
    up: () => page.keyboard.up(key),
  };
}

/** Runs in the page. @returns the control's middle, within the window */
function showPlace(at: string): Place {
  const control = document.querySelector(at);
  control?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { x = 0, y = 0, width = 0, height = 0 } = control?.getBoundingClientRect() ?? {};
  return { x: x + width / 2, y: y + height / 2 };
}

export interface Acts {
  /** The press began on the control. */
  hasReached: boolean;
  /** How often what the control does came into force or ended. */
  changes: number;
}

declare global {
  interface Window {
    acts: Acts;
  }
}

/** Call it before the page is opened. */
export async function countActs(page: Page, { at, hasActed }: EarlyControl): Promise<void> {
  await page.addInitScript(watchActs, { at, hasActed });
}

/** Runs in the page. */
function watchActs({ at, hasActed }: { at: string; hasActed: string }): void {
  const acts: Acts = { hasReached: false, changes: 0 };
  window.acts = acts;
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(
      type,
      ({ target }) => {
        if (target instanceof Element && target.closest(at) !== null) acts.hasReached = true;
      },
      true,
    );
  const read = new Function(`return Boolean(${hasActed})`);
  let last = false;
  new MutationObserver(() => {
    const now: boolean = read();
    if (now !== last) acts.changes += 1;
    last = now;
  }).observe(document, { subtree: true, childList: true, attributes: true });
}
