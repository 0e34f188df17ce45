/** A forecast that is requested outside the prediction panel. Without a panel on the page, the request waits for one. */
import { useEffect, useRef } from 'react';
import { pageState } from '../page-state.ts';

/** A forgotten request must not run a forecast that the user no longer expects. */
const WAIT_MS = 30_000;

interface RequestState {
  untilMs: number;
  listeners: Set<() => void>;
}

const state = pageState<RequestState>(() => ({ untilMs: 0, listeners: new Set() }));

export function requestForecast(): void {
  const page = state();
  page.untilMs = performance.now() + WAIT_MS;
  for (const listener of page.listeners) listener();
}

/** Handles each request once, and one that was already waiting. */
export function useForecastRequest(handle: () => void): void {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => {
    const page = state();
    const take = () => {
      const isWaiting = page.untilMs > performance.now();
      page.untilMs = 0;
      if (isWaiting) latest.current();
    };
    page.listeners.add(take);
    take();
    return () => void page.listeners.delete(take);
  }, []);
}
