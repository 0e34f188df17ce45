/** The products and prices for sale, with fixed ids. */
import { DEFAULT_PRICE_IDS, PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import type { Hand } from './engine/payment-engine.ts';

type PriceIds = { bobcat: string; lion: string };

/** Adds missing products and prices. */
export function seedCatalogue(priceIds: PriceIds = DEFAULT_PRICE_IDS): (hand: Hand) => void {
  return (hand) => putIn(hand, priceIds);
}

function putIn({ draft, siteS }: Hand, priceIds: PriceIds): void {
  for (const plan of ['bobcat', 'lion'] as const) {
    const id = priceIds[plan];
    if (draft.get('prices', id) !== null) continue;
    const shared = { created: siteS, isActive: true, metadata: {} };
    const product = `prod_kat_${plan}`;
    draft.put('products', { ...shared, id: product, name: `Kat ${PLAN_LABELS[plan]}`, description: null });
    draft.put('prices', {
      ...shared,
      id,
      product,
      unitAmount: PLANS[plan].priceCents,
      currency: 'usd',
      lookupKey: `${plan}_monthly`,
      nickname: null,
    });
  }
}
