/** State of a purchase, for the signed-in user. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { reportError } from '../../platform/error-log.ts';
import { useSession } from '../../session/session.ts';
import { subscriptionQuery } from '../../session/subscription.ts';
import { confirmCheckout } from './checkout-api.ts';
import { confirmPurchase, type Outcome } from './confirmation.ts';

export type Confirmation =
  | { kind: 'confirming' }
  /** The URL names no checkout. */
  | { kind: 'nothing' }
  | { kind: 'signed-out' }
  | Outcome;

export interface ConfirmationState {
  confirmation: Confirmation;
  askAgain(): void;
}

/** @param sessionId  from the URL; null without one */
export function useConfirmation(sessionId: string | null): ConfirmationState {
  const { initialized, user } = useSession();
  const client = useQueryClient();
  const userId = user?.id ?? '';
  const query = useQuery({
    queryKey: ['checkout', userId, sessionId],
    queryFn: async ({ signal }) => {
      const outcome = await confirmPurchase({
        confirm: () => confirmCheckout(sessionId ?? '', signal),
        wait: (ms) => waited(ms, signal),
        report: (error) => reportError(error, { where: 'checkout confirmation' }),
      });
      // The cached plan and quota of other pages date from before the purchase.
      await client.fetchQuery({ ...subscriptionQuery(userId), staleTime: 0, retry: false }).catch(() => {
        // Components that show the plan refetch it and report failures; the outcome is known without it.
      });
      await client.invalidateQueries({ queryKey: ['quota', userId] });
      return outcome;
    },
    enabled: user !== null && sessionId !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The query itself reports an unreachable server.
    networkMode: 'always',
    refetchOnReconnect: ({ state }) => (state.data?.kind === 'unreachable' ? 'always' : false),
  });
  return { confirmation: confirmation(), askAgain: () => void query.refetch() };

  function confirmation(): Confirmation {
    if (sessionId === null) return { kind: 'nothing' };
    if (initialized && user === null) return { kind: 'signed-out' };
    if (query.data === undefined || query.isFetching) return { kind: 'confirming' };
    return query.data;
  }
}

/** @throws the signal's reason when the user leaves the page */
function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
  });
}
