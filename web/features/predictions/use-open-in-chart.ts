import { useNavigate } from 'react-router';
import type { PredictionRow } from '#domain/forecast/prediction.ts';

/** Opens a saved prediction in the big chart of /kat, whose address then names it. */
export function useOpenInChart(): (row: PredictionRow) => void {
  const navigate = useNavigate();
  return ({ id, cryptocurrency }) => {
    const query = new URLSearchParams({ sym: cryptocurrency, saved: id });
    void navigate(`/kat?${query}`);
  };
}
