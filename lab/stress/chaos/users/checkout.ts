/** A purchase at the payment sandbox, as a buyer's browser makes it: checkout, then the hosted page. */
import * as z from 'zod/mini';
import type { Site, SiteUser } from './site.ts';

/** Access to the payment sandbox's API on loopback. */
export interface ProviderKeys {
  secretKey: string;
  port: number;
}

const PAGE_LIMIT_MS = 8000;
const checkoutSchema = z.object({ url: z.string(), sessionId: z.string() });

/** Opens a checkout for the largest plan. @returns null if it was refused */
export async function openCheckout(site: Site, user: SiteUser): Promise<z.infer<typeof checkoutSchema> | null> {
  const back = { success_url: `${site.url()}/checkout/success`, cancel_url: `${site.url()}/checkout/cancel` };
  const answer = await site.invoke(user, 'stripe-checkout', { price_id: site.priceId, mode: 'subscription', ...back });
  return checkoutSchema.safeParse(answer.body).data ?? null;
}

/** @returns whether the page confirms the payment; null: no answer, so it may have been made */
export async function payOnPage(url: string): Promise<boolean | null> {
  const body = new URLSearchParams({ action: 'pay', number: '4242424242424242', expiry: '12 / 34', cvc: '123' });
  const headers = { connection: 'close' };
  const signal = AbortSignal.timeout(PAGE_LIMIT_MS);
  return fetch(url, { method: 'POST', redirect: 'manual', body, headers, signal }).then(
    (answer) => answer.headers.get('location')?.includes('/checkout/success') ?? false,
    () => null,
  );
}
