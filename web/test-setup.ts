/** What jsdom lacks and components use, no network, and a page that was just opened for each test. */
import { configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { endPage, openPage } from './testing/fresh-page.ts';

// One second, the default, is short for a part whose code comes later on a busy machine.
configure({ asyncUtilTimeout: 5000 });

// No test reaches a network: a call without a fake backend fails, and a live connection without a fake one never opens.
globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
globalThis.WebSocket = class extends EventTarget {
  send(): void {}
  close(): void {}
} as unknown as typeof WebSocket;

// jsdom draws its frames by one interval, which stops for good when a test that replaced timers ends. These do not.
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
// What is closed draws no more: one after the last test would find no window.
afterEach(() => {
  for (const frame of frames.keys()) window.cancelAnimationFrame(frame);
});

// Hooks after a test run from the last to the first: the page ends before its frames do.
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

// As in a browser, it has the focus while it is open; what is beside it can still be reached here.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>('button, input, select, a')?.focus();
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

window.scrollTo = () => {};
Element.prototype.scrollIntoView ??= () => {};

globalThis.ResizeObserver ??= class implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
