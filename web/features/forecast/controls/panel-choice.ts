/**
 * What /kat shows: the address says it first (`?sym=ETH&model=lion`), then the last choice in this browser, then the
 * defaults. Values that are no symbol, model or id are ignored.
 */
import { useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL, type MarketSymbol } from '#domain/market/symbols.ts';
import { knownSymbol, useKnownMarkets } from '../../../site/known-markets.ts';
import { useIsKnown } from '../../../ui/browser/prerendered-store.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';

export interface PanelChoice {
  symbol: MarketSymbol;
  /** Null until one was chosen. */
  model: ModelName | null;
  /** The address names the symbol: then nothing else may replace the chart. */
  isPicked: boolean;
  /** The saved prediction to open (`?saved=`); null for none. */
  savedId: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** 'ETH lion'. If it can't be stored, a new visit starts with the defaults. */
const stored = storedText('localStorage', 'kat-choice');

/** @param last  the stored choice; empty for none */
export function readChoice(search: string, last: string): PanelChoice {
  const query = new URLSearchParams(search);
  const named = knownSymbol(query.get('sym') ?? '');
  const [, lastLabel = '', lastModel = ''] = /^(.*) (.*)$/.exec(last) ?? [];
  return {
    symbol: named ?? knownSymbol(lastLabel) ?? DEFAULT_SYMBOL,
    model: modelOfName(query.get('model') ?? '') ?? modelOfName(lastModel),
    isPicked: named !== null,
    savedId: UUID.exec(query.get('saved')?.toLowerCase() ?? '')?.[0] ?? null,
  };
}

function modelOfName(text: string): ModelName | null {
  return MODEL_NAMES.find((name) => name === text.toLowerCase()) ?? null;
}

/** How products of the catalogue are named: LINK/USDT, LINKUSDT.P, LINKUSD. */
const PRODUCT = /^[A-Z0-9]{1,16}(\/[A-Z]{3,4}|USDT|USDC|USD|EUR|GBP)(\.P| spot)?$/i;

/** Any choice closes a saved prediction that is open, unless it names one. */
export type ChoosePanel = (change: { symbol?: MarketSymbol; model?: ModelName; savedId?: string }) => void;

/** The page was rendered before its address and storage were known, so the first render shows the defaults. */
export function usePanelChoice(): PanelChoice & { choose: ChoosePanel } {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isKnown = useIsKnown();
  const last = useMemo(() => (isKnown ? (stored.read() ?? '') : ''), [isKnown]);
  useKnownMarkets();
  const choice = readChoice(isKnown ? search : '', last);
  const named = isKnown ? (new URLSearchParams(search).get('sym') ?? '') : '';
  const unknown = !choice.isPicked && PRODUCT.test(named) ? named : null;
  useEffect(() => {
    if (unknown === null) return;
    const left = new AbortController();
    void import('./name-market.ts').then(({ nameMarket }) => nameMarket(unknown, left.signal));
    return () => left.abort();
  }, [unknown]);
  const choose: ChoosePanel = (change) => {
    const { symbol, model } = { ...choice, ...change };
    const { savedId = null } = change;
    stored.write(`${symbol.label} ${model ?? ''}`);
    const query = new URLSearchParams(search);
    query.set('sym', symbol.label);
    if (model !== null) query.set('model', model);
    if (savedId === null) query.delete('saved');
    else query.set('saved', savedId);
    void navigate({ pathname, search: `?${query}`, hash }, { replace: true });
  };
  return { ...choice, choose };
}
