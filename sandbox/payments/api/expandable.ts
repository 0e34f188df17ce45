/** The expandable paths of each kind of object, from the object on, among those that the provider declares. */
export const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  customer: ['invoice_settings.default_payment_method', 'subscriptions', 'test_clock'],
  price: ['product'],
  plan: ['product'],
  payment_method: ['customer'],
  'checkout.session': ['customer', 'invoice', 'line_items', 'payment_intent', 'subscription'],
  subscription: [
    'customer',
    'default_payment_method',
    'latest_invoice',
    'pending_setup_intent',
    'schedule',
    'test_clock',
  ],
  subscription_schedule: ['customer', 'phases.items.price', 'subscription', 'test_clock'],
  invoice: ['customer', 'default_payment_method', 'parent.subscription_details.subscription', 'payments', 'test_clock'],
  line_item: ['pricing.price_details.price', 'subscription'],
  invoice_payment: ['invoice', 'payment.payment_intent'],
  payment_intent: ['customer', 'latest_charge', 'payment_method'],
  charge: ['customer', 'payment_intent'],
  refund: ['charge', 'payment_intent'],
};

/** Position of a path: in an object of this kind, at this path within it. */
export interface Place {
  kind: string;
  path: string;
}

export function isExpandable({ kind, path }: Place): boolean {
  return EXPANDABLE[kind]?.includes(path) ?? false;
}
