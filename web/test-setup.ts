/** Test setup: what jsdom lacks and components use, no network, and a newly opened page for each test. */
import { configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterEach, beforeEach } from 'vitest';
import { endPage, openPage } from './testing/fresh-page.ts';
import { PICKER_LIST } from './ui/forms/picker.tsx';

// A click opens a list immediately, as on a page whose user already pointed at it.
await PICKER_LIST.load();

// One second, the default, is too short for lazy parts on a busy machine; a test that passes never waits this long.
configure({ asyncUtilTimeout: 20_000 });

// Each attempt of a query that waits would print the whole page into an error that no one reads; the last one does.
const { getElementError: printPage } = getConfig();
configure({
  getElementError(message, container) {
    if (Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') !== true) return printPage(message, container);
    const error = new Error(message ?? '');
    error.name = 'TestingLibraryElementError';
    return error;
  },
});

// React stores a stack for each of the first 10,000 elements, to print it in warnings. That takes a twelfth of the time.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {}, configurable: true });

// No test reaches a network: a call without a fake backend fails, and a live connection without a fake never opens.
globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
globalThis.WebSocket = class extends EventTarget {
  send(): void {}
  close(): void {}
} as unknown as typeof WebSocket;

// jsdom draws frames with one interval, which stops for good after a test that replaced timers. These do not.
const frames = new Map<number, ReturnType<typeof setTimeout>>();
let lastFrame = 0;
window.requestAnimationFrame = (draw) => {
  lastFrame += 1;
  const frame = lastFrame;
  const drawOnce = () => {
    frames.delete(frame);
    draw(performance.now());
  };
  frames.set(frame, setTimeout(drawOnce, 16));
  return frame;
};
window.cancelAnimationFrame = (frame) => {
  clearTimeout(frames.get(frame));
  frames.delete(frame);
};
// Ended pages draw no more: a frame after the last test would find no window.
afterEach(() => {
  for (const frame of frames.keys()) window.cancelAnimationFrame(frame);
});

// Hooks after a test run in reverse order: the page ends before its frames do.
beforeEach(openPage);
afterEach(endPage);

window.matchMedia ??= (query: string) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });

// As in a browser, an open dialog has the focus; unlike there, the elements beside it stay reachable.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>('button, input, select, a')?.focus();
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

window.scrollTo = () => {};
Element.prototype.scrollIntoView ??= () => {};
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;

globalThis.ResizeObserver ??= class implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
