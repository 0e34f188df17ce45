/**
 * Checkout: one open session per user, whatever they click in however many tabs. The provider is the source for open
 * sessions and live subscriptions. Our slot only marks which session is ours; its id is the creation's idempotency key.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-function.ts';
import { allPages, isMissing, type Stripe } from '../provider/provider-call.ts';
import { idOf, isEnded } from '../subscriptions/subscription-row.ts';
import { type CheckoutSlot, claimSlot, closeSlot, nameSession, openSlotOf } from './checkout-store.ts';

export interface Purchase {
  userId: string;
  priceId: string;
  /** Includes the placeholder for the session's id. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider's minimum is 30 minutes by its own clock; the rest covers latency. */
const OPEN_S = 31 * 60;
/** A session near its expiry isn't reused. */
const REUSED_MS = 25 * 60_000;
/** The longest that a creation may take, with all its retries. */
const CREATION_MS = 45_000;

/**
 * The open session of a purchase: reuses the existing one, or creates one after expiring the others.
 * @throws AppError `billing/already-subscribed`; `billing/busy` while another process creates one
 */
export async function openCheckout(deps: BillingDeps, purchase: Purchase): Promise<Stripe.Checkout.Session> {
  const customerId = await deps.customers.ensure(purchase.userId);
  const slot = await openSlotOf(deps.database, purchase.userId);
  const open = await openSessions(deps, customerId);
  // Runs after the list of open sessions: a session paid in between is no longer open, but shows as a subscription.
  await assertNothingLives(deps, customerId);
  const own = slot === null ? null : (open.find((session) => isOf(session, slot)) ?? null);
  if (slot !== null && own !== null && isSamePurchase(deps, { slot, session: own, purchase })) {
    await nameSession(deps.database, { id: slot.id, sessionId: own.id, nowIso: nowIso(deps) });
    return own;
  }
  const isBeingCreated = slot !== null && own === null && slot.sessionId === null;
  if (isBeingCreated && deps.clock.nowMs() - slot.createdAtMs < CREATION_MS) throw new AppError('billing/busy');
  await assertNoNewSlot(deps, { userId: purchase.userId, slot });
  for (const session of open) await expireSession(deps, { session, customerId });
  if (slot !== null) await closeSlot(deps.database, { id: slot.id, state: 'expired', nowIso: nowIso(deps) });
  return await createSession(deps, { purchase, customerId });
}

/**
 * Refuses if another process claimed a slot since we read ours: its session may be in our list, and its user may
 * already be on that page.
 */
async function assertNoNewSlot(
  deps: BillingDeps,
  { userId, slot }: { userId: string; slot: CheckoutSlot | null },
): Promise<void> {
  const now = await openSlotOf(deps.database, userId);
  if (now !== null && now.id !== slot?.id) throw new AppError('billing/busy');
}

/**
 * Refuses for any subscription that has neither ended nor is still incomplete. For those two states, checkout is the
 * only option. Reads the provider, because our rows may lag behind.
 */
async function assertNothingLives(deps: BillingDeps, customerId: string): Promise<void> {
  const all = await allPages(deps.call, (page) =>
    deps.stripe.subscriptions.list({ customer: customerId, status: 'all', ...page }),
  );
  if (all.every(({ status }) => isEnded(status) || status === 'incomplete')) return;
  // This updates our rows, so the page shows the subscription from now on.
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

/** @throws AppError `billing/already-subscribed` when the session was paid just now */
async function expireSession(
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

async function createSession(
  deps: BillingDeps,
  { purchase, customerId }: { purchase: Purchase; customerId: string },
): Promise<Stripe.Checkout.Session> {
  const { userId, priceId, successUrl, cancelUrl } = purchase;
  const slotId = await claimSlot(deps.database, { userId, priceId, nowIso: nowIso(deps) });
  // Another process claimed the slot a moment earlier.
  if (slotId === null) throw new AppError('billing/busy');
  // Computed once: a retry with the same key must send the same parameters.
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
    const found = isAppError(error) && !isMissing(error) ? await foundAfter(deps, { customerId, slotId }) : null;
    if (found === null) await closeSlot(deps.database, { id: slotId, state: 'expired', nowIso: nowIso(deps) });
    if (found === null) throw error;
    await nameSession(deps.database, { id: slotId, sessionId: found.id, nowIso: nowIso(deps) });
    return found;
  }
}

/** Finds the session that a lost response would have returned. */
async function foundAfter(
  deps: BillingDeps,
  { customerId, slotId }: { customerId: string; slotId: string },
): Promise<Stripe.Checkout.Session | null> {
  try {
    const open = await openSessions(deps, customerId);
    return open.find((session) => session.metadata?.slot_id === slotId) ?? null;
  } catch (error) {
    // The provider is unavailable; the caller gets the first error.
    if (isAppError(error)) return null;
    throw error;
  }
}

function nowIso(deps: BillingDeps): string {
  return new Date(deps.clock.nowMs()).toISOString();
}

/** @throws AppError `billing/no-such-checkout`; without a call to the provider if the id can't be a session's */
export async function ownCheckout(
  deps: BillingDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Stripe.Checkout.Session> {
  const customerId = /^cs_[A-Za-z0-9_]{1,240}$/.test(sessionId) ? await deps.customers.of(userId) : null;
  if (customerId === null) throw new AppError('billing/no-such-checkout');
  const session = await retrieveSession(deps, sessionId);
  if (session.customer === null || idOf(session.customer) !== customerId)
    throw new AppError('billing/no-such-checkout');
  return session;
}

async function retrieveSession(deps: BillingDeps, sessionId: string): Promise<Stripe.Checkout.Session> {
  try {
    return await deps.call('checkout.session', () => deps.stripe.checkout.sessions.retrieve(sessionId));
  } catch (error) {
    if (isMissing(error)) throw new AppError('billing/no-such-checkout', { cause: error });
    throw error;
  }
}
