/** admin-verify-subscriptions: checks all subscriptions against the provider, started by an admin. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import { billingFunction } from '../billing-function.ts';
import { type Entitlements, requireAdmin } from '../entitlements.ts';
import { type VerificationDeps, verifySubscriptions } from '../subscriptions/verification.ts';

export const VERIFY_NAME = 'admin-verify-subscriptions';

const UNDER_WAY = 'Another verification is under way. Please try again when it has ended.';

/** Returns `{ok: true, updated, checked, remaining, failed}`; `remaining` customers are left for the next call. */
export function verifySubscriptionsFunction(deps: VerificationDeps & { entitlements: Entitlements }): ServerFunction {
  return billingFunction({
    name: VERIFY_NAME,
    body: z.unknown(),
    async handle({ caller }) {
      await requireAdmin(deps.entitlements, caller);
      const figures = await verifySubscriptions(deps, caller.userId);
      if (figures === null) return { ok: false, error: UNDER_WAY, reason: UNDER_WAY, code: 'billing/busy' };
      return { ok: true, ...figures };
    },
  });
}
