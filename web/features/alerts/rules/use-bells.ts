/** The bell beside saved predictions, for signed-in users; its code loads after the page. */
import { useEffect, useState } from 'react';
import type { Bells } from './alert-bell.tsx';

/** Undefined for visitors, and until the code has loaded. */
export function useBells(userId: string | undefined): Bells | undefined {
  const [bells, setBells] = useState<Bells>();
  useEffect(() => {
    if (userId === undefined) return;
    import('./alert-bell.tsx').then(
      ({ bellsOf }) => setBells(bellsOf(userId)),
      // Without its code there is no bell; the predictions still show.
      () => undefined,
    );
    return () => setBells(undefined);
  }, [userId]);
  return bells;
}
