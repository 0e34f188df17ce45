/** Who answers when somebody signs in through Google or GitHub: asked once a page load, with the other settings. */
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';

/** Null while it is not known, and when the settings cannot be read: then nothing is claimed. */
export function useProviderKinds(): PublicConfig['providers'] | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.providers ?? null;
}
