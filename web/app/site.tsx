/** The whole site but its router, which differs where a page is drawn: the same tree in Node and in the browser. */
import { IsRestoringProvider, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition, useCallback, useState } from 'react';
import { AliveContext } from './alive.ts';
import { App } from './app.tsx';

export interface SiteProps {
  queryClient: QueryClient;
  /** Drawn beforehand: data is asked for once the page is alive. */
  isPrerendered: boolean;
  /** Puts the app into its router. */
  inRouter: (app: ReactNode) => ReactNode;
}

export function Site({ queryClient, isPrerendered, inRouter }: SiteProps) {
  const [isAlive, setAlive] = useState(!isPrerendered);
  // As a transition: parts that are not alive yet are waited for, not thrown away.
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
