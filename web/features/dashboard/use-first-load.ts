/** The dashboard's first load: 'Loading…' while the session is fetched, then 'Done' or 'Failed', then the page. */
import { useEffect, useState } from 'react';
import { pageState } from '../../page-state.ts';
import { accessToken } from '../../session/session.ts';
import { toast } from '../../ui/overlay/toast.ts';

/** One toast, updated in place; the id also stops a second effect from adding another. */
const TOAST_ID = 'dashboard-load';

/** Users whose first load is done; later visits of the page show no toast. */
const loaded = pageState(() => new Set<string>());

export function useFirstLoad(userId: string): boolean {
  const [isReady, setReady] = useState(loaded().has(userId));
  useEffect(() => {
    if (loaded().has(userId)) return setReady(true);
    let isCurrent = true;
    toast.loading('Loading…', { id: TOAST_ID });
    void accessToken().then((token) => {
      if (!isCurrent) return;
      loaded().add(userId);
      if (token === null) toast.error('Failed', { id: TOAST_ID });
      else toast.success('Done', { id: TOAST_ID });
      setReady(true);
    });
    return () => {
      isCurrent = false;
      toast.dismiss(TOAST_ID);
    };
  }, [userId]);
  return isReady;
}
