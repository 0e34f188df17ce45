import { PLANS } from '#domain/billing/plans.ts';
import type { Alarms } from './alarms.ts';
import { type ProviderCall, type Stripe, unlessMissing } from './provider/provider-call.ts';

export interface PriceCheckDeps {
  stripe: Stripe;
  call: ProviderCall;
  alarms: Alarms;
  priceIds: { bobcat: string; lion: string };
}

/**
 * Raises an alarm for each price that differs from what the site shows. @throws AppError
 * `billing/provider-unavailable`, `billing/provider-refused`
 */
export async function checkPrices({ stripe, call, alarms, priceIds }: PriceCheckDeps): Promise<void> {
  for (const plan of ['bobcat', 'lion'] as const) {
    const id = priceIds[plan];
    const price = await unlessMissing(() => call('price', () => stripe.prices.retrieve(id)));
    const wrong = price === null ? ['unknown'] : differences(price, PLANS[plan].priceCents);
    if (wrong.length > 0) await alarms.raise('wrong-price', id, { plan, wrong });
  }
}

function differences({ active, currency, unit_amount, recurring }: Stripe.Price, priceCents: number): string[] {
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1;
  return [
    ...(active ? [] : ['inactive']),
    ...(currency === 'usd' ? [] : ['currency']),
    ...(unit_amount === priceCents ? [] : ['amount']),
    ...(isMonthly ? [] : ['interval']),
  ];
}
