/**
 * A refusal by a product rule is sent as 200, with its message under both names that clients read (`error` and
 * `reason`), because the client library hides the bodies of all other statuses.
 */
import * as z from 'zod/mini';
import { AppError, type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import type { Core } from '../core.ts';
import {
  type FunctionAnswer,
  type FunctionCall,
  type ServerFunction,
  serverFunction,
} from '../platform/http/calls/server-function.ts';
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

const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'billing/unknown-price',
  'billing/already-subscribed',
  'billing/no-such-subscription',
  'billing/subscription-ended',
  'billing/subscription-replaced',
  'billing/cancellation-pending',
  'billing/not-in-order',
  'billing/no-such-checkout',
  'billing/not-previewable',
  'billing/busy',
]);

/** Bodies hold only URLs and ids. */
const MAX_BYTES = 16 * 1024;

export function billingFunction<Schema extends z.ZodMiniType>(options: {
  name: string;
  body: Schema;
  handle(call: Omit<FunctionCall, 'body'> & { body: z.output<Schema> }): Promise<FunctionAnswer>;
}): ServerFunction {
  return serverFunction({
    name: options.name,
    body: options.body,
    maxBytes: MAX_BYTES,
    async handle(call) {
      try {
        return await options.handle(call);
      } catch (error) {
        if (!isAppError(error) || !REFUSALS.has(error.code)) throw error;
        return refusalBody(error.code);
      }
    },
  });
}

export function refusalBody(code: ErrorCode, message: string = MESSAGES[code]): FunctionAnswer {
  return { ok: false, error: message, reason: message, code };
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

export const providerId = z.string().check(z.minLength(1), z.maxLength(255));
export const address = z.string().check(z.minLength(1), z.maxLength(4000));
