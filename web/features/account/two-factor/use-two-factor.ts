import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../../platform/query-client.ts';
import { profileKey } from '../../../session/profile.ts';
import { refetchDevices } from '../devices/use-devices.ts';
import { fetchApps, fetchCodesLeft } from './two-factor-api.ts';

const appsKey = (userId: string) => ['second-factors', userId];
const codesKey = (userId: string) => ['recovery-codes', userId];

export function useTwoFactor(userId: string) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: appsKey(userId),
    queryFn: fetchApps,
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });
  return {
    apps: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
  };
}

/** Only for an account with an app: for others the server returns nothing. */
export function useCodesLeft(userId: string) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: codesKey(userId),
    queryFn: ({ signal }) => fetchCodesLeft(signal),
    networkMode: 'always',
  });
  return {
    left: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
  };
}

/** Refetches after an app was added or removed: the profile shows it too, and the server has ended sessions. */
export async function refetchTwoFactor(userId: string): Promise<void> {
  refetchDevices(userId);
  refetchCodes(userId);
  void queryClient.invalidateQueries({ queryKey: profileKey(userId) });
  await queryClient.invalidateQueries({ queryKey: appsKey(userId) });
}

export function refetchCodes(userId: string): void {
  void queryClient.invalidateQueries({ queryKey: codesKey(userId) });
}
