/** Reconnects with growing, jittered delays. Timers are monotonic: a changed wall clock must not cause a reconnect. */
import WebSocket from 'ws';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

export interface SocketTiming {
  /** A connection that lived this long was good: the next delay starts at the first again. */
  stableMs: number;
  pingMs: number;
  /** Neither message nor pong for this long: the connection is dead, whatever TCP says. */
  silenceMs: number;
  /** Pongs but no message for this long: the venue's stream is stuck. */
  stuckMs: number;
  handshakeMs: number;
  retryMs(attempt: number): number;
}

const TIMING: SocketTiming = {
  stableMs: 30_000,
  pingMs: 5000,
  silenceMs: 15_000,
  stuckMs: 60_000,
  handshakeMs: 10_000,
  retryMs: (attempt) => reconnectDelayMs(attempt, Math.random),
};

/** An application-level ping, for a venue that requires one. */
export interface KeepAlive {
  text: string;
  everyMs: number;
  /** Its answer proves that the server is there, not that its stream works. */
  isAnswer(text: string): boolean;
}

export interface UpstreamSocketOptions {
  url: string;
  log: Logger;
  signal: AbortSignal;
  onMessage(text: string): void;
  /** Sent first on every connection, in this order: subscriptions. A function builds signed ones each time. */
  greeting?: readonly string[] | (() => readonly string[]) | undefined;
  keepAlive?: KeepAlive | undefined;
  /** A connection ended or failed to open: the next one does not continue its messages. */
  onLost?: (() => void) | undefined;
  /** A longer message ends the connection. */
  maxMessageBytes?: number | undefined;
  timing?: Partial<SocketTiming> | undefined;
}

export interface UpstreamSocket {
  /** Replaces the connection; its remaining messages are ignored. @param afterMs  earliest time of the new one */
  reconnect(afterMs?: number): void;
  /** Sends on the open connection; does nothing without one. */
  send(text: string): void;
}

const MAX_MESSAGE_BYTES = 1 << 20;

export function openUpstreamSocket(options: UpstreamSocketOptions): UpstreamSocket {
  const { url, log, signal, onMessage, greeting = [], keepAlive, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const timing = { ...TIMING, ...options.timing };
  let attempt = 0;
  let current: WebSocket | null = null;
  let atLeastMs = 0;

  function connect(): void {
    if (signal.aborted) return;
    const socket = new WebSocket(url, { handshakeTimeout: timing.handshakeMs, maxPayload: maxMessageBytes });
    current = socket;
    let openedAtMs = Number.POSITIVE_INFINITY;
    let frameAtMs = performance.now();
    let messageAtMs = performance.now();
    const stop = (): void => socket.terminate();

    const watch = setInterval(() => {
      const nowMs = performance.now();
      if (socket.readyState !== WebSocket.OPEN) return;
      if (nowMs - frameAtMs > timing.silenceMs || nowMs - messageAtMs > timing.stuckMs) {
        log.warn({ url, silentMs: Math.round(nowMs - messageAtMs) }, 'venue stream unresponsive, reconnecting');
        // Not close(): that would wait for an answer from a server that has stopped answering.
        socket.terminate();
      } else socket.ping();
    }, timing.pingMs);
    const stayAlive = keepAlive && setInterval(() => send(keepAlive.text), keepAlive.everyMs);
    const send = (text: string): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    };

    socket.on('open', () => {
      openedAtMs = frameAtMs = messageAtMs = performance.now();
      for (const text of typeof greeting === 'function' ? greeting() : greeting) send(text);
      log.info({ url, attempt }, 'venue stream open');
    });
    socket.on('message', (data) => {
      if (current !== socket) return;
      const text = String(data);
      frameAtMs = performance.now();
      if (keepAlive?.isAnswer(text)) return;
      messageAtMs = frameAtMs;
      onMessage(text);
    });
    for (const sign of ['ping', 'pong'] as const) {
      socket.on(sign, () => {
        frameAtMs = performance.now();
      });
    }
    // 'close' always follows and does the work.
    socket.on('error', (error) => log.debug({ url, err: error }, 'venue stream error'));
    socket.on('close', () => {
      clearInterval(watch);
      clearInterval(stayAlive);
      signal.removeEventListener('abort', stop);
      current = null;
      if (signal.aborted) return;
      options.onLost?.();
      if (performance.now() - openedAtMs >= timing.stableMs) attempt = 0;
      const delayMs = Math.max(atLeastMs, timing.retryMs(attempt));
      atLeastMs = 0;
      attempt += 1;
      log.info({ url, delayMs: Math.round(delayMs) }, 'venue stream lost');
      scheduleConnect(delayMs);
    });
    signal.addEventListener('abort', stop, { once: true });
  }

  function scheduleConnect(delayMs: number): void {
    const cancel = (): void => clearTimeout(timer);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel);
      connect();
    }, delayMs);
    signal.addEventListener('abort', cancel, { once: true });
  }

  connect();
  return {
    send(text) {
      if (current?.readyState === WebSocket.OPEN) current.send(text);
    },
    reconnect(afterMs = 0) {
      if (current === null) return;
      atLeastMs = afterMs;
      const dropped = current;
      current = null;
      dropped.terminate();
    },
  };
}
