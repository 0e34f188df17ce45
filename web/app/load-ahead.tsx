/**
 * Prefetches the next page's code while the user types a password, and the plan once the user is known. Rendered beside
 * the guard of visitor pages, because that guard unmounts on sign-in.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { returnPath } from '../session/return-path.ts';
import { useSession } from '../session/session.ts';
import { loadSubscriptionCheck, subscriptionQuery } from '../session/subscription.ts';
import { loadPage } from './routes.ts';

/** Lets the form's own requests go first. */
const WAIT_MS = 400;

export function LoadAhead() {
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
