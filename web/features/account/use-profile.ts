/** The signed-in user's own profile as the account pages show and change it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { type Profile, profileKey } from '../../session/profile.ts';
import type { SessionUser } from '../../session/session.ts';
import { toast } from '../../ui/toast.ts';
import { loadProfile } from './profile-api.ts';

/** Read again whenever the tab is looked at again: another tab, or another device, may have changed it. */
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
  const { data, refetch, isFetching } = query;
  return { profile: data ?? null, hasFailed, isFetching, retry: () => void refetch() };
}

/** What an update answered is what every page shows from now on. */
export function keepProfile(userId: string, profile: Profile): void {
  queryClient.setQueryData(profileKey(userId), profile);
}
