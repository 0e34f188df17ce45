/** Applies the profile's time zone on every page while a user is signed in. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setProfileZone } from '../ui/browser/time-zone.ts';
import { profileQuery } from './profile-query.ts';
import { useSession } from './session.ts';

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
