/**
 * A pre-rendered page hydrates part by part, and each part must first render as it was pre-rendered: without data. So
 * no data is requested before the page itself is hydrated.
 */
import { createContext, useContext, useEffect } from 'react';

/** Called once the page of the URL is hydrated; a no-op for a page that was not pre-rendered. */
export const AliveContext = createContext<() => void>(() => undefined);

export function useTellAlive(): void {
  const tell = useContext(AliveContext);
  useEffect(tell, [tell]);
}
