import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../platform/query-client.ts';
import { useDebounced } from '../../ui/browser/use-debounced.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { useLastData } from '../../ui/status/last-data.ts';
import {
  acknowledgeAlarm,
  fetchAudit,
  fetchErrorGroups,
  fetchErrorReports,
  fetchOperations,
} from './operations-api.ts';

export const REFRESH_MS = 15_000;
const CLOCK_MS = 5000;
const TYPING_MS = 300;

const STATE = ['operations', 'state'];
const AUDIT = ['operations', 'audit'];
const repeated = { refetchInterval: REFRESH_MS, staleTime: 0, refetchOnWindowFocus: true } as const;

export function useOperations() {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({ queryKey: STATE, queryFn: ({ signal }) => fetchOperations(signal), ...repeated });
  return { latest: useLastData(query, REFRESH_MS, nowMs), readAtMs: query.dataUpdatedAt, nowMs };
}

export function useAudit() {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({ queryKey: AUDIT, queryFn: ({ signal }) => fetchAudit(signal), ...repeated });
  return { latest: useLastData(query, REFRESH_MS, nowMs), nowMs };
}

/** @param search  as it is typed; queried once typing pauses */
export function useErrorGroups(search: string, hours: number) {
  const nowMs = useNow(CLOCK_MS);
  const wanted = useDebounced(search.trim(), TYPING_MS);
  const query = useQuery({
    queryKey: ['operations', 'errors', wanted, hours],
    queryFn: ({ signal }) => fetchErrorGroups(wanted, hours, signal),
    placeholderData: (before) => before,
    ...repeated,
  });
  return { latest: useLastData(query, REFRESH_MS, nowMs), isPrevious: query.isPlaceholderData, nowMs };
}

export function useErrorReports(fingerprint: string) {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['operations', 'reports', fingerprint],
    queryFn: ({ signal }) => fetchErrorReports(fingerprint, signal),
  });
  return { latest: useLastData(query, Number.POSITIVE_INFINITY, nowMs), nowMs };
}

export function useAcknowledge() {
  return useMutation({
    mutationFn: acknowledgeAlarm,
    onSuccess: () => void toast.success('Acknowledged'),
    onError: () => void toast.error('We couldn’t acknowledge the alarm'),
    onSettled: () => Promise.all([STATE, AUDIT].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
