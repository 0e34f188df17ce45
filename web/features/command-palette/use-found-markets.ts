import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { rememberMarket, useKnownMarkets } from '../../site/known-markets.ts';
import { searchMarkets } from '../../site/markets-api.ts';
import { useRested } from '../../ui/browser/use-rested.ts';
import type { Command, CommandGroup } from './commands.ts';

/** A shorter text would match almost everything. */
const MIN_LENGTH = 2;
const REST_MS = 120;
/** Beside other commands, and alone. */
const SHOWN = { beside: 5, alone: 40 };
const RECENT = 5;
const FRESH_MS = 60_000;

export interface FoundMarkets {
  groups: readonly CommandGroup[];
  isLoading: boolean;
  hasFailed: boolean;
  retry(): void;
}

/** @param isAlone  only markets are searched, recent and popular ones without a text */
export function useFoundMarkets(
  typed: string,
  isAlone: boolean,
  show: (change: { sym: string }) => void,
): FoundMarkets {
  const term = typed.trim();
  const rested = useRested(term, REST_MS);
  const known = useKnownMarkets();
  const isWanted = isAlone || term.length >= MIN_LENGTH;
  const limit = isAlone ? SHOWN.alone : SHOWN.beside;
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['markets', rested, limit],
    queryFn: ({ signal }) => searchMarkets(rested, limit, signal),
    enabled: isAlone || (isWanted && rested.length >= MIN_LENGTH),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
    networkMode: 'always',
  });
  const choose = (symbol: MarketSymbol) => show({ sym: rememberMarket(symbol).label });
  const recent = isAlone && term === '' ? known.slice(0, RECENT) : [];
  // Until the answer to this text arrives, what is left of the one before: Enter must not choose another market.
  const isOfTerm = rested === term && !isPlaceholderData;
  const matching = (data ?? []).filter((each) => isOfTerm || isMatch(each, term));
  const found = isWanted ? matching.filter((each) => isAlone || symbolOfLabel(each.label) === null) : [];
  const others = found.filter(({ sym }) => !recent.some((symbol) => symbol.sym === sym));
  const groups = [
    { heading: 'Recent', options: recent.map((symbol) => toCommand(symbol, symbol.exc, () => choose(symbol))) },
    {
      heading: term === '' ? 'Popular' : 'Markets',
      options: others.map((each) => toCommand(each, describe(each), () => choose(symbolOfFound(each)))),
    },
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isLoading: isWanted && (isFetching || rested !== term) && found.length === 0,
    hasFailed: isWanted && isError,
    retry: () => void refetch(),
  };
}

function isMatch({ label, sym, name }: FoundMarket, term: string): boolean {
  return [label, sym, name].some((text) => plain(text).includes(plain(term)));
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

function toCommand(symbol: Pick<MarketSymbol, 'sym' | 'label'>, detail: string, run: () => void): Command {
  const { label } = symbol;
  return { id: `market ${label}`, kind: 'symbol', label, detail, symbol, searchText: '', run };
}

/** 'Chainlink · BINANCE · perpetual'; what a product is not fit for comes last. */
function describe({ name, exc, kind, status, isNew }: FoundMarket): string {
  const state = status === 'trading' ? (isNew ? 'new' : '') : status;
  return [name, exc, kind, state].filter((part) => part !== '').join(' · ');
}
