/** Whether news and community figures are the services' own or the sandbox's. */
import { useQuery } from '@tanstack/react-query';
import { publicConfig } from '../platform/config.ts';

/** Null while it is not known. */
export function useCommunityKind(): 'live' | 'simulated' | null {
  return useQuery({ queryKey: ['community-kind'], queryFn: async () => (await publicConfig()).community }).data ?? null;
}
