/** A typed text once typing pauses, so that not every letter sends a request. */
import { useEffect, useState } from 'react';

/** @returns the text once it has not changed for `waitMs`; an empty one immediately */
export function useDebounced(text: string, waitMs: number): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), text === '' ? 0 : waitMs);
    return () => clearTimeout(timer);
  }, [text, waitMs]);
  return debounced;
}
