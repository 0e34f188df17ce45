/** Each test starts with a page that was just opened, in a process that many test files share. */
import { cleanup } from '@testing-library/react';
import { toast } from 'react-hot-toast/headless';
import { vi } from 'vitest';
import { watchShownFailures } from '../app/watch-errors.ts';
import { drawOnFakeCanvas } from '../charts/testing/fake-canvas.ts';
import { resetPageState } from '../page-state.ts';
import { firstPaint } from '../platform/first-paint.ts';
import { queryClient } from '../platform/query-client.ts';

// Tests replace timers.
const { setTimeout } = globalThis;
/** jsdom's own. */
const FRAME_MS = 1000 / 60;
const QUERY_DEFAULTS = queryClient.getDefaultOptions();

/** Before each test: charts draw on a fake canvas, no call waits for a first frame, shown failures are reported. */
export function openPage(): void {
  drawOnFakeCanvas();
  firstPaint().painted = Promise.resolve();
  watchShownFailures();
}

/** Loads the page again: what is drawn and every module's state go, what the browser stores stays. */
export function reloadPage(): void {
  cleanup();
  queryClient.clear();
  queryClient.setDefaultOptions(QUERY_DEFAULTS);
  toast.removeAll();
  resetPageState();
  openPage();
}

/** After each test: removes what it drew, stored, replaced and left running. */
export async function endPage(): Promise<void> {
  cleanup();
  // jsdom updates what has the focus by an interval; one of fake timers has to end before they do.
  if (vi.isFakeTimers()) vi.advanceTimersByTime(FRAME_MS + 1);
  vi.useRealTimers();
  // Code that is still loading would send its calls to the next test's backend.
  await vi.dynamicImportSettled();
  // Calls under way get their answers from this test's backend, not from the next one's.
  await (globalThis.heldAnswers?.settled() ?? new Promise((resolve) => setTimeout(resolve)));
  reloadPage();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  clearDocument();
  // Test doubles of the clipboard and of workers; jsdom itself defines everything on the prototype.
  for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name);
  window.localStorage.clear();
  window.sessionStorage.clear();
  // The next page's state begins with what is stored: nothing.
  resetPageState();
  window.history.replaceState(null, '', '/');
}

function clearDocument(): void {
  const { documentElement, head, body } = document;
  for (const element of [documentElement, body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  head.replaceChildren();
  body.replaceChildren();
}
