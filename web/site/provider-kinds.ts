/** Whether Google and GitHub sign-in use the real providers; fetched once per page load with the other settings. */
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';

/** Null until known, and if the settings cannot be read: the page then claims nothing. */
export function useProviderKinds(): PublicConfig['providers'] | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.providers ?? null;
}
