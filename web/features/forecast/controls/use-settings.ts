/** The server's public settings, as the panel reads them: the market and the models. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { fetchSettings } from '../run/forecast-api.ts';

/** Fetched once per page load; every user of the settings shares the query. */
export function useSettings(): UseQueryResult<PublicConfig> {
  return useQuery({ queryKey: ['config'], queryFn: fetchSettings, staleTime: Number.POSITIVE_INFINITY });
}
