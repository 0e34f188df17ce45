import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whole CSS pixels; `fallbackPx` until the element is on a page, and while it has no width. */
export function useWidth(ref: RefObject<Element | null>, fallbackPx: number): number {
  const [widthPx, setWidthPx] = useState(fallbackPx);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setWidthPx(Math.floor(element.clientWidth) || fallbackPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, fallbackPx]);
  return widthPx;
}
