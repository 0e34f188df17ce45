import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { marketDetail } from '#domain/market/catalogue/market-detail.ts';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { rememberMarket, useKnownMarkets } from '../../site/markets/known-markets.ts';
import { type MarketMatches, marketState, useMarketMatches } from '../../site/markets/market-matches.ts';
import type { Command, CommandGroup } from './commands.ts';

/** Beside other commands, where a shorter text would match almost everything, and alone. */
const SEARCH = { beside: { minLength: 2, limit: 5 }, alone: { minLength: 0, limit: 40 } };
const RECENT = 5;

export interface FoundMarkets extends Omit<MarketMatches, 'markets'> {
  groups: readonly CommandGroup[];
}

/** @param isAlone  only markets are searched, recent and popular ones without a text */
export function useFoundMarkets(
  typed: string,
  isAlone: boolean,
  show: (change: { sym: string }) => void,
): FoundMarkets {
  const known = useKnownMarkets();
  const { markets, ...state } = useMarketMatches(typed, isAlone ? SEARCH.alone : SEARCH.beside);
  const choose = (symbol: MarketSymbol) => show({ sym: rememberMarket(symbol).label });
  const isEmpty = typed.trim() === '';
  const recent = isAlone && isEmpty ? known.slice(0, RECENT) : [];
  // Beside the commands, which have the ten.
  const found = markets.filter((each) => isAlone || symbolOfLabel(each.label) === null);
  const others = found.filter(({ sym }) => !recent.some((symbol) => symbol.sym === sym));
  const groups = [
    { heading: 'Recent', options: recent.map((symbol) => toCommand(symbol, symbol.exc, () => choose(symbol))) },
    {
      heading: isEmpty ? 'Popular' : 'Markets',
      options: others.map((each) => toCommand(each, describe(each), () => choose(symbolOfFound(each)))),
    },
  ];
  return { ...state, groups: groups.filter(({ options }) => options.length > 0) };
}

function toCommand(symbol: Pick<MarketSymbol, 'sym' | 'label'>, detail: string, run: () => void): Command {
  const { label } = symbol;
  return { id: `market ${label}`, kind: 'symbol', label, detail, symbol, searchText: '', run };
}

/** 'Chainlink · BINANCE · perpetual'; what a product is not fit for comes last. */
function describe(found: FoundMarket): string {
  return marketDetail(found.name, found.exc, found.kind, marketState(found));
}
