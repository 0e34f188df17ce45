/** The bell beside saved predictions, for whoever is signed in; its code comes once the page is there. */
import { useEffect, useState } from 'react';
import type { BellOf } from './alert-bell.tsx';

/** Undefined for visitors, and until the code is there. */
export function useBells(userId: string | undefined): BellOf | undefined {
  const [bells, setBells] = useState<{ bellOf: BellOf }>();
  useEffect(() => {
    if (userId === undefined) return;
    import('./alert-bell.tsx').then(
      ({ bellsOf }) => setBells({ bellOf: bellsOf(userId) }),
      // Without its code there is no bell, and the predictions stand there all the same.
      () => undefined,
    );
    return () => setBells(undefined);
  }, [userId]);
  return bells?.bellOf;
}
