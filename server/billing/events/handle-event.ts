/** An event only says which object to sync from the provider, so events may arrive late, twice and in any order. */
import * as z from 'zod/mini';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { closeSession } from '../checkout/checkout-store.ts';
import type { BillingNotices } from '../notices/notices.ts';
import { allPages, providerFacts, unlessMissing } from '../provider/provider-call.ts';
import { countForeign, isOurCharge } from '../subscriptions/ownership.ts';
import { idOf } from '../subscriptions/subscription-row.ts';
import type { SubscriptionSync, SyncDeps } from '../subscriptions/subscription-sync.ts';
import type { PaymentEventStore } from './event-store.ts';

export interface EventDeps extends Omit<SyncDeps, 'mode' | 'notices'> {
  database: Database;
  events: PaymentEventStore;
  sync: SubscriptionSync;
  notices: Pick<BillingNotices, 'ofInvoice' | 'ofRefunds'> | null;
}

/** Null for an unexpected shape: an unknown event type may use the name for something else, and is accepted too. */
const maybe = <T extends z.ZodMiniType>(schema: T) => z.catch(z.nullish(schema), null);
const reference = maybe(z.union([z.string(), z.object({ id: z.string() })]));
const text = maybe(z.string());
const objectSchema = z.object({
  id: text,
  object: text,
  customer: reference,
  subscription: reference,
  released_subscription: reference,
  client_reference_id: text,
  parent: maybe(z.object({ subscription_details: maybe(z.object({ subscription: reference })) })),
  amount_refunded: maybe(z.number()),
  charge: reference,
});
const nothing: { object: z.infer<typeof objectSchema>; previous_attributes?: null } = {
  object: objectSchema.parse({}),
};
const eventSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(255)),
  type: z.string(),
  livemode: z.boolean(),
  created: z.number(),
  data: z.catch(
    z.object({ object: objectSchema, previous_attributes: maybe(z.object({ customer: reference })) }),
    nothing,
  ),
});
export type BillingEvent = z.infer<typeof eventSchema>;

/** Reads only the fields in use, because the payload's version may differ from the SDK's. @throws ZodError */
export function readEvent(payload: unknown): BillingEvent {
  return eventSchema.parse(payload);
}

/** The subscription or customer that an event is about, or else the id of its own object. */
export function subjectOf(event: BillingEvent): string | null {
  return subscriptionOf(event) ?? customerOf(event) ?? event.data.object.id ?? null;
}

function subscriptionOf({ type, data: { object } }: BillingEvent): string | null {
  if (type.startsWith('customer.subscription.')) return object.id ?? null;
  const inInvoice = object.parent?.subscription_details?.subscription;
  return idIn(object.subscription) ?? idIn(inInvoice) ?? idIn(object.released_subscription);
}

function customerOf({ type, data }: BillingEvent): string | null {
  if (data.object.object === 'customer' && type.startsWith('customer.')) return data.object.id ?? null;
  // When a card is removed, only previous_attributes names its customer.
  return idIn(data.object.customer) ?? idIn(data.previous_attributes?.customer);
}

function idIn(reference: string | { id: string } | null | undefined): string | null {
  return reference == null ? null : idOf(reference);
}

/** The event types to subscribe the provider's endpoint to; docs/operating/payments.md lists them. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'charge.refunded',
  'charge.dispute.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.completed',
  'subscription_schedule.canceled',
  'subscription_schedule.aborted',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.automatically_updated',
  'customer.updated',
  'customer.deleted',
]);

export function isKnownType(type: string): boolean {
  return KNOWN_TYPES.has(type);
}

/** After this many failures an alarm is raised. */
const STUCK_AFTER = 5;

/** @returns false when the provider should resend it */
export async function handleEvent(event: BillingEvent, deps: EventDeps): Promise<boolean> {
  const { events, alarms } = deps;
  const turn = await events.take({
    id: event.id,
    type: event.type,
    isLive: event.livemode,
    createdS: Math.floor(event.created),
    objectId: subjectOf(event),
  });
  // Another worker processes it, or did. If that worker fails, the sweeper retries.
  if (turn !== 'mine') return true;
  try {
    await workOn(event, deps);
    await events.done(event.id);
    return true;
  } catch (error) {
    const code = codeOf(error);
    const attempts = await events.failed(event.id, code);
    if (attempts >= STUCK_AFTER) await alarms.raise('event-stuck', event.id, { type: event.type, attempts, code });
    deps.log.warn(
      { event: event.id, type: event.type, code, attempts },
      'an event from the payment provider could not be processed',
    );
    if (!isAppError(error)) deps.log.error({ err: error, event: event.id }, 'processing an event failed unexpectedly');
    return false;
  }
}

