import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import { address, type BillingDeps, billingFunction, providerId } from '../billing-function.ts';
import { planNow, subscriptionRowOf } from '../changes/own-subscription.ts';
import { readPriceList } from '../prices.ts';
import { idOf } from '../subscriptions/subscription-row.ts';
import { openCheckout, ownCheckout } from './checkout.ts';
import { closeSession } from './checkout-store.ts';

/**
 * The page where the caller pays for a plan. Returns `{url, sessionId}`.
 * @throws AppError `billing/foreign-address`, `billing/unknown-price`, `billing/already-subscribed`
 */
export function stripeCheckout(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'stripe-checkout',
    body: z.object({
      price_id: providerId,
      success_url: address,
      cancel_url: address,
      mode: z.literal('subscription'),
    }),
    async handle({ body, caller: { userId } }) {
      const successUrl = withSessionPlaceholder(ownAddress(deps, body.success_url));
      const cancelUrl = ownAddress(deps, body.cancel_url);
      const { priceId } = (await readPriceList(deps)).onSale(body.price_id);
      const purchase = { userId, priceId, successUrl, cancelUrl };
      const { id, url } = await deps.queue.run(userId, () => openCheckout(deps, purchase));
      return { url, sessionId: id };
    },
  });
}

/** Returns `{url}`. @throws AppError `billing/no-such-checkout`, also for a session that is paid or expired */
export function stripeCheckoutUrl(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'stripe-checkout-url',
    body: z.object({ session_id: providerId }),
    async handle({ body, caller: { userId } }) {
      const wanted = { userId, sessionId: body.session_id };
      const { status, url } = await deps.queue.run(userId, () => ownCheckout(deps, wanted));
      if (status !== 'open' || url === null) throw new AppError('billing/no-such-checkout');
      return { url };
    },
  });
}

const STATUSES = ['complete', 'expired'] as const;

/** Often before the webhook. Returns `{status, plan, subscription}`. @throws AppError `billing/no-such-checkout` */
export function checkoutConfirm(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'checkout-confirm',
    body: z.object({ session_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        const session = await ownCheckout(deps, { userId, sessionId: body.session_id });
        const status = STATUSES.find((one) => one === session.status) ?? 'open';
        if (status === 'complete' && session.subscription !== null) await deps.sync.one(idOf(session.subscription));
        if (status !== 'open') {
          const nowIso = new Date(deps.clock.nowMs()).toISOString();
          await closeSession(deps.database, { sessionId: session.id, state: status, nowIso });
        }
        const subscription = await subscriptionRowOf(deps.database, userId);
        return { status, plan: await planNow(deps.database, userId), subscription };
      }),
  });
}

/** Ensures that the caller has a customer at the provider, called from the first sign-in on. */
export function stripeBootstrap(deps: Pick<BillingDeps, 'customers'>): ServerFunction {
  return billingFunction({
    name: 'stripe-bootstrap',
    body: z.unknown(),
    async handle({ caller }) {
      await deps.customers.ensure(caller.userId);
      return { ok: true };
    },
  });
}

/** Returns `{url}`, only for the caller and soon expired. @throws AppError `billing/foreign-address` */
export function billingPortal(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'billing-portal',
    body: z.object({ return_url: address }),
    async handle({ body, caller: { userId } }) {
      const returnUrl = ownAddress(deps, body.return_url);
      return await deps.queue.run(userId, async () => {
        const customer = await deps.customers.ensure(userId);
        const { url } = await deps.call('billing_portal.session', () =>
          deps.stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
        );
        return { url };
      });
    },
  });
}

const MAX_LENGTH = 2000;
const PLACEHOLDER = '{CHECKOUT_SESSION_ID}';

/**
 * @returns the address as a browser parses it, so that the checked address is the one used
 * @throws AppError `billing/foreign-address`
 */
export function ownAddress(deps: Pick<BillingDeps, 'isOwnAddress'>, text: string): string {
  const url = text.length > MAX_LENGTH || hasTricks(text) ? null : URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.href.length > MAX_LENGTH || !deps.isOwnAddress(url.href))
    throw new AppError('billing/foreign-address');
  return url.href;
}

/** Adds the session id's placeholder. The provider only replaces it if the braces are unescaped. */
export function withSessionPlaceholder(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('session_id');
  const { hash } = url;
  url.hash = '';
  return `${url.href}${url.search === '' ? '?' : '&'}session_id=${PLACEHOLDER}${hash}`;
}

/** Backslashes, blanks and control characters: programs disagree about where such an address leads. */
function hasTricks(text: string): boolean {
  return [...text].some((char) => char === '\\' || char <= ' ' || char === '\u007f');
}
