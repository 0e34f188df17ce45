/**
 * Everything about payments that the server mounts: functions, the webhook, the sandbox's pages, and the sweep job that
 * recovers missed work. See docs/decisions/030-billing.md.
 */
import type { Hono } from 'hono';
import { VERIFICATION_FUNCTIONS } from '#domain/contract/admin-functions.ts';
import type { FunctionContract } from '#domain/contract/function-contract.ts';
import { CHECKOUT_FUNCTIONS, PLAN_CHANGE_FUNCTIONS } from '#domain/contract/plan-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { Core } from '../core.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { openAlarms } from './alarms.ts';
import { type BillingDeps, userQueue } from './billing-function.ts';
import { planChangeHandlers } from './changes/change-functions.ts';
import { checkoutHandlers } from './checkout/checkout-functions.ts';
import { customerStore } from './checkout/customer-store.ts';
import { openCustomers } from './checkout/customers.ts';
import { eventStore } from './events/event-store.ts';
import { missedEvents } from './events/missed-events.ts';
import { startSweeper, sweep } from './events/sweeper.ts';
import { webhookRoutes } from './events/webhook.ts';
import type { BillingNotices } from './notices/notices.ts';
import { registerPrices } from './prices.ts';
import { setPaymentMode } from './provider/payment-mode.ts';
import { paymentPageRoutes } from './provider/payment-pages.ts';
import type { PaymentsSource } from './provider/payments-source.ts';
import { openProviderCall, type Stripe } from './provider/provider-call.ts';
import { openStripe } from './provider/stripe-client.ts';
import { type AccountEnder, accountEnder } from './subscriptions/end-account.ts';
import { cardStore, subscriptionStore } from './subscriptions/subscription-store.ts';
import { openSubscriptionSync } from './subscriptions/subscription-sync.ts';
import { verificationHandlers } from './subscriptions/verification.ts';
import { verificationStore } from './subscriptions/verification-store.ts';

export interface BillingOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** Null: nothing can be bought. */
  source: PaymentsSource | null;
  priceIds: { bobcat: string; lion: string };
  isOwnAddress(url: string): boolean;
  /** Notifies owners about changes to their subscriptions; if absent, no notices are sent. */
  notices?(parts: { mode: PaymentsSource['mode']; stripe: Stripe }): BillingNotices;
}

export interface Billing {
  functions: ServerFunction[];
  routes: Hono[];
  /** Null: nothing can be bought. */
  accountEnder: AccountEnder | null;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export async function openBilling(options: BillingOptions): Promise<Billing> {
  const { source, database, clock, log, priceIds } = options;
  if (source === null) {
    await registerPrices(database, priceIds);
    return closedBilling();
  }
  const { mode } = source;
  const before = await setPaymentMode(database, mode);
  await registerPrices(database, priceIds, mode);
  if (before !== mode)
    log.warn({ before, mode }, 'the payment mode changed: customers of the previous mode are inactive');

  const stripe = openStripe(source);
  const call = openProviderCall({ log });
  const alarms = openAlarms({ database, log });
  const store = customerStore(database, mode);
  const subscriptions = subscriptionStore(database, mode);
  const notices = options.notices?.({ mode, stripe }) ?? null;
  const customers = openCustomers({ stripe, call, store, mode });
  const shared = {
    stripe,
    call,
    clock,
    log,
    alarms,
    customers: store,
    subscriptions,
    notices,
    cards: cardStore(database),
  };
  const sync = openSubscriptionSync({ ...shared, mode });
  const events = { ...shared, database, sync, source, events: eventStore(database) };
  const { isOwnAddress } = options;
  const deps: BillingDeps = {
    database,
    clock,
    log,
    mode,
    stripe,
    call,
    priceIds,
    isOwnAddress,
    customers,
    sync,
    queue: userQueue(),
  };
  const sweeping = { ...events, priceIds, ensureCustomer: customers.ensure, missed: missedEvents(events) };
  const sweeper = startSweeper(sweeping);
  const verifying = {
    sync,
    log,
    store: verificationStore(database, mode),
    jobs: jobStore(database),
  };
  return {
    functions: [
      ...contractFunctions(CHECKOUT_FUNCTIONS, checkoutHandlers(deps)),
      ...contractFunctions(PLAN_CHANGE_FUNCTIONS, planChangeHandlers(deps)),
      ...contractFunctions(VERIFICATION_FUNCTIONS, verificationHandlers(verifying)),
    ],
    routes: [webhookRoutes(events), ...(source.pagesUrl === null ? [] : [paymentPageRoutes(source.pagesUrl)])],
    accountEnder: accountEnder(source, { log }),
    sweep: () => sweep(sweeping, new AbortController().signal),
    close: () => sweeper.close(),
  };
}

/** The same functions, each refusing because payments are not set up. */
function closedBilling(): Billing {
  const contracts = { ...CHECKOUT_FUNCTIONS, ...PLAN_CHANGE_FUNCTIONS, ...VERIFICATION_FUNCTIONS };
  const closed = Object.entries<FunctionContract>(contracts).map(([name, contract]): ServerFunction => {
    return { name, contract, answer: () => Promise.reject(new AppError('billing/not-set-up')) };
  });
  return {
    functions: closed,
    routes: [],
    accountEnder: null,
    sweep: async () => undefined,
    close: async () => undefined,
  };
}
