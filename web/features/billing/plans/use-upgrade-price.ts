/** What an upgrade costs now, as the provider will charge it: asked when its dialog opens. */
import { useQuery } from '@tanstack/react-query';
import { previewAmount } from '../billing-api.ts';

/** The server keeps what it has promised for ten minutes. */
const PROMISED_MS = 9 * 60_000;

export interface UpgradePrice {
  isLoading: boolean;
  /** US cents; null while it loads and when it could not be loaded: then nothing is said of it. */
  amountDueCents: number | null;
}

/** @param subscriptionId  null while nothing is to be asked */
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