/** A code or a name, never a message, which may quote anything. */
function codeOf(error: unknown): string {
  const facts = providerFacts(error);
  if (facts !== null) return facts.code ?? facts.type;
  if (isAppError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Accepts and ignores all other types: the provider would resend a refused one, which could hold up an invoice.
 * @throws AppError the provider's or the database's refusal; the event is then retried
 */
async function workOn(event: BillingEvent, deps: EventDeps): Promise<void> {
  const { type } = event;
  if (!isKnownType(type)) return;
  const [area = ''] = type.split('.');
  const subscriptionId = subscriptionOf(event);
  const customerId = customerOf(event);
  if (type === 'customer.deleted') return customerDeleted(customerId, deps);
  switch (area) {
    case 'checkout':
      await ofCheckout(event, deps);
      break;
    case 'customer':
    case 'subscription_schedule':
      if (subscriptionId !== null) await deps.sync.one(subscriptionId);
      else if (customerId !== null) await deps.sync.ofCustomer(customerId);
      break;
    case 'invoice':
      if (subscriptionId !== null) await deps.sync.one(subscriptionId);
      await ofInvoice(event, deps);
      break;
    case 'payment_method':
      await ofCard(event, deps);
      break;
    case 'charge':
      await ofCharge(event, customerId, deps);
      break;
  }
}

/** Neither event removes a plan automatically: a person decides. */
async function ofCharge(
  { id: eventId, type, data: { object } }: BillingEvent,
  customerId: string | null,
  deps: EventDeps,
): Promise<void> {
  const isRefund = type === 'charge.refunded';
  const charge = isRefund ? (object.id ?? null) : idIn(object.charge);
  if (!(await isOurCharge({ chargeId: charge, customerId }, deps)))
    return await countForeign(isRefund ? 'refund' : 'dispute');
  if (!isRefund) return await deps.alarms.raise('dispute', object.id ?? eventId, { charge });
  const amountRefunded = object.amount_refunded ?? null;
  await deps.alarms.raise('refund', object.id ?? eventId, { customerId, amountRefunded });
  await ofRefund(charge, deps);
}

async function ofCheckout(event: BillingEvent, deps: EventDeps): Promise<void> {
  const { id, client_reference_id } = event.data.object;
  const { database, clock, customers, sync } = deps;
  const subscriptionId = subscriptionOf(event);
  const customerId = customerOf(event);
  const isExpired = event.type === 'checkout.session.expired';
  if (id != null && (isExpired || event.type === 'checkout.session.completed')) {
    const nowIso = new Date(clock.nowMs()).toISOString();
    await closeSession(database, { sessionId: id, state: isExpired ? 'expired' : 'complete', nowIso });
  }
  if (subscriptionId === null) return;
  const isUnknown = customerId !== null && (await customers.ownerOf(customerId)) === null;
  if (isUnknown && client_reference_id != null) await customers.adopt(client_reference_id, customerId);
  await sync.one(subscriptionId);
}

/** A removed card has no customer any more: then the customer that had it here. */
async function ofCard(event: BillingEvent, { cards, sync }: EventDeps): Promise<void> {
  const customerId = customerOf(event) ?? (await cards.customerOf(event.data.object.id ?? ''));
  if (customerId !== null) await sync.ofCustomer(customerId);
}

async function ofInvoice({ data }: BillingEvent, { notices, stripe, call }: EventDeps): Promise<void> {
  const { id } = data.object;
  if (notices === null || id == null) return;
  const invoice = await unlessMissing(() => call('invoice', () => stripe.invoices.retrieve(id)));
  if (invoice !== null) await notices.ofInvoice(invoice);
}

async function ofRefund(id: string | null, { notices, stripe, call }: EventDeps): Promise<void> {
  if (notices === null || id === null) return;
  const charge = await unlessMissing(() => call('charge', () => stripe.charges.retrieve(id)));
  if (charge === null) return;
  await notices.ofRefunds(charge, await allPages(call, (page) => stripe.refunds.list({ charge: id, ...page })));
}

/** Syncs its subscriptions, which ended with it, and renews the claim: the owner's next visit makes a new customer. */
async function customerDeleted(customerId: string | null, deps: EventDeps): Promise<void> {
  if (customerId === null) return;
  await deps.sync.ofCustomer(customerId);
  const owner = await deps.customers.ownerOf(customerId);
  if (owner !== null) await deps.customers.renew(owner, { customerId });
}
