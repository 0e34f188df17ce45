/**
 * What /kat shows: the address says it first (`?sym=ETH&tf=5min&model=lion`), then the last choice in this browser, then
 * the defaults. Values that are no symbol, timeframe, model or id are ignored.
 */
import { useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, timeframeOfText } from '#domain/market/timeframes.ts';
import { knownSymbol, useKnownMarkets } from '../../../site/markets/known-markets.ts';
import { useIsKnown } from '../../../ui/browser/prerendered-store.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';
import type { ChartMarket } from '../run/chart-market.ts';

export interface PanelChoice extends ChartMarket {
  /** Null until one was chosen. */
  model: ModelName | null;
  /** The address names the symbol or the timeframe: then nothing else may replace the chart. */
  isPicked: boolean;
  /** The saved prediction to open (`?saved=`); null for none. */
  savedId: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** 'ETH lion 5min'. If it can't be stored, a new visit starts with the defaults. */
const stored = storedText('localStorage', 'kat-choice');

/** @param last  the stored choice; empty for none */
export function readChoice(search: string, last: string): PanelChoice {
  const query = new URLSearchParams(search);
  const named = knownSymbol(query.get('sym') ?? '');
  const timeframe = query.get('tf');
  const [, lastLabel = '', lastModel = '', lastTimeframe = ''] = /^(.*) ([a-z]*)(?: (\w+))?$/.exec(last) ?? [];
  return {
    symbol: named ?? knownSymbol(lastLabel) ?? DEFAULT_SYMBOL,
    // An address that names a symbol and no timeframe may be older than the others, and means one minute.
    timeframe: timeframeOfText(timeframe ?? (query.get('sym') ? '' : lastTimeframe)) ?? DEFAULT_TIMEFRAME,
    model: modelOfName(query.get('model') ?? '') ?? modelOfName(lastModel),
    isPicked: named !== null || timeframe !== null,
    savedId: UUID.exec(query.get('saved')?.toLowerCase() ?? '')?.[0] ?? null,
  };
}

/** What /kat shows, or would show, at this address: for parts outside it. */
export function currentChoice(search: string): PanelChoice {
  return readChoice(search, stored.read() ?? '');
}

function modelOfName(text: string): ModelName | null {
  return MODEL_NAMES.find((name) => name === text.toLowerCase()) ?? null;
}

/** Rarely needed. */
const naming = () => import('./name-market.ts');

/** How products of the catalogue are named: LINK/USDT, LINKUSDT.P, LINKUSD. */
const PRODUCT = /^[A-Z0-9]{1,16}(\/[A-Z]{3,4}|USDT|USDC|USD|EUR|GBP)(\.P| spot)?$/i;

/** Any choice closes a saved prediction that is open, unless it names one. */
export type ChoosePanel = (change: Partial<ChartMarket> & { model?: ModelName; savedId?: string }) => void;

/** The page was rendered before its address and storage were known, so the first render shows the defaults. */
export function usePanelChoice(): PanelChoice & { choose: ChoosePanel } {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isKnown = useIsKnown();
  const last = useMemo(() => (isKnown ? (stored.read() ?? '') : ''), [isKnown]);
  useKnownMarkets();
  const choice = readChoice(isKnown ? search : '', last);
  const query = new URLSearchParams(isKnown ? search : '');
  const named = query.get('sym') ?? '';
  const unknown = PRODUCT.test(named) && knownSymbol(named) === null ? named : null;
  useEffect(() => {
    if (unknown === null) return;
    const left = new AbortController();
    void naming().then(({ nameMarket }) => nameMarket(unknown, left.signal));
    return () => left.abort();
  }, [unknown]);
  const timeframe = query.get('tf');
  useEffect(() => {
    if (timeframe === null || timeframeOfText(timeframe) !== null) return;
    void naming().then(({ refuseTimeframe }) => refuseTimeframe(timeframe));
  }, [timeframe]);
  const choose: ChoosePanel = (change) => {
    const { symbol, timeframe, model } = { ...choice, ...change };
    const { savedId = null } = change;
    stored.write(`${symbol.label} ${model ?? ''} ${timeframe}`);
    const query = new URLSearchParams(search);
    const name = (key: string, value: string | null) => (value === null ? query.delete(key) : query.set(key, value));
    name('sym', symbol.label);
    name('tf', timeframe === DEFAULT_TIMEFRAME ? null : timeframe);
    if (model !== null) name('model', model);
    name('saved', savedId);
    void navigate({ pathname, search: `?${query}`, hash }, { replace: true });
  };
  return { ...choice, choose };
}
