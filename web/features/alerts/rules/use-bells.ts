/** The bell beside saved predictions, for signed-in users; its code loads after the page. */
import { useEffect, useState } from 'react';
import type { BellOf } from './alert-bell.tsx';

/** Undefined for visitors, and until the code has loaded. */
export function useBells(userId: string | undefined): BellOf | undefined {
  const [bells, setBells] = useState<{ bellOf: BellOf }>();
  useEffect(() => {
    if (userId === undefined) return;
    import('./alert-bell.tsx').then(
      ({ bellsOf }) => setBells({ bellOf: bellsOf(userId) }),
      // Without its code there is no bell; the predictions still show.
      () => undefined,
    );
    return () => setBells(undefined);
  }, [userId]);
  return bells?.bellOf;
}
