/** Searches the products of all venues while the user types: for the command palette and for the list of symbols. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import { useDebounced } from '../../ui/browser/use-debounced.ts';
import { searchMarkets } from './markets-api.ts';

const DEBOUNCE_MS = 120;
const FRESH_MS = 60_000;

export interface MarketMatches {
  markets: readonly FoundMarket[];
  /** No market is shown yet, and an answer may bring one. */
  isLoading: boolean;
  hasFailed: boolean;
  retry(): void;
}

/** @param minLength  a shorter text finds nothing; with 0, no text finds the popular ones */
export function useMarketMatches(
  typed: string,
  { minLength, limit }: { minLength: number; limit: number },
): MarketMatches {
  const term = typed.trim();
  const debounced = useDebounced(term, DEBOUNCE_MS);
  const isWanted = term.length >= minLength;
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['markets', debounced, limit],
    queryFn: ({ signal }) => searchMarkets(debounced, limit, signal),
    enabled: isWanted && debounced.length >= minLength,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
    networkMode: 'always',
  });
  // Until the answer to this text arrives, what is left of the one before: Enter must not choose another market.
  const isOfTerm = debounced === term && !isPlaceholderData;
  const matching = (data ?? []).filter((each) => isOfTerm || isMatch([each.label, each.sym, each.name], term));
  const markets = isWanted ? matching : [];
  return {
    markets,
    isLoading: isWanted && (isFetching || debounced !== term) && markets.length === 0,
    hasFailed: isWanted && isError,
    retry: () => void refetch(),
  };
}

/** Whether one of the names has the text, whatever is between its letters. */
export function isMatch(names: readonly string[], text: string): boolean {
  const wanted = plain(text);
  return (wanted !== '' || text.trim() === '') && names.some((name) => plain(name).includes(wanted));
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** 'halted', 'delisted', 'new'; empty for most. */
export function marketState({ status, isNew }: FoundMarket): string {
  return status === 'trading' ? (isNew ? 'new' : '') : status;
}
