import { useCallback } from 'react';
import { usePrerenderedStore } from './prerendered-store.ts';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return usePrerenderedStore(subscribe, () => matchMedia(query).matches, false);
}

export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)');
}
