/** stripe-bootstrap: ensures that the caller has a customer at the provider, called from the first sign-in on. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';

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
