/** Marks visible alerts as read. */
import { useEffect } from 'react';
import type { AlertList } from '#domain/alerts/alert.ts';
import { reportError } from '../../platform/error-log.ts';
import { queryClient } from '../../platform/query-client.ts';
import { alertsKey } from './alert-cache.ts';
import { readAlerts } from './alerts-api.ts';

/** Alerts scrolled past stay unread. */
const READING_MS = 1000;

/** @param root  element that contains the alerts */
export function useReadAlerts(root: { current: Element | null }, userId: string, { alerts, unread }: AlertList): void {
  const newest = alerts[0]?.id;
  useEffect(() => {
    const element = root.current;
    if (element === null || newest === undefined || unread === 0) return;
    let timer = 0;
    let isInSight = false;
    const look = () => {
      window.clearTimeout(timer);
      // No one sees a page in the background.
      if (isInSight && document.visibilityState === 'visible')
        timer = window.setTimeout(() => void tellRead(userId, newest), READING_MS);
    };
    const observer = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1)?.isIntersecting === true;
      look();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [root, userId, newest, unread]);
}

async function tellRead(userId: string, upTo: number): Promise<void> {
  try {
    await readAlerts(upTo);
  } catch (error) {
    // The alerts stay new here and on the server until a later view marks them read.
    reportError(error, { where: 'read alerts' });
    return;
  }
  queryClient.setQueryData<AlertList>(
    alertsKey(userId),
    (list) =>
      list && {
        ...list,
        alerts: list.alerts.map((alert) => (alert.id <= upTo ? { ...alert, isRead: true } : alert)),
        unread: list.alerts.filter(({ id, isRead }) => id > upTo && !isRead).length,
      },
  );
}
