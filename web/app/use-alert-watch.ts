/** While somebody is signed in, new alerts show at the corner of the page. What asks comes once the page has nothing else to do. */
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';
import { whenIdle } from '../ui/browser/when-idle.ts';

/** @param isOn  false where the page has no corner for them */
export function useAlertWatch(isOn: boolean): void {
  const userId = useSession().user?.id;
  useEffect(() => {
    if (userId === undefined || !isOn) return;
    let isOver = false;
    let stop = whenIdle(() => {
      import('../features/alerts/watch-alerts.ts').then(
        ({ watchAlerts }) => {
          if (!isOver) stop = watchAlerts(userId);
        },
        // Without its code nothing is told here; the list on the track record has it all.
        () => undefined,
      );
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [userId, isOn]);
}
