/** What the functions for plans and payments share: their parts, and one user's changes in order. */
import { AppError } from '#domain/errors/app-error.ts';
import type { Core } from '../core.ts';
import type { Customers } from './checkout/customers.ts';
import type { PaymentsSource } from './provider/payments-source.ts';
import type { ProviderCall, Stripe } from './provider/provider-call.ts';
import type { SubscriptionSync } from './subscriptions/subscription-sync.ts';

export interface BillingDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  mode: PaymentsSource['mode'];
  stripe: Stripe;
  /** Wraps every call of `stripe`. */
  call: ProviderCall;
  /** The prices on sale, from the settings. */
  priceIds: { bobcat: string; lion: string };
  /** True for an address of this site. */
  isOwnAddress(url: string): boolean;
  customers: Customers;
  sync: SubscriptionSync;
  queue: UserQueue;
}

export interface UserQueue {
  /** @throws AppError `billing/busy` when too many are queued */
  run<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** The most queued per user, including the running one: more than anyone's clicks, less than a flood. */
const MAX_OF_ONE = 20;

/** Each change decides by the result of the one before. Across processes, unique rows and idempotency keys do this. */
export function userQueue(maxOfOne = MAX_OF_ONE): UserQueue {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>();

  return {
    async run(userId, work) {
      const line = lines.get(userId) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= maxOfOne) throw new AppError('billing/busy');
      lines.set(userId, line);
      line.waiting += 1;
      const mine = line.last.then(work);
      // The next in line waits for this one to settle; only its own caller gets the outcome.
      line.last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        line.waiting -= 1;
        if (line.waiting === 0) lines.delete(userId);
      }
    },
  };
}
