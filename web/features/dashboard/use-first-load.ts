/** The dashboard's first load: 'Loading…' while the session is fetched, then 'Done' or 'Failed', then the page. */
import { useEffect, useRef, useState } from 'react';
import { within } from '#domain/time/deadline.ts';
import { pageState } from '../../page-state.ts';
import { accessToken } from '../../session/session.ts';
import { toast } from '../../ui/overlay/toast.ts';

/** One toast, updated in place; the id also stops a second effect from adding another. */
const TOAST = { id: 'dashboard-load', isQuiet: true };

/** The page waits at most this long for what else it wants to know. */
const ALONGSIDE_MS = 1500;

/** Users whose first load is done; later visits of the page show no toast. */
const loaded = pageState(() => new Set<string>());

/**
 * @param alongside  loads what the page shows from its first moment; the same function at each call, and it never fails
 * @param isSettled  whether the page's layout is known; without it the page waits as long as for the rest, and no longer
 */
export function useFirstLoad(
  userId: string,
  alongside: (userId: string) => Promise<void>,
  isSettled: boolean,
): boolean {
  const [isReady, setReady] = useState(loaded().has(userId));
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ALONGSIDE_MS);
    return () => clearTimeout(timer);
  }, []);
  // A page that is shown stays, whatever loads again.
  const wasShown = useRef(false);
  wasShown.current ||= isReady && (isSettled || isLate);
  useEffect(() => {
    if (loaded().has(userId)) return setReady(true);
    let isCurrent = true;
    toast.loading('Loading…', TOAST);
    void Promise.all([accessToken(), within(alongside(userId), ALONGSIDE_MS)]).then(([token]) => {
      if (!isCurrent) return;
      loaded().add(userId);
      if (token === null) toast.error('Failed', TOAST);
      else toast.success('Done', TOAST);
      setReady(true);
    });
    return () => {
      isCurrent = false;
      toast.dismiss(TOAST.id);
    };
  }, [userId, alongside]);
  return wasShown.current;
}
