import { useNavigate } from 'react-router';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';

/** Opens a saved prediction in the big chart of /kat, whose address then names it. */
export function useOpenInChart(): (row: PredictionRow) => void {
  const navigate = useNavigate();
  return ({ id, cryptocurrency, timeframe }) => {
    const query = new URLSearchParams({
      sym: cryptocurrency,
      ...(timeframe !== DEFAULT_TIMEFRAME && { tf: timeframe }),
      saved: id,
    });
    void navigate(`/kat?${query}`);
  };
}
