import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PlanName } from '#domain/billing/plans.ts';
import type { SubscriptionRow } from '#domain/billing/subscription.ts';
import { pause } from '#domain/time/deadline.ts';
import { reportError } from '../../platform/error-log.ts';
import { useSession } from '../../session/session.ts';
import { subscriptionQuery } from '../../session/subscription.ts';
import { type Confirmed, confirmCheckout, type Refused } from './checkout-api.ts';

export type Confirmation =
  | { kind: 'confirming' }
  /** The URL names no checkout. */
  | { kind: 'nothing' }
  | { kind: 'signed-out' }
  | ConfirmationOutcome;

interface ConfirmationState {
  confirmation: Confirmation;
  recheck(): void;
}

export function useConfirmation(sessionId: string | null): ConfirmationState {
  const { initialized, user } = useSession();
  const client = useQueryClient();
  const userId = user?.id ?? '';
  const query = useQuery({
    queryKey: ['checkout', userId, sessionId],
    queryFn: async ({ signal }) => {
      const outcome = await confirmPurchase({
        confirm: () => confirmCheckout(sessionId ?? '', signal),
        wait: (ms) => pause(ms, signal),
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
  return { confirmation: confirmation(), recheck: () => void query.refetch() };

  function confirmation(): Confirmation {
    if (sessionId === null) return { kind: 'nothing' };
    if (initialized && user === null) return { kind: 'signed-out' };
    if (query.data === undefined || query.isFetching) return { kind: 'confirming' };
    return query.data;
  }
}

/** Shortest wait before the result is shown (R-BILLING-7). */
export const LEAST_WAIT_MS = 2000;
/** As after a cancellation: about 60 seconds in all. */
const TRIES = 20;
const FIRST_DELAY_MS = 800;
const DELAY_GROWTH = 1.25;
const MAX_DELAY_MS = 4000;
/** After this many tries without any answer, the page says so and offers to check again. */
const TRIES_UNANSWERED = 6;

export type ConfirmationOutcome =
  | { kind: 'paid'; plan: PlanName; row: SubscriptionRow }
  /** Paid, but the plan did not become active while the page waited. */
  | { kind: 'late' }
  /** Paid earlier; the subscription has ended since. */
  | { kind: 'over' }
  | { kind: 'open' }
  | { kind: 'expired' }
  /** Not one of the caller's checkouts. */
  | { kind: 'refused'; message: string }
  | { kind: 'unreachable' };

interface ConfirmationPorts {
  /** Errors that it throws are temporary. */
  confirm(): Promise<Confirmed | Refused>;
  wait(ms: number): Promise<void>;
  report(error: unknown): void;
}

export async function confirmPurchase(ports: ConfirmationPorts): Promise<ConfirmationOutcome> {
  const [outcome] = await Promise.all([settle(ports), ports.wait(LEAST_WAIT_MS)]);
  return outcome;
}

async function settle(ports: ConfirmationPorts): Promise<ConfirmationOutcome> {
  let unanswered = 0;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await ports.wait(delayMs(attempt - 1));
    const outcome = await check(ports);
    if (outcome.kind === 'unreachable') unanswered += 1;
    else if (outcome.kind !== 'late') return outcome;
    if (unanswered === TRIES_UNANSWERED) return outcome;
  }
  return { kind: 'late' };
}

async function check({ confirm, report }: ConfirmationPorts): Promise<ConfirmationOutcome> {
  try {
    return outcomeOf(await confirm());
  } catch (error) {
    report(error);
    return { kind: 'unreachable' };
  }
}

function outcomeOf(answer: Confirmed | Refused): ConfirmationOutcome {
  if (answer.status === 'refused') return { kind: 'refused', message: answer.message };
  const { status, plan, subscription } = answer;
  if (status !== 'complete') return { kind: status };
  if (plan !== 'free' && subscription !== null) return { kind: 'paid', plan, row: subscription };
  return { kind: subscription?.status === 'canceled' ? 'over' : 'late' };
}

function delayMs(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * DELAY_GROWTH ** attempt);
}
