/** Predictions left, for signed-in users without a free pass. A failure is told once and counts as none left. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Quota } from '#domain/forecast/quota.ts';
import { toast } from '../../ui/toast.ts';
import { fetchQuota } from './forecast-api.ts';

export interface QuotaState {
  quota: Quota | null;
  refetch(): void;
}

export function useQuota(userId: string | null, isAdmin: boolean): QuotaState {
  const isAsked = userId !== null && !isAdmin;
  const query = useQuery({ queryKey: ['quota', userId], queryFn: fetchQuota, enabled: isAsked, retry: false });
  const { error, errorUpdatedAt } = query;
  useEffect(() => {
    if (error !== null && errorUpdatedAt > 0) toast.error(error.message);
  }, [error, errorUpdatedAt]);
  const refetch = () => {
    if (isAsked) void query.refetch();
  };
  return { quota: query.isError ? null : (query.data ?? null), refetch };
}
