import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ModelStatus, PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';
import { retryInterval } from '../platform/query-client.ts';

const SITE_CONFIG = queryOptions({
  queryKey: ['config'],
  queryFn: publicConfig,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: retryInterval,
});

/** @param isWanted  false sends no request, but still returns settings fetched before */
export function useSiteConfig(isWanted = true): UseQueryResult<PublicConfig> {
  return useQuery({ ...SITE_CONFIG, enabled: isWanted });
}

/** One of the settings; null until known, and if they cannot be read: the page then claims nothing. */
function useSetting<T>(select: (config: PublicConfig) => T): T | null {
  return useQuery({ ...SITE_CONFIG, select }).data ?? null;
}

export const useMarketSource = () => useSetting(({ market }) => market);

/** Whether news and community figures come from the real services or from the sandbox. */
export const useCommunityKind = () => useSetting(({ community }) => community);

export const usePaymentsKind = () => useSetting(({ payments }) => payments);

/** Whether Google and GitHub sign-in use the real providers. */
export const useProviderKinds = () => useSetting(({ providers }) => providers);

/** Whether each model can forecast. */
export const useModelStatuses = () => useSetting(({ models }) => models);

/** Two or three words on why a model cannot forecast; null if it can, or until known. */
export function unableReason(status: ModelStatus | null | undefined): string | null {
  if (status?.state === 'not-trained') return 'not trained yet';
  if (status?.state === 'disabled') return 'unavailable';
  return null;
}
