/** The list of symbols: the ten, and below them what typing finds among the products of all venues. */
import { useState } from 'react';
import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { rememberMarket } from '../../../site/markets/known-markets.ts';
import { isMatch, marketState, useMarketMatches } from '../../../site/markets/market-matches.ts';
import { openMarketSearch } from '../../../site/markets/market-search.ts';
import { Button } from '../../../ui/forms/button.tsx';
import type { OptionStar } from '../../../ui/forms/option-star.tsx';
import { type ListFrame, PickerList, type PickerOption } from '../../../ui/forms/picker-list.tsx';
import { ReportedFailure } from '../../../ui/status/reported-failure.tsx';

/** Whether a symbol is on the watchlist. */
export type StarOf = (symbol: MarketSymbol) => OptionStar;

export interface SymbolListProps {
  symbol: MarketSymbol;
  onSymbol: (symbol: MarketSymbol) => void;
  /** Null until the watchlist is known. */
  starOf: StarOf | null;
}

interface SymbolOption extends PickerOption<string> {
  /** Absent for the entry that opens the search. */
  symbol?: MarketSymbol;
}

const SEARCH: SymbolOption = { value: '', label: 'All markets…', detail: 'search' };
/** One letter narrows the ten and finds markets. The limit is that of the search, which then has the same answer. */
const MATCHES = { minLength: 1, limit: 40 };

export function SymbolList({ symbol, onSymbol, starOf, ...frame }: ListFrame & SymbolListProps) {
  const [text, setText] = useState('');
  const [wasOpen, setWasOpen] = useState(frame.isOpen);
  if (wasOpen !== frame.isOpen) {
    setWasOpen(frame.isOpen);
    // Each opening starts with the ten. A letter that opens the list arrives before it is open.
    if (wasOpen) setText('');
  }
  const { markets, isLoading, hasFailed, retry } = useMarketMatches(text, MATCHES);
  const hasText = text.trim() !== '';

  const optionOf = (one: MarketSymbol): SymbolOption => ({
    value: one.sym,
    label: one.label,
    detail: one.exc,
    symbol: one,
    ...(starOf && { star: starOf(one) }),
  });
  const ten: readonly MarketSymbol[] = SYMBOLS;
  const first = ten.includes(symbol) ? ten : [...ten, symbol];
  // A code is matched from its start: the letters of USDT would match most.
  const isShown = ({ label, sym }: MarketSymbol) =>
    isMatch([label], text) || sym.toLowerCase().startsWith(text.trim().toLowerCase());
  const shown = first.filter(isShown).map(optionOf);
  const found = markets
    .filter(({ sym }) => !shown.some(({ value }) => value === sym))
    .map((each) => ({ ...optionOf(symbolOfFound(each)), detail: describe(each) }));
  const options: SymbolOption[] = hasText
    ? [...shown, ...found.map((option, nth) => (nth === 0 ? { ...option, heading: 'All markets' } : option))]
    : [...shown, SEARCH];

  return (
    <PickerList
      {...frame}
      options={options}
      selected={options.find(({ value }) => value === symbol.sym) ?? null}
      onChoose={({ symbol: chosen }: SymbolOption) =>
        chosen === undefined ? openMarketSearch() : onSymbol(rememberMarket(chosen))
      }
      search={{
        label: 'Search all markets',
        text,
        onText: setText,
        found: hasText && !isLoading && !hasFailed ? countText(options.length) : '',
        note: hasFailed ? (
          <ReportedFailure>
            We couldn’t load the other markets. The ten still work.{' '}
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </ReportedFailure>
        ) : isLoading ? (
          'Searching all markets…'
        ) : (
          options.length === 0 && `Nothing matches “${text.trim()}”.`
        ),
      }}
    />
  );
}

function countText(count: number): string {
  return count === 0 ? 'Nothing found' : `${count} found`;
}

/** 'Chainlink · BINANCE', 'halted · Chainlink · BINANCE'. The label names the kind. */
function describe(found: FoundMarket): string {
  return [marketState(found), found.name, found.exc].filter((part) => part !== '').join(' · ');
}
