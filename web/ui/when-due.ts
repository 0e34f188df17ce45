/**
 * When a widget's code is asked for: after the first paint, and on small screens, whose processors are slow, once its
 * place is near; what nobody has scrolled to comes by itself later, one widget at a time, while nothing else goes on.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from './when-idle.ts';

const SMALL = '(max-width: 760px)';
/** Around what is seen: the first screen's own work is enough while a page comes alive. */
const NEAR = '0px';
/** How long after the first paint the rest begins to come, and the pause between two. */
const REST_AFTER_MS = 4000;
const PAUSE_MS = 250;

/** @param place  stands where the widget will be */
export function useIsDue(place: RefObject<Element | null>): boolean {
  const isPainted = useSyncExternalStore(whenPainted, () => hasPainted, notYet);
  // A page that was not pre-rendered begins with what it will show.
  const [isDue, setDue] = useState(() => hasPainted && !isSmall());
  useEffect(() => {
    if (!isPainted || isDue) return;
    const element = place.current;
    if (element === null || !isSmall() || typeof IntersectionObserver !== 'function') {
      setDue(true);
      return;
    }
    const observer = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && setDue(true), {
      rootMargin: NEAR,
    });
    observer.observe(element);
    const leave = withTheRest(() => setDue(true));
    return () => {
      observer.disconnect();
      leave();
    };
  }, [isPainted, isDue, place]);
  return isPainted && isDue;
}

let hasPainted = false;
const waiting = new Set<() => void>();

const notYet = () => false;

/** Told once the browser has drawn a frame of the page that was opened first; from then on it is known at once. */
function whenPainted(listener: () => void): () => void {
  if (hasPainted) return () => undefined;
  waiting.add(listener);
  if (waiting.size === 1) watchFirstFrame();
  return () => waiting.delete(listener);
}

function watchFirstFrame(): void {
  const done = (): void => {
    hasPainted = true;
    for (const listener of waiting) listener();
    waiting.clear();
  };
  // A hidden tab draws no frame.
  window.setTimeout(done, document.hidden ? 0 : 1000);
  requestAnimationFrame(() => window.setTimeout(done, 0));
}

function isSmall(): boolean {
  return matchMedia(SMALL).matches;
}

const rest = new Set<() => void>();
let isResting = false;

function withTheRest(come: () => void): () => void {
  rest.add(come);
  if (!isResting) {
    isResting = true;
    window.setTimeout(nextOfRest, REST_AFTER_MS);
  }
  return () => rest.delete(come);
}

function nextOfRest(): void {
  const [next] = rest;
  if (next === undefined) {
    isResting = false;
    return;
  }
  whenIdle(() => {
    rest.delete(next);
    next();
    window.setTimeout(nextOfRest, PAUSE_MS);
  });
}
