/** The query of the signed-in user's profile, shared by all who show it; visitors send no request. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { retryInterval } from '../platform/query-client.ts';
import { setProfileZone } from '../ui/browser/time-zone.ts';
import type { Profile } from './profile.ts';
import { type SessionUser, useSession } from './session.ts';

/** The code that reads and checks the row loads only if there is a row. The key is `profileKey`'s. */
export function profileQuery(user: SessionUser | null) {
  const id = user?.id ?? '';
  return {
    queryKey: ['profile', id],
    queryFn: async (): Promise<Profile | null> => {
      const { fetchProfile } = await import('./profile.ts');
      return fetchProfile({ id, email: user?.email ?? null, fullName: user?.fullName ?? null });
    },
    enabled: user !== null,
    refetchInterval: retryInterval,
  };
}

export function useProfileZone(): void {
  const { initialized, user } = useSession();
  const { data } = useQuery(profileQuery(user));
  useEffect(() => {
    if (!initialized) return;
    if (user === null) setProfileZone(null);
    // If the profile could not be read, the last zone stays.
    else if (data !== undefined) setProfileZone(data?.timezone || null);
  }, [initialized, user, data]);
}
