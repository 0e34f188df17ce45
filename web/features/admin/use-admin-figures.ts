/**
 * Figures for cards and charts: from the rows while all users are loaded, counted by the server where there are more.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { renewals } from '#domain/admin/renewals.ts';
import { summarise } from '#domain/admin/summary.ts';
import { type AdminSettings, fetchDayTotals, fetchQuotaPoints, fetchRenewals, fetchSummary } from './admin-api.ts';
import { useLoadToast } from './use-load-toast.ts';
import type { useLoadedUsers } from './users/use-loaded-users.ts';

/** Queries to invalidate after subscriptions change. */
export const FIGURES_KEY = ['admin', 'figures'] as const;
const ALWAYS = { networkMode: 'always' } as const;

export function useUserFigures(
  settings: AdminSettings | undefined,
  { data, hasAll }: ReturnType<typeof useLoadedUsers>,
  nowMs: number,
) {
  const counted = useMemo(() => {
    if (!hasAll || data === undefined || settings === undefined) return null;
    const { prices } = settings;
    return { summary: summarise(data.users, prices, nowMs), renewals: renewals(data.users, prices, nowMs) };
  }, [hasAll, data, settings, nowMs]);
  const isAsked = !hasAll;
  const summary = useQuery({
    queryKey: [...FIGURES_KEY, 'summary'],
    queryFn: ({ signal }) => fetchSummary(signal),
    enabled: isAsked,
    ...ALWAYS,
  });
  const ahead = useQuery({
    queryKey: [...FIGURES_KEY, 'renewals'],
    queryFn: ({ signal }) => fetchRenewals(signal),
    enabled: isAsked,
    ...ALWAYS,
  });
  return {
    summary: counted?.summary ?? summary.data ?? null,
    renewals: counted?.renewals ?? ahead.data ?? null,
    hasFailed: isAsked && (summary.isError || ahead.isError),
    isFetching: summary.isFetching || ahead.isFetching,
    /** Refetches only failed queries. */
    refetch: () => {
      for (const query of [summary, ahead]) if (query.isError) void query.refetch();
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
