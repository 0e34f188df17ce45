/** Sessions and events as the widgets show them: the last ones that arrived stay while newer ones do not. */
import { useQuery } from '@tanstack/react-query';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { type Kept, useKept } from '../../ui/status/kept.ts';
import { fetchEvents, fetchSessions, type KnownEvents } from './market-clock-api.ts';

/** Specification 2, section 4.6. */
export const CLOCK_MS = 30_000;
/** A session opens and closes on the hour: half a minute late at most, and as long again in caches on the way. */
const SESSIONS_MS = 30_000;
/** Specification 2, section 9: market data. */
const EVENTS_MS = 240_000;

export function useSessions(nowMs: number): Kept<TradingSession[]> {
  const query = useQuery({
    queryKey: ['trading-sessions'],
    queryFn: ({ signal }) => fetchSessions(signal),
    refetchInterval: SESSIONS_MS,
  });
  return useKept(query, SESSIONS_MS, nowMs);
}

export function useEvents(nowMs: number): Kept<KnownEvents> {
  const query = useQuery({
    queryKey: ['market-events'],
    queryFn: ({ signal }) => fetchEvents(signal),
    // What is missing may come any minute; what is there changes once an hour.
    refetchInterval: ({ state }) => (state.data?.note == null ? EVENTS_MS : CLOCK_MS),
  });
  return useKept(query, EVENTS_MS, nowMs);
}
