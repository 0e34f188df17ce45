/** The tab's live connection, bound to the browser: one WebSocket to our own origin, shared by all widgets. */
import { pageState, timersUntil } from '../../page-state.ts';
import { createLiveSocket, type LiveSocket } from './live-socket.ts';

export const LIVE_PATH = '/market/ws';

interface LiveState {
  feed: LiveSocket | null;
  nowMs(): number;
  /** Aborted when the page ends. */
  ended: AbortController;
}

/** Tests set a fake connection and its clock here. */
export const liveState = pageState<LiveState>(
  () => ({ feed: null, nowMs: () => performance.now(), ended: new AbortController() }),
  ({ feed, ended }) => {
    ended.abort();
    feed?.setOnline(false);
  },
);

export function liveFeed(): LiveSocket {
  const page = liveState();
  page.feed ??= bindToBrowser(page.ended.signal);
  return page.feed;
}

/** Monotonic: the clock of all times that the live connection reports. */
export function liveNowMs(): number {
  return liveState().nowMs();
}

/** @param signal  aborted when the page ends: no timer outlives it */
function bindToBrowser(signal: AbortSignal): LiveSocket {
  const live = createLiveSocket({
    open(handlers) {
      const socket = new WebSocket(addressOf(window.location.href));
      socket.addEventListener('open', handlers.onOpen);
      socket.addEventListener('message', ({ data }) => handlers.onText(typeof data === 'string' ? data : ''));
      // An error is always followed by a close.
      socket.addEventListener('close', handlers.onClose);
      return { send: (text) => socket.send(text), close: () => socket.close() };
    },
    nowMs: liveNowMs,
    after: timersUntil(signal),
    random: Math.random,
  });
  document.addEventListener('visibilitychange', () => live.setHidden(document.hidden), { signal });
  window.addEventListener('online', () => live.setOnline(true), { signal });
  window.addEventListener('offline', () => live.setOnline(false), { signal });
  // A page in the back/forward cache may not hold a connection.
  window.addEventListener('pagehide', () => live.setOnline(false), { signal });
  window.addEventListener('pageshow', () => live.setOnline(navigator.onLine), { signal });
  if (!navigator.onLine) live.setOnline(false);
  if (document.hidden) live.setHidden(true);
  return live;
}

function addressOf(page: string): string {
  const url = new URL(LIVE_PATH, page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
