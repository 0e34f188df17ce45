import type { CHECKOUT_FUNCTIONS } from '#domain/contract/plan-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { FunctionHandlers } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-function.ts';
import { planNow, subscriptionRowOf } from '../changes/own-subscription.ts';
import { readPriceList } from '../prices.ts';
import { idOf } from '../subscriptions/subscription-row.ts';
import { openCheckout, ownCheckout } from './checkout.ts';
import { closeSession } from './checkout-store.ts';

const STATUSES = ['complete', 'expired'] as const;

/** Those with an address of the caller throw AppError `billing/foreign-address` for one of another site. */
export function checkoutHandlers(deps: BillingDeps): FunctionHandlers<typeof CHECKOUT_FUNCTIONS> {
  const { queue } = deps;
  return {
    async 'stripe-bootstrap'({ caller }) {
      await deps.customers.ensure(caller.userId);
      return { ok: true };
    },
    async 'stripe-checkout'({ body, caller: { userId } }) {
      const successUrl = withSessionPlaceholder(ownAddress(deps, body.success_url));
      const cancelUrl = ownAddress(deps, body.cancel_url);
      const { priceId } = (await readPriceList(deps)).onSale(body.price_id);
      const purchase = { userId, priceId, successUrl, cancelUrl };
      const { id, url } = await queue.run(userId, () => openCheckout(deps, purchase));
      return { url, sessionId: id };
    },
    async 'stripe-checkout-url'({ body, caller: { userId } }) {
      const wanted = { userId, sessionId: body.session_id };
      const { status, url } = await queue.run(userId, () => ownCheckout(deps, wanted));
      if (status !== 'open' || url === null) throw new AppError('billing/no-such-checkout');
      return { url };
    },
    'checkout-confirm': ({ body, caller: { userId } }) =>
      queue.run(userId, async () => {
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
    async 'billing-portal'({ body, caller: { userId } }) {
      const returnUrl = ownAddress(deps, body.return_url);
      return await queue.run(userId, async () => {
        const customer = await deps.customers.ensure(userId);
        const { url } = await deps.call('billing_portal.session', () =>
          deps.stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
        );
        return { url };
      });
    },
  };
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
