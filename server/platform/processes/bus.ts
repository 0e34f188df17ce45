/**
 * What server processes say to each other, by subject: in this process alone, or over NATS. Live data: what was said
 * while nobody listened or the broker was away is gone, so whoever reads must be able to tell a gap, and whoever needs
 * an answer must do without one. See docs/decisions/041-many-processes.md.
 */
import type { Logger } from '../telemetry/log.ts';
import { unlessAborted } from '../unless-aborted.ts';

/** JSON, or bytes as they are. What is received is another object than what was sent. */
export type BusMessage = unknown;

export type BusHandler = (message: BusMessage) => void;

export interface BusState {
  kind: 'in-process' | 'nats';
  isConnected: boolean;
  /** Since when there is no connection, epoch milliseconds; null while there is one. */
  lostSinceMs: number | null;
  reconnects: number;
  sent: number;
  received: number;
  /** Not sent: no connection, or more waiting than may wait, or too large. */
  dropped: number;
  /** Messages that could not be read, and handlers that failed. */
  failed: number;
}

export interface Bus {
  /** Whether others may be there at all. */
  readonly kind: BusState['kind'];
  /** To all who listen now, this process among them. Never throws; returns false when it was dropped. */
  publish(subject: string, message: BusMessage): boolean;
  /** In the order in which one process published; never in the middle of a publisher's call. @returns ends it */
  subscribe(subject: string, handler: BusHandler): () => void;
  /**
   * Asks whoever answers the subject; of several the first counts.
   * @throws NoAnswer  nobody answers, not in time, or whoever did failed
   */
  request(
    subject: string,
    message: BusMessage,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<BusMessage>;
  /** Answers requests, with JSON. What the handler throws reaches the asker as NoAnswer. @returns ends it */
  answer(subject: string, handler: (message: BusMessage) => Promise<BusMessage>): () => void;
  state(): BusState;
  close(): Promise<void>;
}

/** A broker's own limit is a megabyte. */
export const MAX_MESSAGE_BYTES = 1_000_000;
const SUBJECT = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const BYTES = 0;
const JSON_TEXT = 1;
const decoder = new TextDecoder();

export function isSubject(subject: string): boolean {
  return SUBJECT.test(subject);
}

/** @returns null for what is no message: too large, or nothing that JSON can say */
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
    // A circle, a bigint: told by the null.
    return null;
  }
}

/** @throws SyntaxError for what nobody of ours has sent */
export function decodeMessage(bytes: Uint8Array): BusMessage {
  const body = bytes.subarray(1);
  if (bytes[0] === BYTES) return Uint8Array.from(body);
  if (bytes[0] !== JSON_TEXT) throw new SyntaxError('unknown kind of message');
  return JSON.parse(decoder.decode(body));
}

/** What goes back for a request, whatever becomes of the answering. */
export async function encodedAnswer(answering: Promise<BusMessage>): Promise<Uint8Array> {
  const answer = await answering.then(
    (ok) => encodeMessage({ ok }),
    // Whoever answers tells its own faults in its own log.
    () => null,
  );
  return answer ?? Uint8Array.of(JSON_TEXT, ...Buffer.from('{}'));
}

/** @throws NoAnswer */
export function decodeAnswer(bytes: Uint8Array): BusMessage {
  const answer = decodeMessage(bytes);
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer.ok;
  throw new NoAnswer('whoever was asked failed');
}

/** Of a request: never shown to anybody, since whoever asks can do without. */
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
        log.error({ err: error, subject }, 'a message of another process could not be taken');
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
    subscribe: (subject, handler) => added(handlers, subject, handler),
    async request(subject, message, { timeoutMs, signal }) {
      const [answer] = answers.get(subject) ?? [];
      const bytes = encodeMessage(message);
      if (answer === undefined || bytes === null || isClosed) throw new NoAnswer('nobody answers');
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new NoAnswer('not in time')), timeoutMs);
      const ends = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
      try {
        return decodeAnswer(await unlessAborted(encodedAnswer(answer(decodeMessage(bytes))), ends));
      } finally {
        clearTimeout(timer);
      }
    },
    answer: (subject, handler) => added(answers, subject, handler),
    state: () => ({ kind: 'in-process', isConnected: !isClosed, lostSinceMs: null, reconnects: 0, ...counted }),
    async close() {
      isClosed = true;
      handlers.clear();
      answers.clear();
    },
  };
}

function added<T>(all: Map<string, Set<T>>, subject: string, one: T): () => void {
  const of = all.get(subject) ?? new Set();
  all.set(subject, of.add(one));
  return () => {
    of.delete(one);
    if (of.size === 0 && all.get(subject) === of) all.delete(subject);
  };
}
