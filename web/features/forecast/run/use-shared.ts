/** The public forecast of this minute, which users without a plan see as it would arrive for a subscriber. */
import { useEffect, useState } from 'react';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import { seriesOfLatest } from '../../../charts/candles/candle-feed.ts';
import { reportError } from '../../../platform/error-log.ts';
import { fetchLatest } from '../../../site/latest-forecast-api.ts';
import type { WholeForecast } from './saved-forecast.ts';
import type { UseForecast } from './use-forecast.ts';

/**
 * Played once the market is on the chart, unless a forecast of the user's own is.
 * @returns plays the newest one again
 */
export function useShared({ machine, settled }: UseForecast, isShared: boolean): () => void {
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` plays it again; `settled` reads a reference
  useEffect(() => {
    if (!isShared) return;
    const abort = new AbortController();
    const play = async () => {
      const [{ latest }] = await Promise.all([fetchLatest(abort.signal), settled()]);
      const { phase, start } = machine.state();
      const mayPlay = !abort.signal.aborted && phase === 'idle' && start === null;
      if (mayPlay && latest.path.length > 0) machine.play(wholeOfLatest(latest));
    };
    // Without it, the market stays on the chart.
    play().catch((error: unknown) => {
      if (!abort.signal.aborted) reportError(error, { where: 'shared forecast' });
    });
    return () => abort.abort();
  }, [machine, isShared, round]);
  return () => setRound((n) => n + 1);
}

function wholeOfLatest(latest: LatestForecast): WholeForecast {
  const { model, issuedAtMs, marketKind } = latest;
  return {
    series: seriesOfLatest(latest),
    shown: { model, issuedAtMs, ampPercent: DEFAULT_AMPLIFY_PERCENT },
    marketKind,
  };
}
