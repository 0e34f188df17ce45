/**
 * Once a minute with rules, every five minutes without. One window polls at a time, and each alert shows in one only.
 */
import type { Alert, AlertList } from '#domain/alerts/alert.ts';
import { pause } from '#domain/time/deadline.ts';
import { reportError } from '../../platform/error-log.ts';
import { storedText } from '../../ui/browser/stored-value.ts';
import { cacheAlerts, RULES_EVENT } from './alert-cache.ts';
import { fetchAlerts } from './alerts-api.ts';

const POLL_MS = 60_000;
/** A rule may be created on another device. */
const POLL_WITHOUT_RULES_MS = 5 * 60_000;
const LONGEST_MS = 15 * 60_000;
/** By then the release has passed: its alert is in the list only. */
const RELEASE_NEWS_MS = 5 * 60_000;
const LOCK = 'kat-alerts';
/**
 * '<user> <id>' of the newest alert shown here; if it can't be stored, unread alerts show again on the next page load.
 */
const shownLast = storedText('localStorage', 'alertsShown');

export function watchAlerts(userId: string): () => void {
  const over = new AbortController();
  /** Null while the page is hidden. */
  let turn: AbortController | null = null;
  let newest: number | null = null;
  let nextMs = 0;
  let failures = 0;

  const poll = async (signal: AbortSignal): Promise<void> => {
    try {
      const list = await fetchAlerts(newest, signal);
      if (signal.aborted) return;
      cacheAlerts(userId, list, newest === null);
      newest = Math.max(newest ?? 0, ...list.alerts.map(({ id }) => id));
      failures = 0;
      nextMs = Date.now() + (list.rules.length === 0 ? POLL_WITHOUT_RULES_MS : POLL_MS);
      show(userId, list);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      nextMs = Date.now() + Math.min(LONGEST_MS, POLL_MS * 2 ** failures);
      // Reported once per outage, however long it lasts.
      if (failures === 1) reportError(error, { where: 'new alerts' });
    }
  };
  const pollRepeatedly = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      if (nextMs <= Date.now()) await poll(signal);
      else await pause(nextMs - Date.now(), signal).catch(() => undefined);
    }
  };
  const updatePolling = () => {
    if (document.visibilityState !== 'visible') {
      turn?.abort();
      turn = null;
    } else if (turn === null) {
      turn = new AbortController();
      void withLock(turn.signal, pollRepeatedly);
    }
  };
  const restartPolling = () => {
    nextMs = 0;
    turn?.abort();
    turn = null;
    updatePolling();
  };

  document.addEventListener('visibilitychange', updatePolling, { signal: over.signal });
  window.addEventListener(RULES_EVENT, restartPolling, { signal: over.signal });
  updatePolling();
  return () => {
    over.abort();
    turn?.abort();
  };
}

/** Runs in one window at a time; in browsers without locks, every window runs. */
async function withLock(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work(signal);
  try {
    await navigator.locks.request(LOCK, { signal }, () => work(signal));
  } catch (error) {
    // The page was left before this window got the lock.
    if (!signal.aborted) throw error;
  }
}

function show(userId: string, { alerts }: AlertList): void {
  const shown = shownTo(userId);
  const fresh = alerts.filter((alert) => alert.id > shown && !alert.isRead && isNews(alert));
  const [first] = fresh;
  if (first === undefined) return;
  shownLast.write(`${userId} ${first.id}`);
  import('./alert-toasts.tsx').then(
    ({ showAlerts }) => showAlerts(fresh),
    // Without the toasts' code, the alerts stay unread in the track record's list.
    () => undefined,
  );
}

function isNews({ facts, madeAt }: Alert): boolean {
  return facts.kind !== 'release-due' || Date.now() - Date.parse(madeAt) < RELEASE_NEWS_MS;
}

function shownTo(userId: string): number {
  const [who, id = ''] = (shownLast.read() ?? '').split(' ');
  return who === userId ? Number(id) || 0 : 0;
}
