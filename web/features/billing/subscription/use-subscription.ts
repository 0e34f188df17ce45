/** The caller's subscription as its page shows it; refetched when the page regains focus. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type PriceTable, priceTableOf } from '#domain/billing/plans.ts';
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';
import { type SubscriptionState, subscriptionState } from '#domain/billing/subscription-state.ts';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { subscriptionQuery } from '../../../session/subscription.ts';
import { useSiteConfig } from '../../../site/site-config.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { type Card, fetchCards } from '../billing-api.ts';
import { consumeReturnedFlag } from '../payment/flash-message.ts';

/** The page shows minutes. */
const CLOCK_MS = 15_000;
/** After a payment elsewhere, the provider's event may arrive shortly after the user returns. */
const WATCH_MS = 20_000;
const WATCH_EVERY_MS = 2000;

export interface KnownSubscription {
  record: SubscriptionRecord | null;
  state: SubscriptionState;
  prices: PublicConfig['prices'];
  payments: PublicConfig['payments'];
  card: Card | null;
  /** The product's clock, epoch seconds. */
  nowS: number;
}

export interface SubscriptionLoading {
  /** Null until loaded, and after a failure. */
  known: KnownSubscription | null;
  hasFailed: boolean;
  isFetching: boolean;
  retry(): void;
}

export function useSubscription(userId: string): SubscriptionLoading {
  const client = useQueryClient();
  const isWatching = useWatching(client, userId);
  const nowMs = useNow(CLOCK_MS);
  const settings = useSiteConfig();
  const record = useQuery({
    ...subscriptionQuery(userId),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: isWatching && WATCH_EVERY_MS,
    networkMode: 'always',
  });
  const cards = useQuery({
    queryKey: cardsKey(userId),
    queryFn: ({ signal }) => fetchCards(userId, signal),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  const { data } = record;
  const config = settings.data;
  const nowS = Math.floor((nowMs + (config?.clockOffsetMs ?? 0)) / 1000);
  const known = data === undefined || config === undefined ? null : knownOf(data, config, cards.data ?? [], nowS);
  return {
    known,
    hasFailed: known === null && (record.isError || settings.isError),
    isFetching: record.isFetching || settings.isFetching,
    retry() {
      void settings.refetch();
      void record.refetch();
    },
  };
}

export async function refetchBilling(client: QueryClient, userId: string): Promise<void> {
  await Promise.all(
    [subscriptionQuery(userId).queryKey, cardsKey(userId), ['quota', userId]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}

/** Refetches the row and updates everything that shows it. @throws Error */
export function refetchRecord(client: QueryClient, userId: string): Promise<SubscriptionRecord | null> {
  return client.fetchQuery({ ...subscriptionQuery(userId), staleTime: 0, retry: false });
}

export function cacheRecord(client: QueryClient, userId: string, record: SubscriptionRecord): void {
  client.setQueryData(subscriptionQuery(userId).queryKey, record);
}

const cardsKey = (userId: string) => ['cards', userId];

function knownOf(
  record: SubscriptionRecord | null,
  config: PublicConfig,
  cards: readonly Card[],
  nowS: number,
): KnownSubscription {
  const prices: PriceTable = priceTableOf(config.prices);
  const state = subscriptionState(record, prices, nowS);
  return { record, state, prices: config.prices, payments: config.payments, card: cardOf(record, cards), nowS };
}

/** The subscription's own card, with details from the card list. */
function cardOf(record: SubscriptionRecord | null, cards: readonly Card[]): Card | null {
  if (record?.payment_method_last4 == null) return null;
  const { payment_method_brand: brand, payment_method_last4: last4 } = record;
  const listed = cards.find((card) => card.last4 === last4 && card.brand === brand);
  return listed ?? { brand, last4, exp_month: null, exp_year: null };
}

/** True for a while after a payment elsewhere. The back button restores a cached page as it was left. */
function useWatching(client: QueryClient, userId: string): boolean {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (consumeReturnedFlag()) setSince(Date.now());
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      consumeReturnedFlag();
      setSince(Date.now());
      void refetchBilling(client, userId);
    };
    // With windows side by side, this one was always visible, so focus triggers the refetch.
    const onFocus = () => void client.invalidateQueries(subscriptionQuery(userId));
    window.addEventListener('pageshow', onShow);
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('pageshow', onShow);
      window.removeEventListener('focus', onFocus);
    };
  }, [client, userId]);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), WATCH_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null;
}
