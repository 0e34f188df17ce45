/** A typed text once typing pauses, so that not every letter sends a request. */
import { useEffect, useState } from 'react';

/** @returns the text once it has not changed for `restMs`; an empty one immediately */
export function useRested(text: string, restMs: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), text === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return rested;
}
