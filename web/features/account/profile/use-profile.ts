/** The signed-in user's own profile as the account pages show and change it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../../platform/query-client.ts';
import { type Profile, profileKey } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { loadProfile } from './profile-api.ts';

/** Names, for the moment of being told, whose profile was changed. Nothing stays in the storage. */
const CHANGED_KEY = 'profileChanged';

/**
 * Read again whenever the tab is looked at again, for another device may have changed it; and at once when another tab
 * has: both may be in sight, side by side.
 */
export function useProfile(user: SessionUser) {
  const query = useQuery({
    queryKey: profileKey(user.id),
    queryFn: ({ signal }) => loadProfile(user, signal),
    refetchOnWindowFocus: 'always',
    // Offline is told like a server that does not answer; the library would wait without a word.
    networkMode: 'always',
  });
  const hasFailed = query.isError && query.data === undefined;
  useEffect(() => {
    if (hasFailed) toast.error('Failed to load profile');
  }, [hasFailed]);
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === CHANGED_KEY && newValue === user.id)
        void queryClient.invalidateQueries({ queryKey: profileKey(user.id) });
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [user.id]);
  const { data, refetch, isFetching } = query;
  return { profile: data ?? null, hasFailed, isFetching, retry: () => void refetch() };
}

/** What an update answered is what every page shows from now on, those of other tabs included. */
export function keepProfile(userId: string, profile: Profile): void {
  queryClient.setQueryData(profileKey(userId), profile);
  try {
    window.localStorage.setItem(CHANGED_KEY, userId);
    window.localStorage.removeItem(CHANGED_KEY);
  } catch {
    // Blocked or full storage: other tabs read it when they are looked at again.
  }
}
