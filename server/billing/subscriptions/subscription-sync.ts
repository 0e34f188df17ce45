/**
 * A sync takes a ticket before it reads the provider, and overwrites only rows of an older one: the sync that started
 * last wins. No transaction is open during calls. See docs/decisions/030-billing.md.
 */
import type { Core } from '../../core.ts';
import type { Alarms } from '../alarms.ts';
import type { CustomerStore } from '../checkout/customer-store.ts';
import type { BillingNotices } from '../notices/notices.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import { allPages, type ProviderCall, type Stripe, unlessMissing } from '../provider/provider-call.ts';
import { countForeign, sellsOurPlan } from './ownership.ts';
import { settleDoubles } from './settle-doubles.ts';
import { cardOf, idOf, isEnded, isKnownStatus, isLive, type Synced, subscriptionRow } from './subscription-row.ts';
import type { CardStore, SubscriptionStore } from './subscription-store.ts';

export interface SyncDeps extends Pick<Core, 'clock' | 'log'> {
  stripe: Stripe;
  call: ProviderCall;
  mode: PaymentsSource['mode'];
  alarms: Alarms;
  customers: CustomerStore;
  subscriptions: SubscriptionStore;
  cards: CardStore;
  /** Null: no notices are sent. */
  notices: Pick<BillingNotices, 'afterSync'> | null;
}

/** The only writer of subscription rows and cards: reads the provider, then writes with a ticket. */
export interface SubscriptionSync {
  /**
   * @returns null for an unknown customer. @throws AppError `billing/provider-unavailable`, `billing/provider-refused`
   */
  one(subscriptionId: string): Promise<Synced | null>;
  /** Syncs every subscription that the customer has at the provider. */
  ofCustomer(customerId: string): Promise<Synced[]>;
}

interface Ticket {
  seq: number;
  userId: string;
  customerId: string;
}

const EXPANDED = ['default_payment_method', 'schedule', 'latest_invoice'];

