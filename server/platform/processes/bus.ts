/**
 * Messages between server processes, by subject: within this process only, or over NATS. For live data: messages sent
 * without a subscriber or while the broker was unavailable are lost. A reader must therefore detect gaps, and a
 * requester must manage without an answer. See docs/decisions/041-many-processes.md.
 */

import { unlessAborted, within } from '#domain/time/deadline.ts';
import type { Logger } from '../telemetry/log.ts';

/** JSON, or raw bytes. The receiver gets a copy, never the sender's object. */
export type BusMessage = unknown;

export type BusHandler = (message: BusMessage) => void;

export interface BusState {
  kind: 'in-process' | 'nats';
  isConnected: boolean;
  /** When the connection was lost, in epoch milliseconds; null while connected. */
  lostSinceMs: number | null;
  reconnects: number;
  sent: number;
  received: number;
  /** Not sent: no connection, too much unsent data, or too large. */
  dropped: number;
  /** Messages that could not be read, and handlers that failed. */
  failed: number;
}

export interface Bus {
  /** Whether there may be other processes at all. */
  readonly kind: BusState['kind'];
  /** To all current subscribers, this process included. Never throws; returns false when the message was dropped. */
  publish(subject: string, message: BusMessage): boolean;
  /** Delivers in each publisher's order, never during a publisher's call. @returns a function that unsubscribes */
  subscribe(subject: string, handler: BusHandler): () => void;
  /**
   * With several responders, the first answer counts. @throws NoAnswer when there is none, it fails or it is too late
   */
  request(
    subject: string,
    message: BusMessage,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<BusMessage>;
  /** If the handler throws, the requester gets NoAnswer. @returns a function that stops it */
  answer(subject: string, handler: (message: BusMessage) => Promise<BusMessage>): () => void;
  state(): BusState;
  close(): Promise<void>;
}

/** The broker's own limit is a megabyte. */
export const MAX_MESSAGE_BYTES = 1_000_000;
const SUBJECT = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const BYTES = 0;
const JSON_TEXT = 1;
const decoder = new TextDecoder();

export function isSubject(subject: string): boolean {
  return SUBJECT.test(subject);
}

/** @returns null for a message that is too large or not serializable */
export function encodeMessage(message: BusMessage): Uint8Array | null {
  try {
    const text = message instanceof Uint8Array ? null : JSON.stringify(message);
    if (text === undefined) return null;
    const body = text === null && message instanceof Uint8Array ? message : Buffer.from(text ?? '');
    if (body.byteLength >= MAX_MESSAGE_BYTES) return null;
    const bytes = new Uint8Array(body.byteLength + 1);
    bytes[0] = text === null ? BYTES : JSON_TEXT;
    bytes.set(body, 1);
    return bytes;
  } catch {
    // A cycle or a bigint, which the null reports.
    return null;
  }
}

/** @throws SyntaxError for bytes that no Kat process sent */
export function decodeMessage(bytes: Uint8Array): BusMessage {
  const body = bytes.subarray(1);
  if (bytes[0] === BYTES) return Uint8Array.from(body);
  if (bytes[0] !== JSON_TEXT) throw new SyntaxError('unknown kind of message');
  return JSON.parse(decoder.decode(body));
}

export async function encodeAnswer(answering: Promise<BusMessage>): Promise<Uint8Array> {
  const answer = await answering.then(
    (ok) => encodeMessage({ ok }),
    // The responder logs its own faults.
    () => null,
  );
  return answer ?? Uint8Array.of(JSON_TEXT, ...Buffer.from('{}'));
}

/** @throws NoAnswer */
export function decodeAnswer(bytes: Uint8Array): BusMessage {
  const answer = decodeMessage(bytes);
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer.ok;
  throw new NoAnswer('the responding process failed');
}

/** A failed request. Never shown to users, because the requester can manage without an answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export function openInProcessBus({ log }: { log: Logger }): Bus {
  const handlers = new Map<string, Set<BusHandler>>();
  const answers = new Map<string, Set<(message: BusMessage) => Promise<BusMessage>>>();
  const counted = { sent: 0, received: 0, dropped: 0, failed: 0 };
  let isClosed = false;

  function deliver(subject: string, bytes: Uint8Array): void {
    for (const handler of [...(handlers.get(subject) ?? [])]) {
      counted.received += 1;
      try {
        handler(decodeMessage(bytes));
      } catch (error) {
        counted.failed += 1;
        log.error({ err: error, subject }, 'a message from another process could not be handled');
      }
    }
  }

  return {
    kind: 'in-process',
    publish(subject, message) {
      const bytes = isSubject(subject) ? encodeMessage(message) : null;
      if (bytes === null || isClosed) {
        counted.dropped += 1;
        return false;
      }
      counted.sent += 1;
      if (handlers.has(subject)) setImmediate(deliver, subject, bytes);
      return true;
    },
    subscribe: (subject, handler) => addHandler(handlers, subject, handler),
    async request(subject, message, { timeoutMs, signal }) {
      const [answer] = answers.get(subject) ?? [];
      const bytes = encodeMessage(message);
      if (answer === undefined || bytes === null || isClosed) throw new NoAnswer('no process responded');
      const encoded = encodeAnswer(answer(decodeMessage(bytes)));
      const reply = signal === undefined ? encoded : unlessAborted(encoded, signal);
      return decodeAnswer(
        await within(reply, timeoutMs, () => {
          throw new NoAnswer('timed out');
        }),
      );
    },
    answer: (subject, handler) => addHandler(answers, subject, handler),
    state: () => ({ kind: 'in-process', isConnected: !isClosed, lostSinceMs: null, reconnects: 0, ...counted }),
    async close() {
      isClosed = true;
      handlers.clear();
      answers.clear();
    },
  };
}

function addHandler<T>(all: Map<string, Set<T>>, subject: string, one: T): () => void {
  const of = all.get(subject) ?? new Set();
  all.set(subject, of.add(one));
  return () => {
    of.delete(one);
    if (of.size === 0 && all.get(subject) === of) all.delete(subject);
  };
}
