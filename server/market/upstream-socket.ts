/**
 * A WebSocket to a venue that keeps itself open: back after a drop with growing, jittered delays, and never fooled by
 * a connection that is only half there. Timers are monotonic: a moved clock must not make it reconnect.
 */
import WebSocket from 'ws';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import type { Logger } from '../platform/log.ts';

export interface SocketTiming {
  /** A connection that lived this long was good: the next delay is the first again. */
  stableMs: number;
  /** We ping this often. */
  pingMs: number;
  /** Neither message nor pong for this long: the connection is dead, whatever TCP says. */
  silenceMs: number;
  /** Pongs but no message for this long: the stream behind the connection is stuck. */
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

export interface UpstreamSocketOptions {
  url: string;
  log: Logger;
  /** Ends it for good. */
  signal: AbortSignal;
  onMessage(text: string): void;
  timing?: Partial<SocketTiming> | undefined;
}

const MAX_MESSAGE_BYTES = 1 << 20;

export function keepUpstreamSocket(options: UpstreamSocketOptions): void {
  const { url, log, signal, onMessage } = options;
  const timing = { ...TIMING, ...options.timing };
  let attempt = 0;

  function connect(): void {
    if (signal.aborted) return;
    const socket = new WebSocket(url, { handshakeTimeout: timing.handshakeMs, maxPayload: MAX_MESSAGE_BYTES });
    let openedAtMs = Number.POSITIVE_INFINITY;
    let frameAtMs = performance.now();
    let messageAtMs = performance.now();
    const stop = (): void => socket.terminate();

    const watch = setInterval(() => {
      const nowMs = performance.now();
      if (socket.readyState !== WebSocket.OPEN) return;
      if (nowMs - frameAtMs > timing.silenceMs || nowMs - messageAtMs > timing.stuckMs) {
        log.warn({ url, silentMs: Math.round(nowMs - messageAtMs) }, 'venue stream silent, reconnecting');
        // Not close(): that would wait for an answer from someone who has stopped answering.
        socket.terminate();
      } else socket.ping();
    }, timing.pingMs);

    socket.on('open', () => {
      openedAtMs = frameAtMs = messageAtMs = performance.now();
      log.info({ url, attempt }, 'venue stream open');
    });
    socket.on('message', (data) => {
      frameAtMs = messageAtMs = performance.now();
      onMessage(String(data));
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
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return;
      if (performance.now() - openedAtMs >= timing.stableMs) attempt = 0;
      const delayMs = timing.retryMs(attempt);
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
}
