/** Reads whole lists from the provider, which returns a hundred items a page. */
import type { ProviderCall } from './provider-call.ts';
import type { Stripe } from './stripe-client.ts';

const PAGE = 100;
/** More than any customer has: an endless list is a fault. */
const MAX_PAGES = 50;

export async function allPages<T extends { id: string }>(
  call: ProviderCall,
  page: (params: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < MAX_PAGES; at += 1) {
    const last = all.at(-1);
    const params = last === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: last.id };
    const { data, has_more } = await call('list', () => page(params));
    all.push(...data);
    if (!has_more || data.length === 0) return all;
  }
  throw new Error('A list of the payment provider has no end.');
}
