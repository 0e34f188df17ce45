/** Whether news and community figures come from the real services or from the sandbox. */
import { useQuery } from '@tanstack/react-query';
import { publicConfig } from '../platform/config.ts';

/** Null until known. */
export function useCommunityKind(): 'live' | 'simulated' | null {
  return useQuery({ queryKey: ['community-kind'], queryFn: async () => (await publicConfig()).community }).data ?? null;
}
