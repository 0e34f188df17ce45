/** Figures for cards and charts, counted by the server. */
import { useQuery } from '@tanstack/react-query';
import { fetchDayTotals, fetchQuotaPoints, fetchRenewals, fetchSummary } from './admin-api.ts';
import { useLoadToast } from './use-load-toast.ts';

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
    /** Refetches only failed queries. */
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
