/** Label, state and click action of the Prediction button. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { hasFeature } from '#domain/billing/plans.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { describeLeft, hasLeft, type Quota } from '#domain/forecast/quota.ts';

export interface ButtonFacts {
  isSignedIn: boolean;
  isPlanLoading: boolean;
  entitlement: Entitlement;
  /** Null until loaded. */
  quota: Quota | null;
  model: ModelName | null;
  isRunning: boolean;
}

export interface ButtonRule {
  /** Set as aria-disabled, never as the attribute: a free user's click must still fire. */
  isDisabled: boolean;
  click: 'predict' | 'upgrade' | 'nothing';
  /** '{n} left today / {m} this month'; null for admins, who have no limit, and for visitors. */
  text: string | null;
}

export function buttonRule(facts: ButtonFacts): ButtonRule {
  const { isSignedIn, isPlanLoading, entitlement, quota, model, isRunning } = facts;
  if (!isSignedIn) return { isDisabled: true, click: 'nothing', text: null };
  const text = entitlement.isAdmin ? 'No limit' : quotaText(quota);
  const refused = { isDisabled: true, click: 'nothing', text } as const;
  if (isPlanLoading) return refused;
  const isPaid = entitlement.isAdmin || hasFeature(entitlement.plan, 'predictions');
  if (!isPaid) return { isDisabled: true, click: 'upgrade', text };
  const isAllowed = model !== null && entitlement.models.includes(model);
  if (!isAllowed || isRunning) return refused;
  if (!entitlement.isAdmin && (quota === null || !hasLeft(quota))) return refused;
  return { isDisabled: false, click: 'predict', text };
}

function quotaText(quota: Quota | null): string {
  const [daily, monthly] =
    quota === null ? ['–', '–'] : [describeLeft(quota.remainingDaily), describeLeft(quota.remainingMonthly)];
  return `${daily} left today / ${monthly} this month`;
}
