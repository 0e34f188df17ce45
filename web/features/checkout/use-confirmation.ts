/** Where a purchase stands, for whoever is signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { reportError } from '../../platform/error-log.ts';
import { useSession } from '../../session/session.ts';
import { subscriptionQuery } from '../../session/subscription-query.ts';
import { confirmCheckout } from './checkout-api.ts';
import { confirmPurchase, type Outcome } from './confirmation.ts';

export type Confirmation =
  | { kind: 'confirming' }
  /** The address names no checkout. */
  | { kind: 'nothing' }
  | { kind: 'signed-out' }
  | Outcome;

export interface ConfirmationState {
  confirmation: Confirmation;
  askAgain(): void;
}

/** @param sessionId  of the address; null without one */
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
      // What other pages know of the plan and its quota is of before the purchase.
      await client.fetchQuery({ ...subscriptionQuery(userId), staleTime: 0, retry: false }).catch(() => {
        // Whoever shows the plan asks again and tells; what became of the purchase is known without it.
      });
      await client.invalidateQueries({ queryKey: ['quota', userId] });
      return outcome;
    },
    enabled: user !== null && sessionId !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Asks and tells by itself that nothing answers.
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

/** @throws the signal's reason when the page is left */
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
