import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { FrameLine, FrameOutbox } from './frame-outbox.ts';

export interface ReaderLimits {
  /** A reader without a valid request by then is disconnected. */
  firstRequestMs: number;
  /** In any ten seconds, including the reader's pings and unsolicited pongs. */
  messagesPer10S: number;
  /** Limit on unread data; frames beyond it are skipped, not queued. */
  ceilingBytes: number;
  pingMs: number;
  /** A reader that does not answer a ping for so long gets no frames until it does. */
  answerMs: number;
  /** The same for its first ping: one that reads nothing costs frames for no longer. */
  firstAnswerMs: number;
  /** Maximum time without any message, not even a pong. */
  unresponsiveMs: number;
  /** How long a disconnected reader may take to answer the close frame. */
  closeMs: number;
}

export interface RelayReader {
  /** Writes a whole frame. @returns false when it was skipped: too much unread data, or a ping without an answer */
  offer(frame: Buffer): boolean;
  /** Everything written has left this process and pings are answered, so skipped data may be sent again. */
  readonly isDrained: boolean;
}

export interface ReaderHandlers {
  /** @returns whether the message is a valid request */
  message(text: string): boolean;
  closed(): void;
}

export interface ReaderCounters {
  /** Disconnected readers: no request in time, too many messages, or no response. */
  dismissed: { idle: number; talkative: number; silent: number };
  /** Frames skipped for readers with too much unread data, or without an answer to a ping. */
  leftOut: number;
}

const POLICY = 1008;
/** Written only for its callback, which runs once everything before it has been sent. */
const NOTHING = Buffer.alloc(0);
const WINDOW_MS = 10_000;

/** @param socket  the socket under `ws`: shared frames are written to it directly, through the outbox of all readers */
export function openReader(
  ws: WebSocket,
  socket: Duplex,
  outbox: FrameOutbox,
  limits: ReaderLimits,
  counters: ReaderCounters,
  join: (reader: RelayReader) => ReaderHandlers,
): void {
  let lastMessageAtMs = performance.now();
  /** Times of the last messages, oldest first, at most as many as the window allows. */
  const messagesAtMs: number[] = [];
  /** Of the first ping without an answer; null: none. */
  let pingedAtMs: number | null = null;

  const line: FrameLine = {
    waitingBytes: 0,
    write(frame) {
      // Nothing may follow a close frame.
      if (ws.readyState === WebSocket.OPEN) socket.write(frame);
    },
  };
  let patienceMs = limits.firstAnswerMs;
  const isAnswering = (): boolean => pingedAtMs === null || performance.now() - pingedAtMs <= patienceMs;
  const unreadBytes = (): number => socket.writableLength + line.waitingBytes;

  const handlers = join({
    offer(frame) {
      if (ws.readyState !== WebSocket.OPEN) return false;
      const unread = unreadBytes();
      if ((unread > 0 && unread + frame.length > limits.ceilingBytes) || !isAnswering()) {
        counters.leftOut += 1;
        return false;
      }
      outbox.send(line, frame);
      return true;
    },
    get isDrained() {
      return ws.readyState === WebSocket.OPEN && unreadBytes() === 0 && isAnswering();
    },
  });

  const idle = setTimeout(() => dismiss('idle'), limits.firstRequestMs);
  const watch = setInterval(() => {
    if (performance.now() - lastMessageAtMs > limits.unresponsiveMs) dismiss('silent');
    else ping();
  }, limits.pingMs);
  // The kernel's buffers alone would take minutes of frames that no one reads.
  ping();

  function ping(): void {
    if (ws.readyState !== WebSocket.OPEN) return;
    pingedAtMs ??= performance.now();
    ws.ping();
  }

  function dismiss(why: keyof ReaderCounters['dismissed']): void {
    if (ws.readyState !== WebSocket.OPEN) return;
    counters.dismissed[why] += 1;
    ws.close(POLICY, why);
    // The close frame is queued behind data that a slow reader has not read; ending now would lose both. Once
    // everything has left this process, the reader has little time to answer; until then `ws` itself allows thirty
    // seconds.
    socket.write(NOTHING, () => setTimeout(() => ws.terminate(), limits.closeMs).unref());
  }

  /** @returns false when it sends too many messages */
  function countMessage(): boolean {
    lastMessageAtMs = performance.now();
    messagesAtMs.push(lastMessageAtMs);
    const firstAtMs = messagesAtMs.length > limits.messagesPer10S ? messagesAtMs.shift() : undefined;
    if (firstAtMs !== undefined && lastMessageAtMs - firstAtMs <= WINDOW_MS) dismiss('talkative');
    return ws.readyState === WebSocket.OPEN;
  }

  ws.on('message', (data) => {
    if (countMessage() && handlers.message(String(data))) clearTimeout(idle);
  });
  ws.on('ping', countMessage);
  ws.on('pong', () => {
    if (pingedAtMs === null) countMessage();
    pingedAtMs = null;
    patienceMs = limits.answerMs;
    lastMessageAtMs = performance.now();
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    clearTimeout(idle);
    clearInterval(watch);
    handlers.closed();
  });
}
