/** A saved prediction that the user opened in the big chart, named by the address. */
import { useEffect, useRef } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, timeframeOfText } from '#domain/market/timeframes.ts';
import { reportError } from '../../../platform/error-log.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { type ChartMarket, isSameMarket } from './chart-market.ts';
import { fetchSaved, fetchSavedOutcome } from './forecast-api.ts';
import { activeRequest } from './forecast-state.ts';
import { wholeOfRow } from './saved-forecast.ts';
import type { UseForecast } from './use-forecast.ts';

interface OpenedOptions extends ChartMarket {
  /** Null for none: then the market is shown. */
  savedId: string | null;
  /** It is of another market, which the page should show too. */
  onOtherMarket: (market: ChartMarket) => void;
  /** It is not among the user's predictions, or could not be loaded. */
  onNotOpened: () => void;
}

export function useOpened({ machine, showMarket }: UseForecast, options: OpenedOptions): void {
  const { savedId } = options;
  const latest = useRef(options);
  latest.current = options;
  const isOpened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read the latest options
  useEffect(() => {
    if (savedId === null) {
      // A forecast that was started instead is left alone.
      if (isOpened.current && activeRequest(machine.state()) === null) showMarket(latest.current);
      isOpened.current = false;
      return;
    }
    isOpened.current = true;
    const abort = new AbortController();
    void open(savedId, abort.signal);
    return () => abort.abort();
  }, [machine, savedId]);

  async function open(id: string, signal: AbortSignal): Promise<void> {
    try {
      // Without its outcome, the prediction is still shown.
      const [row, outcome] = await Promise.all([
        fetchSaved(id, signal),
        fetchSavedOutcome(id, signal).catch(() => null),
      ]);
      if (signal.aborted) return;
      const whole = row === null ? null : wholeOfRow(row);
      const symbol = await symbolOfSaved(row?.cryptocurrency ?? '', signal);
      if (signal.aborted) return;
      if (whole !== null && symbol !== null) {
        const market = { symbol, timeframe: timeframeOfText(row?.timeframe ?? '') ?? DEFAULT_TIMEFRAME };
        if (!isSameMarket(market, latest.current)) latest.current.onOtherMarket(market);
        const actual = outcome?.candles != null && { outcome: outcome.candles };
        const marketKind = outcome?.market_kind ?? null;
        return machine.present(market, { ...whole, series: { ...whole.series, ...actual }, marketKind }, 'opened');
      }
      toast.error('We couldn’t find this prediction among yours.');
    } catch (error) {
      if (signal.aborted) return;
      reportError(error, { where: 'opened prediction' });
      toast.error('We couldn’t open this prediction. Please try again.');
    }
    latest.current.onNotOpened();
  }
}

/** A product of the catalogue that this browser has not met is looked up. */
async function symbolOfSaved(label: string, signal: AbortSignal): Promise<MarketSymbol | null> {
  const known = knownSymbol(label);
  if (known !== null || !label.includes('/')) return known;
  const { foundMarket } = await import('../controls/name-market.ts');
  return foundMarket(label, signal);
}
