/** The whole site without its router, which differs by environment: the same tree in Node and in the browser. */
import { IsRestoringProvider, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition, useCallback, useState } from 'react';
import { AliveContext } from './alive.ts';
import { App } from './app.tsx';

export interface SiteProps {
  queryClient: QueryClient;
  /** The page is pre-rendered: data is requested once it is hydrated. */
  isPrerendered: boolean;
  /** Wraps the app in its router. */
  inRouter: (app: ReactNode) => ReactNode;
}

export function Site({ queryClient, isPrerendered, inRouter }: SiteProps) {
  const [isAlive, setAlive] = useState(!isPrerendered);
  // As a transition, so that React waits for unhydrated parts instead of discarding them.
  const tellAlive = useCallback(() => startTransition(() => setAlive(true)), []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <IsRestoringProvider value={!isAlive}>
          <AliveContext value={tellAlive}>{inRouter(<App />)}</AliveContext>
        </IsRestoringProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
