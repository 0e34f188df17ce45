/** The query of the signed-in user's plan, shared by all who show or prefetch it. */
import { queryOptions } from '@tanstack/react-query';

/** The code that reads and checks the row loads only if there is a row. */
export function subscriptionQuery(userId: string) {
  return queryOptions({
    queryKey: ['subscription', userId],
    queryFn: async ({ signal }) => (await import('./subscription.ts')).fetchSubscription(userId, signal),
    // Another tab, or the payment provider's pages, may have changed it meanwhile.
    refetchOnWindowFocus: true,
  });
}
