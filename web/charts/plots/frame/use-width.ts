/** How wide an element is, so that a drawing may have its letters in their own size. */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** CSS pixels, whole; `fallbackPx` until the element stands in a page, and where it has no width. */
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
