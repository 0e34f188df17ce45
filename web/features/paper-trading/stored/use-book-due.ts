/** Whether the code of closed trades is needed: nothing else of /kat waits for it. */
import { useEffect, useState } from 'react';
import { useSession } from '../../../session/session.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';

/** Where this browser has trades; local-trades.ts reads them. */
export const LOCAL_TRADES_KEY = 'kat-paper-trades';
/** An account may have some; they load after what its user came for. */
const ACCOUNT_WAIT_MS = 3000;

const stored = storedText('localStorage', LOCAL_TRADES_KEY);

/** @param isRequested  the user trades, or opens the list. Once due it stays so */
export function useIsBookDue(isRequested: boolean): boolean {
  const [isDue, setDue] = useState(() => stored.read() !== null);
  const isSignedIn = useSession().user !== null;
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(setDue, ACCOUNT_WAIT_MS, true);
    return () => clearTimeout(timer);
  }, [isSignedIn]);
  if (isRequested && !isDue) setDue(true);
  return isDue || isRequested;
}
