/**
 * Whether something at the payment provider is this site's: another product may use the same account. What is not ours
 * is ignored and counted; in doubt it counts as ours, because an alarm too many costs less than a dispute unseen.
 */
import { step } from '../../platform/telemetry/steps.ts';
import type { CustomerStore } from '../checkout/customer-store.ts';
import { allPages, type ProviderCall, type Stripe, unlessMissing } from '../provider/provider-call.ts';
import { idOf } from './subscription-row.ts';
import type { SubscriptionStore } from './subscription-store.ts';

interface OwnershipDeps {
  stripe: Stripe;
  call: ProviderCall;
  customers: Pick<CustomerStore, 'ownerOf'>;
  subscriptions: Pick<SubscriptionStore, 'planOf'>;
}

/** Also for a retired price. */
export async function sellsOurPlan(
  { items }: Stripe.Subscription,
  { subscriptions }: Pick<OwnershipDeps, 'subscriptions'>,
): Promise<boolean> {
  for (const { price } of items.data) if ((await subscriptions.planOf(price.id)) !== null) return true;
  return false;
}

/** @param chargeId  null if the event names none */
export async function isOurCharge(
  { chargeId, customerId }: { chargeId: string | null; customerId: string | null },
  deps: OwnershipDeps,
): Promise<boolean> {
  if (customerId !== null) return await isOurCustomer(customerId, deps);
  const { stripe, call } = deps;
  const charge =
    chargeId === null ? null : await unlessMissing(() => call('charge', () => stripe.charges.retrieve(chargeId)));
  if (charge === null) return true;
  // Our checkouts always have a customer.
  return charge.customer !== null && (await isOurCustomer(idOf(charge.customer), deps));
}

/** A customer of an account here, or one who has or had one of our plans. */
async function isOurCustomer(customerId: string, deps: OwnershipDeps): Promise<boolean> {
  const { stripe, call, customers } = deps;
  if ((await customers.ownerOf(customerId)) !== null) return true;
  const all = await unlessMissing(() =>
    allPages(call, (page) => stripe.subscriptions.list({ customer: customerId, status: 'all', ...page })),
  );
  if (all === null) return true;
  for (const one of all) if (await sellsOurPlan(one, deps)) return true;
  return false;
}

/** For the metric kat_payment_ignored_total. */
export function countForeign(subject: 'subscription' | 'refund' | 'dispute'): Promise<void> {
  return step({ kind: 'foreign', name: subject }, async () => undefined);
}
