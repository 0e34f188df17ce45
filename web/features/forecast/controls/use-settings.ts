/** The server's public settings as the panel reads them: which market, which models. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { fetchSettings } from '../run/forecast-api.ts';

/** Asked once a page load, and shared with whoever else needs the settings. */
export function useSettings(): UseQueryResult<PublicConfig> {
  return useQuery({ queryKey: ['config'], queryFn: fetchSettings, staleTime: Number.POSITIVE_INFINITY });
}
