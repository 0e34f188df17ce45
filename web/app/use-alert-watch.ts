/** Shows new alerts at the corner of the page while a user is signed in. Its code loads when the page is idle. */
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';
import { whenIdle } from '../ui/browser/when-idle.ts';

/** @param isOn  false on pages without a place for alerts */
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
        // Without its code no alerts show here; the list on the track record has them all.
        () => undefined,
      );
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [userId, isOn]);
}
