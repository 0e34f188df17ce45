import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/overlay/toast.ts';
import { fetchDayTotals, fetchQuotaPoints, fetchRenewals, fetchSummary } from './admin-api.ts';

/** Queries to invalidate after subscriptions change. */
export const FIGURES_KEY = ['admin', 'figures'] as const;
const ALWAYS = { networkMode: 'always' } as const;

export function useUserFigures() {
  const summary = useQuery({
    queryKey: [...FIGURES_KEY, 'summary'],
    queryFn: ({ signal }) => fetchSummary(signal),
    ...ALWAYS,
  });
  const renewals = useQuery({
    queryKey: [...FIGURES_KEY, 'renewals'],
    queryFn: ({ signal }) => fetchRenewals(signal),
    ...ALWAYS,
  });
  return {
    summary: summary.data ?? null,
    renewals: renewals.data ?? null,
    hasFailed: summary.isError || renewals.isError,
    isFetching: summary.isFetching || renewals.isFetching,
    refetch: () => {
      for (const query of [summary, renewals]) if (query.isError) void query.refetch();
    },
  };
}

export function useQuotaPoints() {
  const query = useQuery({
    queryKey: [...FIGURES_KEY, 'scatter'],
    queryFn: ({ signal }) => fetchQuotaPoints(signal),
    ...ALWAYS,
  });
  useLoadToast(query, () => null);
  return query;
}

export function useDayTotals() {
  const query = useQuery({
    queryKey: [...FIGURES_KEY, 'days'],
    queryFn: ({ signal }) => fetchDayTotals(signal),
    ...ALWAYS,
  });
  useLoadToast(query, () => {
    const days = query.data?.length ?? 0;
    return days === 0
      ? { text: 'No prediction data found', isError: true }
      : { text: `Loaded ${days} days of prediction stats` };
  });
  return query;
}

interface Load {
  fetchStatus: 'fetching' | 'paused' | 'idle';
  isError: boolean;
  error: Error | null;
}

/** One toast when a load ends, not for its parts, nor for a load that ended earlier. @param done  null: no toast */
export function useLoadToast(load: Load, done: () => { text: string; isError?: boolean } | null): void {
  const { fetchStatus, isError, error } = load;
  const isLoading = useRef(false);
  const doneRef = useRef(done);
  doneRef.current = done;
  useEffect(() => {
    if (fetchStatus !== 'idle') {
      isLoading.current = true;
      return;
    }
    if (!isLoading.current) return;
    isLoading.current = false;
    if (isError) {
      if (error !== null) toast.error(error.message);
      return;
    }
    const report = doneRef.current();
    if (report === null) return;
    if (report.isError) toast.error(report.text);
    else toast.success(report.text, { isQuiet: true });
  }, [fetchStatus, isError, error]);
}
