/** The user's latest alerts, newest first; marked read once they were on screen. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ALERTS_SHOWN, type Alert, type AlertList } from '#domain/alerts/alert.ts';
import { describeAlert, placeName } from '#domain/alerts/alert-messages.ts';
import { reportError } from '../../platform/error-log.ts';
import { queryClient } from '../../platform/query-client.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Age } from '../../ui/status/age.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { alertsKey } from './alert-cache.ts';
import { readAlerts } from './alerts-api.ts';
import styles from './latest-alerts.module.css';
import { useAlertRules } from './use-alerts.ts';

const SHOWN_AT_FIRST = 6;

export function LatestAlerts({ userId, list }: { userId: string; list: AlertList }) {
  const { alerts, rules } = list;
  const [isWhole, setWhole] = useState(false);
  const root = useRef<HTMLElement>(null);
  const fresh = useFresh(alerts);
  useReadAlerts(root, userId, list);
  const { set, failure } = useAlertRules(userId);
  const turnOn = () => {
    set({ kind: 'prediction-resolved', predictionId: null, sym: null }, { byMail: false, byPush: false });
    // The button is about to be replaced.
    root.current?.focus();
  };
  const shown = isWhole ? alerts : alerts.slice(0, SHOWN_AT_FIRST);
  return (
    <section ref={root} tabIndex={-1} className={styles.latest} aria-labelledby="latest-alerts">
      <h3 id="latest-alerts" className="size-14 weight-600">
        Latest alerts
      </h3>
      {alerts.length === 0 ? (
        <div className={styles.empty}>
          <EmptyState
            title="No alerts yet"
            text={rules.length === 0 ? 'Turn one on, and its alerts appear here.' : 'Your alerts appear here.'}
            action={
              rules.length === 0 ? (
                <Button onClick={turnOn}>Alert me when an outcome is known</Button>
              ) : (
                <LinkButton to="/kat">Open the chart</LinkButton>
              )
            }
          />
        </div>
      ) : (
        <ol className={styles.list}>
          {shown.map((alert) => (
            <Row key={alert.id} alert={alert} isNew={fresh.has(alert.id)} />
          ))}
        </ol>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
      {shown.length < alerts.length && (
        <Button variant="quiet" size="small" className={styles.more} onClick={() => setWhole(true)}>
          {alerts.length < ALERTS_SHOWN ? `Show all ${alerts.length}` : `Show the last ${ALERTS_SHOWN}`}
        </Button>
      )}
    </section>
  );
}

function Row({ alert: { facts, madeAt }, isNew }: { alert: Alert; isNew: boolean }) {
  const { title, text, path } = describeAlert(facts);
  return (
    <li className={styles.alert}>
      <p className={styles.title}>
        <span>{title}</span>
        {isNew && <Badge tone="info">new</Badge>}
        <Age createdAt={madeAt} smallest="m" />
      </p>
      <p className="muted">{text}</p>
      <Link to={path} className={styles.link}>
        {placeName(path)}
      </Link>
    </li>
  );
}

/** Alerts that were unread when first shown keep their mark while the page is open. */
function useFresh(alerts: readonly Alert[]): ReadonlySet<number> {
  const fresh = useRef(new Set<number>());
  for (const { id, isRead } of alerts) if (!isRead) fresh.current.add(id);
  return fresh.current;
}

/** Alerts scrolled past stay unread. */
const READING_MS = 1000;

function useReadAlerts(root: { current: Element | null }, userId: string, { alerts, unread }: AlertList): void {
  const newest = alerts[0]?.id;
  useEffect(() => {
    const element = root.current;
    if (element === null || newest === undefined || unread === 0) return;
    let timer = 0;
    let isInSight = false;
    const restartTimer = () => {
      window.clearTimeout(timer);
      // No one sees a page in the background.
      if (isInSight && document.visibilityState === 'visible')
        timer = window.setTimeout(() => void markRead(userId, newest), READING_MS);
    };
    const observer = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1)?.isIntersecting === true;
      restartTimer();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', restartTimer);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', restartTimer);
    };
  }, [root, userId, newest, unread]);
}

async function markRead(userId: string, upTo: number): Promise<void> {
  try {
    await readAlerts(upTo);
  } catch (error) {
    // The alerts stay new here and on the server until a later view marks them read.
    reportError(error, { where: 'mark alerts as read' });
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
