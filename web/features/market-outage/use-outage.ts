import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reportMarketReturn, useFeedStates } from '../../site/market-feeds.ts';
import { findOutage, type Outage } from './market-outage-api.ts';

const CHECK_MS = 12_000;
/** Where nothing on the screen would notice an outage: on phones, whose order book is in another tab. */
const IDLE_CHECK_MS = 60_000;
/** All pages notice an outage at the same time; this spreads their checks. */
const SPREAD_MS = 6000;

export interface OutageState {
  outage: Outage | null;
  /** After `check`, until its answer. */
  isChecking: boolean;
  check(): void;
}

interface Found {
  outage: Outage | null;
  /** Checks in a row that found one. */
  times: number;
}

const NONE: Found = { outage: null, times: 0 };

/**
 * An outage starts when a part of the page fails, no live price arrives and the server reports no current prices. Once
 * it has some again, everything that failed loads.
 */
export function useOutage(): OutageState {
  const feeds = useFeedStates();
  const queries = useQueryClient();
  const [found, setFound] = useState(NONE);
  const [isChecking, setChecking] = useState(false);
  const [round, setRound] = useState(0);
  const wasOut = useRef(false);
  /** Until the first urgent check. */
  const firstMs = useRef(0);
  const isLive = feeds.book === 'current' || feeds.price === 'current';
  // A single check may fail while a phone wakes up. What was shown stays until a check finds that it has ended: the part
  // that noticed it may leave the screen before.
  const hasFailed = wasOut.current || Object.values(feeds).includes('failing') || found.times > 1;
  const outage = hasFailed && !isLive ? found.outage : null;
  wasOut.current ||= outage !== null;
  const isUrgent = hasFailed || found.times > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` checks immediately
  useEffect(() => {
    if (isLive && !isUrgent) return;
    const abort = new AbortController();
    let timer = 0;
    const checkAfter = (ms: number) => {
      timer = window.setTimeout(() => void check(), ms);
    };
    const check = async () => {
      if (!document.hidden) await checkNow().catch(() => undefined);
      if (!abort.signal.aborted) checkAfter((isUrgent ? CHECK_MS : IDLE_CHECK_MS) + Math.random() * SPREAD_MS);
    };
    const checkNow = async () => {
      const now = await findOutage(abort.signal);
      // It was the first that failed: an immediate second one would fail for the same reason.
      if (now !== null && !isUrgent) firstMs.current = CHECK_MS;
      setFound(({ times }) => (now === null ? NONE : { outage: now, times: times + 1 }));
      setChecking(false);
      if (now !== null || !wasOut.current) return;
      wasOut.current = false;
      reportMarketReturn();
      void queries.invalidateQueries();
    };
    checkAfter(isUrgent ? firstMs.current : IDLE_CHECK_MS);
    firstMs.current = 0;
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [isUrgent, isLive, round, queries]);

  return {
    outage,
    isChecking,
    check: () => {
      setChecking(true);
      setRound((n) => n + 1);
      void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    },
  };
}
