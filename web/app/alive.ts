/**
 * A pre-rendered page hydrates in parts, each first without data: no data is requested before all of it is hydrated.
 */
import { createContext, useContext, useEffect } from 'react';

/** Called once the page of the URL is hydrated; a no-op for a page that was not pre-rendered. */
export const AliveContext = createContext<() => void>(() => undefined);

export function useMarkAlive(): void {
  const markAlive = useContext(AliveContext);
  useEffect(markAlive, [markAlive]);
}
