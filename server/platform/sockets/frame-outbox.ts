/**
 * One snapshot for ten thousand readers takes a fifth of a second to write, and every request would wait for it. So
 * frames go out in slices as long as other work took since the last one, within bounds.
 */

export interface FrameLine {
  /** Bytes of this destination in the outbox. */
  waitingBytes: number;
  write(frame: Buffer): void;
}

export interface FrameOutbox {
  /** Writes immediately while few frames are written, otherwise in turn, in order of arrival. */
  send(line: FrameLine, frame: Buffer): void;
  /** Frames are still queued, so a newer snapshot may replace several. */
  isBehind(): boolean;
}

const SHORTEST_SLICE_MS = 4;
const LONGEST_SLICE_MS = 16;
/** Frames between two checks of the clock. */
const FRAMES_A_CHECK = 32;

export interface OutboxOptions {
  /** Monotonic; replaced by tests. */
  nowMs?: () => number;
  /** Time for frames relative to other work, within bounds. */
  share?: () => number;
}

export function frameOutbox({ nowMs = () => performance.now(), share = () => 1 }: OutboxOptions = {}): FrameOutbox {
  let waiting: { line: FrameLine; frame: Buffer }[] = [];
  let first = 0;
  let written = 0;
  let isTurnDue = false;
  let endsMs = 0;
  let endedMs = Number.NEGATIVE_INFINITY;

  function begin(): void {
    const startMs = nowMs();
    endsMs = startMs + Math.min(LONGEST_SLICE_MS, Math.max(SHORTEST_SLICE_MS, share() * (startMs - endedMs)));
    written = 0;
  }

  function isOver(): boolean {
    if (written % FRAMES_A_CHECK !== 0 || nowMs() < endsMs) return false;
    endedMs = nowMs();
    return true;
  }

  function turn(): void {
    isTurnDue = false;
    begin();
    for (; first < waiting.length; first++) {
      const next = waiting[first];
      if (next === undefined) continue;
      next.line.waitingBytes -= next.frame.length;
      next.line.write(next.frame);
      written += 1;
      if (!isOver()) continue;
      first += 1;
      break;
    }
    if (first < waiting.length) {
      takeTurn();
      return;
    }
    waiting = [];
    first = 0;
  }

  function takeTurn(): void {
    if (isTurnDue) return;
    isTurnDue = true;
    setImmediate(turn);
  }

  return {
    send(line, frame) {
      if (!isTurnDue && waiting.length === 0) begin();
      if (waiting.length === 0 && !(written > 0 && isOver())) {
        line.write(frame);
        written += 1;
      } else {
        line.waitingBytes += frame.length;
        waiting.push({ line, frame });
      }
      takeTurn();
    },
    isBehind: () => waiting.length > first,
  };
}

const TEXT = 0x81;
const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** A whole frame, unmasked and uncompressed, as servers send it. Source: RFC 6455, section 5.2. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headLength = length <= SHORT ? 2 : length < 1 << 16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = TEXT;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength);
  return frame;
}
