/**
 * Widgets load after the first paint, on small (slow) screens once their place is visible, the rest while the browser
 * is idle. Widgets that most users never scroll to wait until their place is near.
 */
import { type RefObject, startTransition, useEffect, useState } from 'react';
import { pageState } from '../../page-state.ts';
import { useIsKnown } from './prerendered-store.ts';

const SMALL = '(max-width: 47.5em)';
const PRINT = 'print';
/** Margins around the viewport. The first screen has enough work while a page hydrates; one that is scrolled has not. */
const MARGINS = { soon: '0px', near: '400px 0px' } as const;
/** How long after the first paint the remaining widgets start to load, and the pause between two. */
const REST_AFTER_MS = 4000;
const PAUSE_MS = 250;

/** `near`: only when the user comes near its place, or prints the page. */
export type Arrival = 'soon' | 'near';

/** @param place  the element where the widget will appear */
export function useIsDue(place: RefObject<Element | null>, arrival: Arrival = 'soon'): boolean {
  const isKnown = useIsKnown();
  const isNear = arrival === 'near';
  // A page that was not pre-rendered renders its widgets immediately.
  const [isDue, setDue] = useState(() => due().hasPainted && !isNear && !isSmall());
  useEffect(() => {
    if (!isKnown || isDue) return;
    // A widget's first render must not delay input.
    const come = () => startTransition(() => setDue(true));
    let leave = (): void => undefined;
    const stopWaiting = whenPainted(() => {
      const element = place.current;
      const isWatched = (isNear && !matchMedia(PRINT).matches) || isSmall();
      if (element === null || !isWatched || typeof IntersectionObserver !== 'function') come();
      else leave = whenNear(element, arrival, come);
    });
    return () => {
      stopWaiting();
      leave();
    };
  }, [isKnown, isDue, isNear, arrival, place]);
  return isKnown && isDue;
}

function whenNear(element: Element, arrival: Arrival, come: () => void): () => void {
  const observer = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && come(), {
    rootMargin: MARGINS[arrival],
  });
  observer.observe(element);
  const leave = arrival === 'near' ? whenPrinted(come) : withTheRest(come);
  return () => {
    observer.disconnect();
    leave();
  };
}

function whenPrinted(come: () => void): () => void {
  const media = matchMedia(PRINT);
  window.addEventListener('beforeprint', come);
  media.addEventListener('change', come);
  return () => {
    window.removeEventListener('beforeprint', come);
    media.removeEventListener('change', come);
  };
}

/**
 * Whether to start costly work that a cheap picture replaces until then: on small screens with the rest, or at the first
 * touch of the place; elsewhere immediately.
 */
export function useIsWanted(place: RefObject<Element | null>): boolean {
  const [isWanted, setWanted] = useState(() => !isSmall());
  useEffect(() => {
    if (isWanted) return;
    const want = () => setWanted(true);
    const element = place.current;
    element?.addEventListener('pointerenter', want);
    const leave = withTheRest(want);
    return () => {
      element?.removeEventListener('pointerenter', want);
      leave();
    };
  }, [isWanted, place]);
  return isWanted;
}

interface DueState {
  hasPainted: boolean;
  waiting: Set<() => void>;
  rest: Set<() => void>;
  isResting: boolean;
}

const due = pageState<DueState>(
  () => ({ hasPainted: false, waiting: new Set(), rest: new Set(), isResting: false }),
  ({ rest }) => rest.clear(),
);

/** Calls back once the browser has drawn a frame of the first page; on later pages immediately. */
function whenPainted(listener: () => void): () => void {
  const page = due();
  const { waiting } = page;
  if (page.hasPainted) {
    listener();
    return () => undefined;
  }
  waiting.add(listener);
  if (waiting.size === 1) watchFirstFrame(page);
  return () => waiting.delete(listener);
}

function watchFirstFrame(page: DueState): void {
  const done = (): void => {
    page.hasPainted = true;
    for (const listener of page.waiting) listener();
    page.waiting.clear();
  };
  // A hidden tab draws no frames.
  window.setTimeout(done, document.hidden ? 0 : 1000);
  requestAnimationFrame(() => window.setTimeout(done, 0));
}

function isSmall(): boolean {
  return matchMedia(SMALL).matches;
}

function withTheRest(come: () => void): () => void {
  const page = due();
  page.rest.add(come);
  if (!page.isResting) {
    page.isResting = true;
    window.setTimeout(() => nextOfRest(page), REST_AFTER_MS);
  }
  return () => page.rest.delete(come);
}

function nextOfRest(page: DueState): void {
  const [next] = page.rest;
  if (next === undefined) {
    page.isResting = false;
    return;
  }
  whenIdle(() => {
    // It may have left meanwhile, as all do when the page ends.
    if (!page.rest.delete(next)) return nextOfRest(page);
    next();
    window.setTimeout(() => nextOfRest(page), PAUSE_MS);
  });
}

/** @param latestMs  runs the work after this long even if the browser is busy. @returns a function that cancels it */
export function whenIdle(work: () => void, latestMs = 1000): () => void {
  // Some browsers don't report idle time.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(work, 0);
    return () => window.clearTimeout(timer);
  }
  const request = window.requestIdleCallback(work, { timeout: latestMs });
  return () => window.cancelIdleCallback(request);
}
