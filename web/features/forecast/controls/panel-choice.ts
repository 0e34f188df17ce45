/**
 * What /kat shows: the address says it first (`?sym=ETH&model=lion`), then the last choice in this browser, then the
 * defaults. Values that are no symbol, model or id are ignored.
 */
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL, type MarketSymbol, SYMBOLS, symbolOfLabel } from '#domain/market/symbols.ts';
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
  const named = symbolOfQuery(query.get('sym') ?? '');
  const [lastLabel = '', lastModel = ''] = last.split(' ');
  return {
    symbol: named ?? symbolOfLabel(lastLabel) ?? DEFAULT_SYMBOL,
    model: modelOfName(query.get('model') ?? '') ?? modelOfName(lastModel),
    isPicked: named !== null,
    savedId: UUID.exec(query.get('saved')?.toLowerCase() ?? '')?.[0] ?? null,
  };
}

function modelOfName(text: string): ModelName | null {
  return MODEL_NAMES.find((name) => name === text.toLowerCase()) ?? null;
}

/** By its label or its code, in any case: 'eth', 'ETHUSDT.P'. */
function symbolOfQuery(text: string): MarketSymbol | null {
  const wanted = text.toLowerCase();
  return SYMBOLS.find(({ label, sym }) => [label, sym].some((name) => name.toLowerCase() === wanted)) ?? null;
}

/** Any choice closes a saved prediction that is open, unless it names one. */
export type ChoosePanel = (change: { symbol?: MarketSymbol; model?: ModelName; savedId?: string }) => void;

/** The page was rendered before its address and storage were known, so the first render shows the defaults. */
export function usePanelChoice(): PanelChoice & { choose: ChoosePanel } {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isKnown = useIsKnown();
  const last = useMemo(() => (isKnown ? (stored.read() ?? '') : ''), [isKnown]);
  const choice = readChoice(isKnown ? search : '', last);
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
