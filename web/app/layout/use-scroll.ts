/** Every change of path starts at the top (on the first page the browser knows better: it may be a reload); an address with a fragment goes to its section once that is there. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** How long a section may take to appear: its page's code and data are still on the way. */
const SECTION_WAIT_MS = 3000;

export function useScroll(): void {
  const { pathname, hash } = useLocation();
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for
  useEffect(() => {
    const isOpened = isFirst.current;
    isFirst.current = false;
    if (hash === '') {
      if (isOpened) return;
      // Newer browsers answer with a promise, which must not become the effect's undo.
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
    // A lone per cent sign: take it as it stands.
    return hash.slice(1);
  }
}
