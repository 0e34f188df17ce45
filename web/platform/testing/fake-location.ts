/** The window's address as far as a page leaves it: jsdom cannot open another page. */
import { onTestFinished, vi } from 'vitest';

/** Replaces `location.assign` and `location.reload` until the test ends. */
export function fakeLocation() {
  const assign = vi.fn<(url: string) => void>();
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { ...window.location, assign, reload });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { assign, reload };
}
