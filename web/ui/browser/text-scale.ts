/** How much larger than usual the reader wants text: 2 at 200%. For drawings, which no style sheet scales. */
import { usePrerenderedStore } from './prerendered-store.ts';

const USUAL_PX = 16;

export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX || 1;
}

/** As it was when the page was opened: a change of the browser's setting shows on the next page. */
export function useTextScale(): number {
  return usePrerenderedStore(never, textScale, 1);
}

const never = () => () => undefined;
