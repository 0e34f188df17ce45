/**
 * Frames on their way to many sockets, a slice at a time: one picture for ten thousand readers takes the process a fifth
 * of a second to write, and every request that comes meanwhile would wait for the last of them. Frames get as long as
 * everything else had in between, within bounds; whoever makes them leaves some out while they are behind.
 */

/** Where frames go. */
export interface FrameLine {
  /** Of this line, in the outbox. */
  waitingBytes: number;
  write(frame: Buffer): void;
}

export interface FrameOutbox {
  /** At once where few are written; else in its turn, in the order they came. */
  send(line: FrameLine, frame: Buffer): void;
  /** Something waits still: a newer picture may do for both. */
  isBehind(): boolean;
}

const SHORTEST_SLICE_MS = 4;
const LONGEST_SLICE_MS = 16;
/** Between two looks at the clock. */
const FRAMES_A_LOOK = 32;

export interface OutboxOptions {
  /** Monotonic; a test passes its own. */
  nowMs?: () => number;
  /** Time of frames against everything else's, within bounds. */
  share?: () => number;
}

export function frameOutbox({ nowMs = () => performance.now(), share = () => 1 }: OutboxOptions = {}): FrameOutbox {
  let waiting: { line: FrameLine; frame: Buffer }[] = [];
  let first = 0;
  let written = 0;
  let isTurnDue = false;
  let endsMs = 0;
  let endedMs = Number.NEGATIVE_INFINITY;

  /** As long as everything else has had since the last one. */
  function begin(): void {
    const startMs = nowMs();
    endsMs = startMs + Math.min(LONGEST_SLICE_MS, Math.max(SHORTEST_SLICE_MS, share() * (startMs - endedMs)));
    written = 0;
  }

  function isOver(): boolean {
    if (written % FRAMES_A_LOOK !== 0 || nowMs() < endsMs) return false;
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