export function openSubscriptionSync(deps: SyncDeps): SubscriptionSync {
  const { stripe, call, alarms, customers, subscriptions } = deps;

  async function one(subscriptionId: string): Promise<Synced | null> {
    const ticket = await ticketFor(subscriptionId);
    if (ticket === null) return null;
    // One after the other, a failure of the second would be an unhandled rejection and end the process.
    const [subscription, customerCard] = await Promise.all([read(subscriptionId), readCards(ticket)]);
    if (subscription === null) {
      await endMissing(subscriptionId, ticket);
      return null;
    }
    const synced = await write(subscription, customerCard, ticket);
    if (isLive(synced.after.status)) await settle(ticket.customerId);
    return synced;
  }

  async function ofCustomer(customerId: string): Promise<Synced[]> {
    const ticket = await ticketOf(customerId);
    if (ticket === null) return [];
    const customerCard = await readCards(ticket);
    const all = await listOf(customerId);
    const synced: Synced[] = [];
    for (const subscription of all) synced.push(await write(subscription, customerCard, ticket));
    const seen = new Set(all.map(({ id }) => id));
    for (const { subscriptionId, status } of await subscriptions.ofCustomer(customerId))
      if (!seen.has(subscriptionId) && !isEnded(status)) {
        const subscription = await read(subscriptionId);
        if (subscription === null) await endMissing(subscriptionId, ticket);
        else synced.push(await write(subscription, customerCard, ticket));
      }
    await settle(customerId);
    return synced;
  }

  /**
   * Syncs the ended duplicates again, so that their rows show it; also those that ended before and whose event is still
   * on its way. Of two rows that seem live, the wrong one could decide the plan.
   */
  async function settle(customerId: string): Promise<void> {
    const rows = await subscriptions.ofCustomer(customerId);
    if (rows.filter(({ status }) => isLive(status)).length < 2) return;
    const ended = new Set(rows.filter(({ status }) => isEnded(status)).map(({ subscriptionId }) => subscriptionId));
    for (const id of await settleDoubles(deps, customerId)) if (!ended.has(id)) await one(id);
  }

  /** Looks up the customer in our table, or else at the provider. */
  async function ticketFor(subscriptionId: string): Promise<Ticket | null> {
    const known = await subscriptions.customerOf(subscriptionId);
    const ticket = known === null ? null : await ticketOf(known);
    if (ticket !== null) return ticket;
    const subscription = await read(subscriptionId);
    if (subscription === null) return null;
    const customerId = idOf(subscription.customer);
    return (await ticketOf(customerId)) ?? adopt(customerId, subscription);
  }

  async function ticketOf(customerId: string): Promise<Ticket | null> {
    const ticket = await customers.ticket(customerId);
    return ticket === null ? null : { ...ticket, customerId };
  }

  /** For an unknown customer: adopts it for the user named in the metadata, if that user has no other customer. */
  async function adopt(customerId: string, subscription: Stripe.Subscription): Promise<Ticket | null> {
    const { id, status, metadata } = subscription;
    const outcome = await customers.adopt(metadata.user_id ?? '', customerId);
    if (outcome === 'adopted') return ticketOf(customerId);
    // An ended subscription raises no alarm: for example, one of an erased account.
    if (isEnded(status)) return null;
    if (outcome === 'other customer' || (await sellsOurPlan(subscription, deps)))
      await alarms.raise('unknown-customer', customerId, { subscriptionId: id });
    else await countForeign('subscription');
    return null;
  }

  /** Null: the provider does not know it. */
  function read(subscriptionId: string): Promise<Stripe.Subscription | null> {
    return unlessMissing(() =>
      call('subscription', () => stripe.subscriptions.retrieve(subscriptionId, { expand: EXPANDED })),
    );
  }

  /** Returns an empty list for a deleted customer; the caller then fetches each subscription by id. */
  async function listOf(customerId: string): Promise<Stripe.Subscription[]> {
    const expand = EXPANDED.map((name) => `data.${name}`);
    const list = await unlessMissing(() =>
      allPages(call, (page) => stripe.subscriptions.list({ customer: customerId, status: 'all', expand, ...page })),
    );
    return list ?? [];
  }

  /** Reads and stores the customer's cards. @returns the default one */
  async function readCards(ticket: Ticket): Promise<Stripe.PaymentMethod | null> {
    const { customerId } = ticket;
    const [customer, methods] = await Promise.all([readCustomer(customerId), listCards(customerId)]);
    const chosen = customer?.invoice_settings.default_payment_method ?? null;
    const defaultId = chosen === null ? null : idOf(chosen);
    await deps.cards.replace(
      ticket,
      methods.map((method) => cardOf(method, defaultId)),
      ticket.seq,
    );
    return methods.find(({ id }) => id === defaultId) ?? null;
  }

  async function readCustomer(customerId: string): Promise<Stripe.Customer | null> {
    const customer = await unlessMissing(() => call('customer', () => stripe.customers.retrieve(customerId)));
    return customer === null || customer.deleted === true ? null : customer;
  }

  async function listCards(customerId: string): Promise<Stripe.PaymentMethod[]> {
    const cards = await unlessMissing(() =>
      allPages(call, (page) => stripe.customers.listPaymentMethods(customerId, page)),
    );
    return cards ?? [];
  }

  async function write(
    subscription: Stripe.Subscription,
    customerCard: Stripe.PaymentMethod | null,
    ticket: Ticket,
  ): Promise<Synced> {
    await raiseAlarms(subscription);
    const row = subscriptionRow(subscription, customerCard);
    const { before, after, isNewest } = await subscriptions.write(row, ticket.seq);
    const synced = { before, after, subscription };
    if (isNewest) await notify(synced, ticket);
    return synced;
  }

  async function raiseAlarms({ id, items, currency, status }: Stripe.Subscription): Promise<void> {
    const [item] = items.data;
    if (!isKnownStatus(status)) {
      await alarms.raise('unknown-status', id, { status });
      throw new Error('A subscription has an unknown status.');
    }
    if (isEnded(status)) return;
    if (items.data.length !== 1) await alarms.raise('several-items', id, { items: items.data.length });
    if (currency !== 'usd') await alarms.raise('foreign-currency', id, { currency });
    const priceId = item?.price.id ?? null;
    if (priceId === null || (await subscriptions.planOf(priceId)) === null)
      await alarms.raise('unmapped-price', id, { priceId });
  }

  /** A failure is only logged: the row stays written, and the sweeper retries. */
  async function notify(synced: Synced, { seq }: Ticket): Promise<void> {
    const { notices, log } = deps;
    const { subscriptionId } = synced.after;
    try {
      await notices?.afterSync(synced);
      await subscriptions.markNoticed(subscriptionId, seq);
    } catch (error) {
      log.error({ err: error, subscriptionId }, 'a subscription change could not be announced');
    }
  }

  /**
   * Ends the row of a subscription missing at the provider, because test data gets deleted. Live data never is: there,
   * the keys must belong to another account, so no plan ends.
   */
  async function endMissing(subscriptionId: string, { seq, customerId }: Ticket): Promise<void> {
    if (deps.mode === 'live') return alarms.raise('subscription-gone', subscriptionId, { customerId });
    const endedAtS = Math.floor(deps.clock.nowMs() / 1000);
    if (await subscriptions.end(subscriptionId, endedAtS, seq))
      await alarms.raise('subscription-gone', subscriptionId, { customerId });
  }

  return { one, ofCustomer };
}
