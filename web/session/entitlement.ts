/**
 * Only for display: the server decides again on every call. The code that checks the rows loads only if there are any.
 */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { deriveEntitlement, type Entitlement, NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import { type PlanName, priceTableOf } from '#domain/billing/plans.ts';
import { GRACE_S, type SubscriptionRow } from '#domain/billing/subscription.ts';
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';
import { pageState } from '../page-state.ts';
import { useSiteConfig } from '../site/site-config.ts';
import { storedText } from '../ui/browser/stored-value.ts';
import type { Profile } from './profile.ts';
import { profileQuery, useProfileZone } from './profile-query.ts';
import { useSession } from './session.ts';
import { subscriptionQuery } from './subscription.ts';

export interface EntitlementState {
  isLoading: boolean;
  /** The plan could not be read; until it can, it counts as free. */
  hasFailed: boolean;
  entitlement: Entitlement;
  profile: Profile | null;
  subscription: SubscriptionRow | null;
  /** The product's clock at the last render, epoch seconds: the browser's clock plus the test clock's offset. */
  nowS: number;
  refetch(): void;
}

/**
 * Free without a user, without a row and on any error. A plan that ends while the page is open is noticed after its
 * grace.
 */
export function useEntitlement(): EntitlementState {
  // Loads the zone before the footer does, which is late on small screens.
  useProfileZone();
  const { initialized, user } = useSession();
  const enabled = user !== null;
  const id = user?.id ?? '';
  const config = useSiteConfig(enabled);
  const subscription = useQuery({ ...subscriptionQuery(id), enabled, select: rowOf });
  const profile = useQuery(profileQuery(user));
  const row = subscription.data ?? null;
  const nowS = useNowS(config.data?.clockOffsetMs ?? 0, row?.current_period_end ?? null);

  const isLoading = !initialized || (enabled && [config, subscription, profile].some(isFirstLoad));
  const entitlement =
    enabled && config.data !== undefined
      ? deriveEntitlement(row, profile.data?.role ?? null, priceTableOf(config.data.prices), nowS)
      : NO_ENTITLEMENT;
  const refetch = () => {
    void subscription.refetch();
    void profile.refetch();
  };
  // A plan also depends on the prices.
  const hasFailed = enabled && [config, subscription].some((query) => query.isError || isRetried(query));
  useQuotaOfPlan(id, isLoading || hasFailed ? null : entitlement.plan);
  useRememberedFree(!enabled || isLoading || hasFailed ? null : entitlement.plan === 'free' && !entitlement.isAdmin);
  return { isLoading, hasFailed, entitlement, profile: profile.data ?? null, subscription: row, nowS, refetch };
}

type QueryState = Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>;

function isFirstLoad(query: QueryState): boolean {
  return query.isPending && !isRetried(query);
}

/** The library forgets the failure of a query without data while it tries again. */
function isRetried({ isPending, errorUpdateCount }: QueryState): boolean {
  return isPending && errorUpdateCount > 0;
}

/** Only the columns that decisions depend on: another card is no change of plan. */
function rowOf(record: SubscriptionRecord | null): SubscriptionRow | null {
  if (record === null) return null;
  const { price_id, status, cancel_at_period_end, current_period_end } = record;
  return { price_id, status, cancel_at_period_end, current_period_end };
}

/** The last known plan, shared by all callers, so that each change is handled once. */
const lastPlan = pageState<{ known: { userId: string; plan: PlanName } | null }>(() => ({ known: null }));

/** The quota depends on the plan: a change while the page is open refetches it. */
function useQuotaOfPlan(userId: string, plan: PlanName | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (userId === '' || plan === null) return;
    const before = lastPlan().known;
    lastPlan().known = { userId, plan };
    const hasChanged = before !== null && before.userId === userId && before.plan !== plan;
    if (hasChanged) void client.invalidateQueries({ queryKey: ['quota', userId] });
  }, [client, userId, plan]);
}

const storedFree = storedText('localStorage', 'kat-is-free');

/** For the next page, which reserves room for what only users without a plan see: web/public/theme.js reads it. */
function useRememberedFree(isFree: boolean | null): void {
  useEffect(() => {
    if (isFree !== null) storedFree.write(isFree ? 'yes' : null);
  }, [isFree]);
}

/** Longest delay that browsers honour. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Now in epoch seconds, updated at the end of the period and at the end of the grace after it. */
function useNowS(clockOffsetMs: number, periodEndS: number | null): number {
  const [wakeups, setWakeups] = useState(0);
  const nowS = Math.floor((Date.now() + clockOffsetMs) / 1000);
  const nextS = [periodEndS, periodEndS === null ? null : periodEndS + GRACE_S].find((s) => s !== null && s > nowS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: woken early, or after the longest delay, it waits again
  useEffect(() => {
    if (nextS == null) return;
    const delayMs = Math.min(nextS * 1000 - (Date.now() + clockOffsetMs), MAX_TIMEOUT_MS);
    const timer = setTimeout(() => setWakeups((n) => n + 1), Math.max(0, delayMs));
    return () => clearTimeout(timer);
  }, [nextS, clockOffsetMs, wakeups]);
  return nowS;
}
