/** Sessions and events as the widgets show them: the last ones stay until newer ones arrive. */
import { useQuery } from '@tanstack/react-query';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { fetchEvents, fetchSessions, type KnownEvents } from './market-clock-api.ts';

/** Interval of the clock (R-CALENDAR-4). */
export const CLOCK_MS = 30_000;
/** Sessions change on the hour: shown at most half a minute late, plus as long again in caches. */
const SESSIONS_MS = 30_000;
/** Like all market data (R-MARKET-4). */
const EVENTS_MS = 240_000;

export function useSessions(nowMs: number): LastData<TradingSession[]> {
  const query = useQuery({
    queryKey: ['trading-sessions'],
    queryFn: ({ signal }) => fetchSessions(signal),
    refetchInterval: SESSIONS_MS,
  });
  return useLastData(query, SESSIONS_MS, nowMs);
}

export function useEvents(nowMs: number): LastData<KnownEvents> {
  const query = useQuery({
    queryKey: ['market-events'],
    queryFn: ({ signal }) => fetchEvents(signal),
    // Missing data may arrive any minute; complete data changes once an hour.
    refetchInterval: ({ state }) => (state.data?.note == null ? EVENTS_MS : CLOCK_MS),
  });
  return useLastData(query, EVENTS_MS, nowMs);
}
