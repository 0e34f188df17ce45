/**
 * While somebody types a password, the code of the page behind it is fetched; and the plan as soon as it is known whose.
 * Afterwards little is left to wait for. Stands beside the guard of a page for visitors, which has left by then.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { loadAccountCode } from '../session/account-code.ts';
import { returnPath } from '../session/return-path.ts';
import { useSession } from '../session/session.ts';
import { subscriptionQuery } from '../session/subscription-query.ts';
import { loadPage } from './routes.ts';

/** After what the form itself needs. */
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
      // What cannot be had now is asked for again, and told, once it is needed.
      Promise.all([loadPage(pathname), loadAccountCode()]).catch(() => undefined);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [search, state]);
  return null;
}
