/**
 * Stores that the build did not know when it rendered a page. React would correct the whole page after hydration in
 * one task, too long for slow phones; here the correction is a transition, which React interrupts for input.
 */
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

/** @param rendered  what pre-rendered pages show; the same value in each call */
export function usePrerenderedStore<T>(
  subscribe: (onChange: () => void) => () => void,
  current: () => T,
  rendered: T,
): T {
  const [mount] = useState(() => ({ isHydrated: false }));
  const [isCorrected, setCorrected] = useState(false);
  useEffect(() => {
    if (mount.isHydrated) startTransition(() => setCorrected(true));
  }, [mount]);
  return useSyncExternalStore(
    subscribe,
    () => (mount.isHydrated && !isCorrected ? rendered : current()),
    () => {
      // React calls this for pre-rendered components only.
      mount.isHydrated = true;
      return rendered;
    },
  );
}

/** False while a pre-rendered page hydrates: it was rendered before its address, screen and storage were known. */
export function useIsKnown(): boolean {
  return usePrerenderedStore(subscribeToNothing, always, false);
}

const subscribeToNothing = () => () => undefined;
const always = () => true;
