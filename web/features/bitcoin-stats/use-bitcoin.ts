/** Bitcoin's figures as the panel shows them; each failure shows one toast. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNow } from '../../ui/browser/use-now.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { type BitcoinSnapshot, fetchBitcoin, STATS_FAILED } from './bitcoin-stats-api.ts';

/** Specified refresh interval. */
const REFRESH_MS = 240_000;
const CLOCK_MS = 10_000;
/** Three periods of the slowest source: after that, it counts as unresponsive. */
const OLD_MS = 90 * 60_000;

export interface BitcoinState {
  known: LastData<BitcoinSnapshot>;
  nowMs: number;
}

export function useBitcoin(): BitcoinState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['bitcoin-stats'],
    queryFn: ({ signal }) => fetchBitcoin(signal),
    refetchInterval: REFRESH_MS,
  });
  const { error, errorUpdatedAt } = query;
  useEffect(() => {
    if (error !== null && errorUpdatedAt > 0) toast.error(error.message || STATS_FAILED);
  }, [error, errorUpdatedAt]);
  const kept = useLastData(query, REFRESH_MS, nowMs, ({ fetchedAtMs }) => fetchedAtMs);
  return { known: withOldRow(kept, nowMs), nowMs };
}

/** The database may answer with a row that has not been updated. */
function withOldRow(kept: LastData<BitcoinSnapshot>, nowMs: number): LastData<BitcoinSnapshot> {
  const { data, staleSinceMs } = kept;
  if (staleSinceMs !== null || data === null || nowMs - data.fetchedAtMs <= OLD_MS) return kept;
  return { ...kept, failure: 'The source of prices has not answered.', staleSinceMs: data.fetchedAtMs };
}
