import Stripe from 'stripe';
import type { Price, Product } from '../model/records.ts';
import type { PaymentState } from '../model/state-store.ts';

export function productView(product: Product): Stripe.Product {
  return {
    id: product.id,
    object: 'product',
    active: product.isActive,
    created: product.created,
    default_price: null,
    description: product.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: { ...product.metadata },
    name: product.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: product.created,
    url: null,
  };
}

export function priceView(price: Price): Stripe.Price {
  return {
    id: price.id,
    object: 'price',
    active: price.isActive,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: { ...price.metadata },
    nickname: price.nickname,
    product: price.product,
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: price.unitAmount,
    unit_amount_decimal: Stripe.Decimal.from(price.unitAmount),
  };
}

/** The legacy form of a price, which items still carry. */
export function planView(price: Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.isActive,
    amount: price.unitAmount,
    amount_decimal: Stripe.Decimal.from(price.unitAmount),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: 'month',
    interval_count: 1,
    livemode: false,
    metadata: { ...price.metadata },
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** @throws Error for an unknown stored id: a bug of the sandbox */
export function storedPrice(store: PaymentState, id: string): Price {
  const price = store.get('prices', id);
  if (price === null) throw new Error(`The price ${id} is not stored.`);
  return price;
}
