/**
 * Checkout: one open session a user, whatever is clicked in however many tabs. The provider is asked what is open and what
 * lives; our slot only says which of it is ours, and its id makes a repeated creation the same creation.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { allPages } from '../provider/all-pages.ts';
import { isMissing } from '../provider/provider-call.ts';
import type { Stripe } from '../provider/stripe-client.ts';
import { isEnded } from '../subscriptions/subscription-row.ts';
import { type CheckoutSlot, claimSlot, closeSlot, nameSession, openSlotOf } from './checkout-store.ts';

export interface Purchase {
  userId: string;
  priceId: string;
  /** With the placeholder for the session's id in it. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider's least is 30 minutes by its own clock; the rest is for the way there. */
const OPEN_S = 31 * 60;
/** Near its end it is not given out again. */
const REUSED_MS = 25 * 60_000;
/** As long as a creation may take with all its repetitions. */
const CREATION_MS = 45_000;

/**
 * The open session of a purchase: the one that is there, or a new one in the place of others.
 *
 * @throws AppError `billing/already-subscribed`; `billing/busy` while another process makes one
 */
export async function openCheckout(deps: BillingDeps, purchase: Purchase): Promise<Stripe.Checkout.Session> {
  const customerId = await deps.customers.ensure(purchase.userId);
  const slot = await openSlotOf(deps.database, purchase.userId);
  const open = await openSessions(deps, customerId);
  // In this order: a page that is paid in between is no open page any more, but a subscription.
  await assertNothingLives(deps, customerId);
  const own = slot === null ? null : (open.find((session) => isOf(session, slot)) ?? null);
  if (slot !== null && own !== null && isSamePurchase(deps, { slot, session: own, purchase })) {
    await nameSession(deps.database, { id: slot.id, sessionId: own.id, nowIso: nowIso(deps) });
    return own;
  }
  const isBeingMade = slot !== null && own === null && slot.sessionId === null;
  if (isBeingMade && deps.clock.nowMs() - slot.createdAtMs < CREATION_MS) throw new AppError('billing/busy');
  for (const session of open) await expired(deps, { session, customerId });
  if (slot !== null) await closeSlot(deps.database, { id: slot.id, state: 'expired', nowIso: nowIso(deps) });
  return await created(deps, { purchase, customerId });
}

/**
 * Everything but what has ended and what was never begun, for which checkout is the only way on: also what the provider
 * knows and our rows do not know yet.
 */
async function assertNothingLives(deps: BillingDeps, customerId: string): Promise<void> {
  const all = await allPages(deps.call, (page) =>
    deps.stripe.subscriptions.list({ customer: customerId, status: 'all', ...page }),
  );
  if (all.every(({ status }) => isEnded(status) || status === 'incomplete')) return;
  // The page shows it from now on.
  await deps.sync.ofCustomer(customerId);
  throw new AppError('billing/already-subscribed');
}

async function openSessions(deps: BillingDeps, customerId: string): Promise<Stripe.Checkout.Session[]> {
  return await allPages(deps.call, (page) =>
    deps.stripe.checkout.sessions.list({ customer: customerId, status: 'open', ...page }),
  );
}

function isOf(session: Stripe.Checkout.Session, slot: CheckoutSlot): boolean {
  return session.id === slot.sessionId || session.metadata?.slot_id === slot.id;
}

function isSamePurchase(
  deps: BillingDeps,
  { slot, session, purchase }: { slot: CheckoutSlot; session: Stripe.Checkout.Session; purchase: Purchase },
): boolean {
  return (
    session.url !== null &&
    slot.priceId === purchase.priceId &&
    session.success_url === purchase.successUrl &&
    session.cancel_url === purchase.cancelUrl &&
    deps.clock.nowMs() - slot.createdAtMs < REUSED_MS
  );
}

/** @throws AppError `billing/already-subscribed` when it was paid in this very moment */
async function expired(
  deps: BillingDeps,
  { session, customerId }: { session: Stripe.Checkout.Session; customerId: string },
): Promise<void> {
  try {
    await deps.call('checkout.session', () => deps.stripe.checkout.sessions.expire(session.id));
  } catch (error) {
    if (!isAppError(error)) throw error;
    const now = await deps.call('checkout.session', () => deps.stripe.checkout.sessions.retrieve(session.id));
    if (now.status === 'open') throw error;
    if (now.status === 'complete') await assertNothingLives(deps, customerId);
  }
}

async function created(
  deps: BillingDeps,
  { purchase, customerId }: { purchase: Purchase; customerId: string },
): Promise<Stripe.Checkout.Session> {
  const { userId, priceId, successUrl, cancelUrl } = purchase;
  const slotId = await claimSlot(deps.database, { userId, priceId, nowIso: nowIso(deps) });
  // Another process was faster by a moment.
  if (slotId === null) throw new AppError('billing/busy');
  // Once: asked again, the same key must come with the same words.
  const expiresAtS = Math.floor(deps.clock.nowMs() / 1000) + OPEN_S;
  try {
    const session = await deps.call('checkout.session', () =>
      deps.stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price: priceId, quantity: 1 }],
          success_url: successUrl,
          cancel_url: cancelUrl,
          expires_at: expiresAtS,
          allowed_payment_method_types: ['card'],
          metadata: { user_id: userId, slot_id: slotId },
          subscription_data: { metadata: { user_id: userId }, billing_mode: { type: 'flexible' } },
        },
        { idempotencyKey: `checkout_${slotId}` },
      ),
    );
    await nameSession(deps.database, { id: slotId, sessionId: session.id, nowIso: nowIso(deps) });
    return session;
  } catch (error) {
    const made = isAppError(error) && !isMissing(error) ? await foundAfter(deps, { customerId, slotId }) : null;
    if (made === null) await closeSlot(deps.database, { id: slotId, state: 'expired', nowIso: nowIso(deps) });
    if (made === null) throw error;
    await nameSession(deps.database, { id: slotId, sessionId: made.id, nowIso: nowIso(deps) });
    return made;
  }
}

/** What a lost answer would have told. */
async function foundAfter(
  deps: BillingDeps,
  { customerId, slotId }: { customerId: string; slotId: string },
): Promise<Stripe.Checkout.Session | null> {
  try {
    const open = await openSessions(deps, customerId);
    return open.find((session) => session.metadata?.slot_id === slotId) ?? null;
  } catch (error) {
    // The provider is away altogether: the first failure is what the caller hears of.
    if (isAppError(error)) return null;
    throw error;
  }
}

function nowIso(deps: BillingDeps): string {
  return new Date(deps.clock.nowMs()).toISOString();
}
