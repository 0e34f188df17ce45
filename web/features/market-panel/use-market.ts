/** What the market panel shows: figures, the last ones while there are no newer, or the fallback. */
import { useQuery } from '@tanstack/react-query';
import { type Kept, useKept } from '../../ui/kept.ts';
import { useNow } from '../../ui/use-now.ts';
import { fetchMarket, type KnownMarket } from './market-panel-api.ts';
import { FALLBACK_SNAPSHOT, type MarketSnapshot } from './market-snapshot.ts';

/** Specification 1, section 9. */
const REFRESH_MS = 30_000;
const CLOCK_MS = 10_000;

export interface MarketState {
  known: Kept<KnownMarket>;
  /** Null while the first answer is on its way. */
  snapshot: MarketSnapshot | null;
  /** The figures are the agreed ones, not the market's. */
  isFallback: boolean;
  nowMs: number;
}

export function useMarket(): MarketState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['market-panel'],
    queryFn: ({ signal }) => fetchMarket(signal),
    refetchInterval: REFRESH_MS,
  });
  const kept = useKept(query, REFRESH_MS, nowMs);
  const { data, failure } = kept;
  const isFallback = data === null && failure !== null;
  return {
    known: withSource(kept),
    snapshot: data?.snapshot ?? (isFallback ? FALLBACK_SNAPSHOT : null),
    isFallback,
    nowMs,
  };
}

/** The server may answer, with nothing newer from its sources. */
function withSource(kept: Kept<KnownMarket>): Kept<KnownMarket> {
  const { data, failure } = kept;
  if (data === null || !data.isStale || data.fetchedAtMs === null) return kept;
  return { ...kept, staleSinceMs: data.fetchedAtMs, failure: failure ?? 'The sources have not answered.' };
}
