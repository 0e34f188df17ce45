/** The forecast on the home page: a new one each minute; the last one stays until a newer arrives. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { type CandleFeed, createCandleFeed, EMPTY_SERIES } from '../../charts/candles/candle-feed.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { type FetchedForecast, fetchLatest } from './home-forecast-api.ts';

const MINUTE_MS = MINUTE_S * 1000;
/** Retry delay after a failure. */
const AGAIN_MS = 15_000;
/** Delay when overdue: almost immediate, but never a tight loop. */
const SOON_MS = 1000;
const CLOCK_MS = 10_000;

export interface HomeForecastState {
  known: LastData<FetchedForecast>;
  /** Null until the first one arrives. */
  latest: LatestForecast | null;
  feed: CandleFeed;
  nowMs: number;
}

export function useHomeForecast(): HomeForecastState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['latest-forecast'],
    queryFn: ({ signal }) => fetchLatest(signal),
    // A hidden tab requests nothing; when visible again, it immediately requests what it missed.
    refetchOnWindowFocus: true,
    staleTime: ({ state }) => state.data?.refreshInMs ?? 0,
    refetchInterval: ({ state: { status, data, dataUpdatedAt } }) => {
      if (status === 'error' || data === undefined) return AGAIN_MS;
      return Math.max(SOON_MS, dataUpdatedAt + data.refreshInMs - Date.now());
    },
  });
  const known = useLastData(query, MINUTE_MS, nowMs, ({ latest }) => (latest.t0 + MINUTE_S) * 1000);
  const latest = known.data?.latest ?? null;
  return { known, latest, feed: useFeed(latest), nowMs };
}

/** Refetching the same forecast leaves the chart unchanged. */
function useFeed(latest: LatestForecast | null): CandleFeed {
  const [feed] = useState(() => createCandleFeed());
  useEffect(() => feed.reset(latest === null ? EMPTY_SERIES : seriesOf(latest)), [feed, latest]);
  return feed;
}

function seriesOf({ history, path, band, t0 }: LatestForecast) {
  const isForecast = path.length > 0;
  return { candles: [...history, ...path], joinS: isForecast ? t0 : null, band: isForecast ? band : null };
}
