/**
 * What /kat shows: the address says it first (`?sym=ETH&model=lion`), then the last choice in this browser, then the
 * defaults. Values that are no symbol, model or id are ignored.
 */
import { useMemo, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL, type MarketSymbol, SYMBOLS, symbolOfLabel } from '#domain/market/symbols.ts';
import { storedValue } from '../../../ui/browser/stored-value.ts';

export interface PanelChoice {
  symbol: MarketSymbol;
  /** Null until one was chosen. */
  model: ModelName | null;
  /** The address names the symbol: then nothing else may replace the chart. */
  isPicked: boolean;
}

const lastSchema = z.object({ label: z.string(), model: z.nullable(z.enum(MODEL_NAMES)) });
type LastChoice = z.infer<typeof lastSchema>;
/** If it can't be stored, a new visit starts with the defaults. */
const stored = storedValue<LastChoice>('localStorage', 'kat-choice', lastSchema);

export function readChoice(search: string, last: LastChoice | null): PanelChoice {
  const query = new URLSearchParams(search);
  const named = symbolOfQuery(query.get('sym') ?? '');
  const model = MODEL_NAMES.find((name) => name === query.get('model')?.toLowerCase());
  return {
    symbol: named ?? symbolOfLabel(last?.label ?? '') ?? DEFAULT_SYMBOL,
    model: model ?? last?.model ?? null,
    isPicked: named !== null,
  };
}

/** By its label or its code, in any case: 'eth', 'ETHUSDT.P'. */
function symbolOfQuery(text: string): MarketSymbol | null {
  const wanted = text.toLowerCase();
  return SYMBOLS.find(({ label, sym }) => [label, sym].some((name) => name.toLowerCase() === wanted)) ?? null;
}

export type ChoosePanel = (change: { symbol?: MarketSymbol; model?: ModelName }) => void;

/** The page was rendered before its address and storage were known, so the first render shows the defaults. */
export function usePanelChoice(): PanelChoice & { choose: ChoosePanel } {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isKnown = useSyncExternalStore(subscribeToNothing, always, never);
  const last = useMemo(() => (isKnown ? stored.read() : null), [isKnown]);
  const choice = readChoice(isKnown ? search : '', last);
  const choose: ChoosePanel = (change) => {
    const { symbol, model } = { ...choice, ...change };
    stored.write({ label: symbol.label, model });
    const query = new URLSearchParams(search);
    query.set('sym', symbol.label);
    if (model !== null) query.set('model', model);
    void navigate({ pathname, search: `?${query}`, hash }, { replace: true });
  };
  return { ...choice, choose };
}

const subscribeToNothing = () => () => undefined;
const always = () => true;
const never = () => false;
