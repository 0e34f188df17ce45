/**
 * A pre-rendered page comes alive part by part, and each part must begin as it was drawn: without data. So nothing is
 * asked of the server before the page itself is alive.
 */
import { createContext, useContext, useEffect } from 'react';

/** Called once the page of the address is alive; a page that was not pre-rendered has nobody to tell. */
export const AliveContext = createContext<() => void>(() => undefined);

export function useTellAlive(): void {
  const tell = useContext(AliveContext);
  useEffect(tell, [tell]);
}
