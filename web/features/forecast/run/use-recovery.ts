/** Recovers, once when the panel opens, a forecast that a closed tab or crashed browser left unsaved. */
import { useEffect, useRef } from 'react';
import { type Recovered, type RecoveryPorts, recoverLast } from './recovery.ts';

export interface UseRecoveryOptions {
  userId: string;
  /** False until it is known whether there can be any, and for users without any. */
  isEnabled: boolean;
  ports: RecoveryPorts;
  onRecovered: (recovered: Recovered) => void;
}

export function useRecovery(options: UseRecoveryOptions): void {
  const { userId, isEnabled } = options;
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (!isEnabled) return;
    const abort = new AbortController();
    void recoverLast(userId, latest.current.ports, abort.signal).then((recovered) => {
      if (recovered !== null && !abort.signal.aborted) latest.current.onRecovered(recovered);
    });
    return () => abort.abort();
  }, [userId, isEnabled]);
}
