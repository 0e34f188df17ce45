/** Shows one toast when a load ends: none for each of its parts, and none for a load that ended earlier. */
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/overlay/toast.ts';

export interface Load {
  fetchStatus: 'fetching' | 'paused' | 'idle';
  isError: boolean;
  error: Error | null;
}

/** @param done  toast for a successful load; null: none */
export function useLoadToast(load: Load, done: () => { text: string; isError?: boolean } | null): void {
  const { fetchStatus, isError, error } = load;
  const isLoading = useRef(false);
  const doneRef = useRef(done);
  doneRef.current = done;
  useEffect(() => {
    if (fetchStatus !== 'idle') {
      isLoading.current = true;
      return;
    }
    if (!isLoading.current) return;
    isLoading.current = false;
    if (isError) {
      if (error !== null) toast.error(error.message);
      return;
    }
    const said = doneRef.current();
    if (said === null) return;
    if (said.isError) toast.error(said.text);
    else toast.success(said.text);
  }, [fetchStatus, isError, error]);
}
