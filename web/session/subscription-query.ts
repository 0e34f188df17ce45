/** How the plan of whoever is signed in is asked for: one answer for all who show it, and for who fetches it ahead of them. */
import { queryOptions } from '@tanstack/react-query';

/** What reads and checks the row is loaded when there is a row to read. */
export function subscriptionQuery(userId: string) {
  return queryOptions({
    queryKey: ['subscription', userId],
    queryFn: async ({ signal }) => (await import('./subscription.ts')).fetchSubscription(userId, signal),
    // Another tab, or the payment provider's pages, may have changed it meanwhile.
    refetchOnWindowFocus: true,
  });
}
