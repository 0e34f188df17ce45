import { IsRestoringProvider, type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition, useCallback, useEffect, useState } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { GuestOnly, SignedInOnly } from '../session/guards.tsx';
import { returnPath } from '../session/return-path.ts';
import { useSession } from '../session/session.ts';
import { loadSubscriptionCheck, subscriptionQuery } from '../session/subscription.ts';
import { AliveContext } from './alive.ts';
import { AccountLayout } from './layout/account-layout.tsx';
import { Layout } from './layout/layout.tsx';
import { useHead } from './layout/use-head.ts';
import { loadPage, type PageRoute, ROUTES } from './routes.ts';

export function App() {
  useHead();
  return (
    <Layout>
      <Routes>
        {ROUTES.map((route) => (
          <Route key={route.path} path={route.path} element={<Guarded route={route} />} />
        ))}
      </Routes>
    </Layout>
  );
}

function Guarded({ route }: { route: PageRoute }) {
  const { Page, access } = route;
  if (access === 'signed-in') {
    return (
      <SignedInOnly>
        {isAccountPath(route.path) ? (
          <AccountLayout>
            <Page />
          </AccountLayout>
        ) : (
          <Page />
        )}
      </SignedInOnly>
    );
  }
  if (access === 'signed-out') {
    return (
      <>
        <GuestOnly>
          <Page />
        </GuestOnly>
        <LoadAhead />
      </>
    );
  }
  return <Page />;
}

function isAccountPath(path: string): boolean {
  return path === '/account' || path.startsWith('/account/');
}

/** Lets the form's own requests go first. */
const WAIT_MS = 400;

/** Prefetches the next page while the user types a password. The guard of visitor pages would unmount it on sign-in. */
function LoadAhead() {
  const { user } = useSession();
  const { search, state } = useLocation();
  const client = useQueryClient();
  const userId = user?.id ?? null;
  useEffect(() => {
    if (userId !== null) void client.prefetchQuery(subscriptionQuery(userId));
  }, [client, userId]);
  useEffect(() => {
    const { origin } = window.location;
    const timer = setTimeout(() => {
      const { pathname } = new URL(returnPath(search, state, origin), origin);
      // A failed prefetch is retried, and reported, when the code is needed.
      const code = [loadPage(pathname), import('../session/profile.ts'), loadSubscriptionCheck()];
      Promise.all(code).catch(() => undefined);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [search, state]);
  return null;
}

interface SiteProps {
  queryClient: QueryClient;
  /** The page is pre-rendered: data is requested once it is hydrated. */
  isPrerendered: boolean;
  inRouter: (app: ReactNode) => ReactNode;
}

/** The same tree in Node and in the browser; only the router differs. */
export function Site({ queryClient, isPrerendered, inRouter }: SiteProps) {
  const [isAlive, setAlive] = useState(!isPrerendered);
  // As a transition, so that React waits for unhydrated parts instead of discarding them.
  const markAlive = useCallback(() => startTransition(() => setAlive(true)), []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <IsRestoringProvider value={!isAlive}>
          <AliveContext value={markAlive}>{inRouter(<App />)}</AliveContext>
        </IsRestoringProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
