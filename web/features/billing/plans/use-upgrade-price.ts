/** Amount due now for an upgrade, as the provider will charge it; requested when the dialog opens. */
import { useQuery } from '@tanstack/react-query';
import { previewAmount } from '../billing-api.ts';

/** The server holds a quoted price for ten minutes. */
const PROMISED_MS = 9 * 60_000;

export interface UpgradePrice {
  isLoading: boolean;
  /** US cents; null while loading and after a failure, when no price is shown. */
  amountDueCents: number | null;
}

/** @param subscriptionId  null: no request */
export function useUpgradePrice(subscriptionId: string | null, priceId: string): UpgradePrice {
  const { data, isFetching } = useQuery({
    queryKey: ['upgrade-price', subscriptionId, priceId],
    queryFn: ({ signal }) => previewAmount(subscriptionId ?? '', priceId, signal),
    enabled: subscriptionId !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: PROMISED_MS,
    networkMode: 'always',
  });
  return { isLoading: isFetching, amountDueCents: isFetching ? null : (data ?? null) };
}
