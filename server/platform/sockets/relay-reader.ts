/** One reader of a relay: what it may say, what it has left unread, and whether it is still there. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { FrameLine, FrameOutbox } from './frame-outbox.ts';

export interface ReaderLimits {
  /** A reader that has not asked for anything valid by then is sent away. */
  firstRequestMs: number;
  /** In any ten seconds, pings of its own and pongs that answer none of ours among them. */
  messagesPer10S: number;
  /** What a reader may leave unread; what comes then is not queued but left out. */
  ceilingBytes: number;
  pingMs: number;
  /** Nothing heard for this long, not even an answer to a ping. */
  silentMs: number;
  /** A reader that is sent away may take this long to answer the goodbye. */
  goodbyeMs: number;
}

/** One connection, as the owner of the stream sees it. */
export interface RelayReader {
  /** Writes a whole frame, or leaves it out because the reader has too much unread: then false. */
  offer(frame: Buffer): boolean;
  /** All that was written has left this process: what it missed may be made good. */
  readonly isDrained: boolean;
}

export interface ReaderHandlers {
  /** @returns whether the reader has asked for something valid */
  message(text: string): boolean;
  closed(): void;
}

export interface ReaderCounters {
  /** Sent away: asked for nothing in time, said too much, fell silent. */
  dismissed: { idle: number; talkative: number; silent: number };
  /** Frames left out for readers that had too much unread. */
  leftOut: number;
}

const POLICY = 1008;
/** Written to learn when all before it has left. */
const NOTHING = Buffer.alloc(0);
const WINDOW_MS = 10_000;

/** @param socket  what lies under `ws`: frames made for all go there directly, by the outbox of all readers */
export function openReader(
  ws: WebSocket,
  socket: Duplex,
  outbox: FrameOutbox,
  limits: ReaderLimits,
  counters: ReaderCounters,
  join: (reader: RelayReader) => ReaderHandlers,
): void {
  let heardAtMs = performance.now();
  /** When the last messages came, oldest first, as many as may come in the window. */
  const messagesAtMs: number[] = [];
  let isAsked = false;

  const line: FrameLine = {
    waitingBytes: 0,
    write(frame) {
      // After a goodbye nothing may follow.
      if (ws.readyState === WebSocket.OPEN) socket.write(frame);
    },
  };
  const unreadBytes = (): number => socket.writableLength + line.waitingBytes;

  const handlers = join({
    offer(frame) {
      if (ws.readyState !== WebSocket.OPEN) return false;
      const unread = unreadBytes();
      if (unread > 0 && unread + frame.length > limits.ceilingBytes) {
        counters.leftOut += 1;
        return false;
      }
      outbox.send(line, frame);
      return true;
    },
    get isDrained() {
      return ws.readyState === WebSocket.OPEN && unreadBytes() === 0;
    },
  });

  const idle = setTimeout(() => dismiss('idle'), limits.firstRequestMs);
  const watch = setInterval(() => {
    if (performance.now() - heardAtMs > limits.silentMs) dismiss('silent');
    else if (ws.readyState === WebSocket.OPEN) {
      isAsked = true;
      ws.ping();
    }
  }, limits.pingMs);

  function dismiss(why: keyof ReaderCounters['dismissed']): void {
    if (ws.readyState !== WebSocket.OPEN) return;
    counters.dismissed[why] += 1;
    ws.close(POLICY, why);
    // The goodbye lies behind what a slow reader has not read yet, and ending now would take both from it. Once all has
    // left this process little time remains for an answer; until then `ws` itself gives it thirty seconds.
    socket.write(NOTHING, () => setTimeout(() => ws.terminate(), limits.goodbyeMs).unref());
  }

  /** @returns false when it says too much */
  function hear(): boolean {
    heardAtMs = performance.now();
    messagesAtMs.push(heardAtMs);
    const firstAtMs = messagesAtMs.length > limits.messagesPer10S ? messagesAtMs.shift() : undefined;
    if (firstAtMs !== undefined && heardAtMs - firstAtMs <= WINDOW_MS) dismiss('talkative');
    return ws.readyState === WebSocket.OPEN;
  }

  ws.on('message', (data) => {
    if (hear() && handlers.message(String(data))) clearTimeout(idle);
  });
  ws.on('ping', hear);
  ws.on('pong', () => {
    if (!isAsked) hear();
    isAsked = false;
    heardAtMs = performance.now();
  });
  // 'close' follows and does the work.
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    clearTimeout(idle);
    clearInterval(watch);
    handlers.closed();
  });
}
