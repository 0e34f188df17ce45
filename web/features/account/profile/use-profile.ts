import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../../platform/query-client.ts';
import { type Profile, profileKey } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { loadProfile } from './profile-api.ts';

/** Holds the id of the user whose profile changed, only long enough to notify other tabs. */
const CHANGED_KEY = 'profileChanged';

/** Refetches when the tab regains focus, as another device may have changed it, and after a change in another tab. */
export function useProfile(user: SessionUser) {
  const query = useQuery({
    queryKey: profileKey(user.id),
    queryFn: ({ signal }) => loadProfile(user, signal),
    refetchOnWindowFocus: 'always',
    // Reports offline like an unresponsive server; the library would wait without notice.
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

/** Shows the profile an update returned on every page, including those in other tabs. */
export function cacheProfile(userId: string, profile: Profile): void {
  queryClient.setQueryData(profileKey(userId), profile);
  // If it can't be stored, other tabs refetch when they regain focus.
  const changed = storedText('localStorage', CHANGED_KEY);
  changed.write(userId);
  changed.write(null);
}
