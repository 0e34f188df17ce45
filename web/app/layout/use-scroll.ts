/**
 * Every change of path starts at the top, except on the first page, where the browser restores the position of a
 * reload. A URL with a fragment scrolls to its section once that exists.
 */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** How long to wait for a section to appear while its page's code and data load. */
const SECTION_WAIT_MS = 3000;

export function useScroll(): void {
  const { pathname, hash } = useLocation();
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run again for each path
  useEffect(() => {
    const isOpened = isFirst.current;
    isFirst.current = false;
    if (hash === '') {
      if (isOpened) return;
      // Newer browsers return a promise, which must not become the effect's cleanup.
      void window.scrollTo(0, 0);
      return;
    }
    return whenPresent(decodeFragment(hash), (section) => section.scrollIntoView());
  }, [pathname, hash]);
}

function whenPresent(id: string, act: (element: HTMLElement) => void): (() => void) | undefined {
  const present = document.getElementById(id);
  if (present) {
    act(present);
    return;
  }
  const observer = new MutationObserver(() => {
    const found = document.getElementById(id);
    if (!found) return;
    stop();
    act(found);
  });
  const timer = setTimeout(() => stop(), SECTION_WAIT_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // A lone per cent sign: use the fragment undecoded.
    return hash.slice(1);
  }
}
