/** A WebSocket client that only records what it receives, for tests of the messages on the wire. */
import WebSocket from 'ws';
import * as z from 'zod/mini';
import { WAIT_MS } from '../run/wait-limit.ts';

const messageSchema = z.record(z.string(), z.unknown());
export type RawMessage = z.output<typeof messageSchema>;

export interface RawSocket {
  /** JSON objects in order of arrival. */
  messages: RawMessage[];
  /** Messages that aren't JSON objects. */
  broken: string[];
  send(message: unknown): void;
  /** The first matching message from index `from` on. */
  received(matches: (message: RawMessage) => boolean, from?: number): Promise<RawMessage>;
  /** Resolves when the other side closes. */
  closed: Promise<void>;
  /** True if the other side answers in time. */
  ping(withinMs: number): Promise<boolean>;
  end(): void;
}

export async function openRawSocket(url: string): Promise<RawSocket> {
  const socket = new WebSocket(url);
  const messages: RawMessage[] = [];
  const broken: string[] = [];
  const listeners = new Set<() => void>();
  socket.on('message', (data) => {
    const text = String(data);
    try {
      messages.push(messageSchema.parse(JSON.parse(text)));
    } catch {
      // Recorded for tests of broken frames.
      broken.push(text);
    }
    for (const listener of listeners) listener();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  return {
    messages,
    broken,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    received: (matches, from = 0) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(check);
          const last = JSON.stringify(messages.slice(-3)).slice(0, 500);
          reject(new Error(`not heard; ${messages.length} messages, the last: ${last}`));
        }, WAIT_MS);
        function check(): void {
          const found = messages.slice(from).find(matches);
          if (found === undefined) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve(found);
        }
        listeners.add(check);
        check();
      }),
    ping: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        socket.once('pong', () => {
          clearTimeout(timer);
          resolve(true);
        });
        socket.ping();
      }),
    end: () => socket.terminate(),
  };
}
