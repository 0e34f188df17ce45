/** Work that must not delay what people see first waits for this. */
import { pageState } from '../page-state.ts';

export const firstPaint = pageState<{ painted: Promise<void> | null }>(() => ({ painted: null }));

/** Settles after the browser has drawn a frame; at once in a hidden tab, which draws none. */
export function afterFirstPaint(): Promise<void> {
  const page = firstPaint();
  page.painted ??= new Promise((resolve) => {
    if (document.hidden || typeof requestAnimationFrame !== 'function') return resolve();
    requestAnimationFrame(() => setTimeout(resolve, 0));
    // A tab that is hidden between the two calls never draws the frame.
    setTimeout(resolve, 1000);
  });
  return page.painted;
}
