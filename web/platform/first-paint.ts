import { pageState } from '../page-state.ts';

export const firstPaint = pageState<{ painted: Promise<void> | null }>(() => ({ painted: null }));

/** Settles after the browser has drawn a frame; immediately in a hidden tab, which draws none. */
export function afterFirstPaint(): Promise<void> {
  const page = firstPaint();
  page.painted ??= new Promise((resolve) => {
    if (document.hidden || typeof requestAnimationFrame !== 'function') return resolve();
    requestAnimationFrame(() => setTimeout(resolve, 0));
    // A tab that becomes hidden between the two calls never draws the frame.
    setTimeout(resolve, 1000);
  });
  return page.painted;
}
