/**
 * Detects an unresponsive database. When callers wait and the database has sent nothing for a while, a probe checks it.
 * If that also gets no response, the database counts as unresponsive: waiting callers are refused and no queries are
 * sent until a probe succeeds. A slow statement, a busy pool or a slow disk never triggers this, because a running
 * server still answers probes.
 */
export interface LivenessWatch {
  isUnresponsive(): boolean;
  recordResponse(): void;
  /** Resolves with `work`. Calls `giveUp`, which must end `work`, if the database is or becomes unresponsive. */
  wait<T>(work: Promise<T>, giveUp: () => void): Promise<T>;
  close(): void;
}

export interface LivenessWatchOptions {
  /** Resolves to whether the server responds at all. It ends early when the signal aborts, and never rejects. */
  probe: (signal: AbortSignal) => Promise<boolean>;
  onUnresponsive: () => void;
  /** @param unresponsiveMs  for how long callers were refused */
  onResponsive: (unresponsiveMs: number) => void;
  monotonicMs: () => number;
  every: (tick: () => void, ms: number) => () => void;
}

export const TICK_MS = 250;
/** From the start of the wait. A healthy server answers most queries in milliseconds, to whatever caller. */
export const SUSPECT_AFTER_MS = 2000;
/** A connection may lose two packets: the system resends the first one after one second. */
export const PROBE_LIMIT_MS = 3000;
/** From the end of one probe to the start of the next, while the database is unresponsive. */
export const PROBE_PAUSE_MS = 1000;

interface Waiting {
  sinceMs: number;
  giveUp: () => void;
}

interface Probe {
  sinceMs: number;
  controller: AbortController;
}

export function livenessWatch(options: LivenessWatchOptions): LivenessWatch {
  const waiting = new Set<Waiting>();
  /** Sums ticks, none longer than two intervals: a stalled process reads no responses, so that time is not counted. */
  let nowMs = 0;
  let tickedMs = 0;
  let respondedMs = 0;
  let unresponsiveSinceMs: number | null = null;
  let probing: Probe | null = null;
  let nextProbeMs = 0;
  let stopTicks: (() => void) | null = null;
  let isClosed = false;

  function tick(): void {
    const atMs = options.monotonicMs();
    nowMs += Math.min(atMs - tickedMs, 2 * TICK_MS);
    tickedMs = atMs;
    if (probing !== null) {
      if (nowMs - probing.sinceMs >= PROBE_LIMIT_MS) endProbe(probing, false);
    } else if (unresponsiveSinceMs === null ? isSuspect() : nowMs >= nextProbeMs) beginProbe();
    if (waiting.size > 0 || probing !== null || unresponsiveSinceMs !== null) return;
    stopTicks?.();
    stopTicks = null;
  }

  function isSuspect(): boolean {
    const [first] = waiting;
    return first !== undefined && nowMs - Math.max(first.sinceMs, respondedMs) >= SUSPECT_AFTER_MS;
  }

  function beginProbe(): void {
    const mine = { sinceMs: nowMs, controller: new AbortController() };
    probing = mine;
    void options.probe(mine.controller.signal).then((isAnswered) => endProbe(mine, isAnswered));
  }

  function endProbe(mine: Probe, isAnswered: boolean): void {
    if (probing !== mine) return;
    probing = null;
    mine.controller.abort();
    nextProbeMs = nowMs + PROBE_PAUSE_MS;
    if (isAnswered) recordResponse();
    else if (respondedMs < mine.sinceMs) markUnresponsive();
  }

  function markUnresponsive(): void {
    if (unresponsiveSinceMs !== null) return;
    unresponsiveSinceMs = nowMs;
    options.onUnresponsive();
    const refused = [...waiting];
    waiting.clear();
    for (const { giveUp } of refused) giveUp();
  }

  function recordResponse(): void {
    respondedMs = nowMs;
    if (unresponsiveSinceMs === null) return;
    const unresponsiveMs = nowMs - unresponsiveSinceMs;
    unresponsiveSinceMs = null;
    options.onResponsive(unresponsiveMs);
  }

  async function wait<T>(work: Promise<T>, giveUp: () => void): Promise<T> {
    if (unresponsiveSinceMs !== null) giveUp();
    if (unresponsiveSinceMs !== null || isClosed) return work;
    if (stopTicks === null) {
      tickedMs = options.monotonicMs();
      stopTicks = options.every(tick, TICK_MS);
    }
    const mine = { sinceMs: nowMs, giveUp };
    waiting.add(mine);
    try {
      return await work;
    } finally {
      waiting.delete(mine);
    }
  }

  function close(): void {
    isClosed = true;
    stopTicks?.();
    stopTicks = null;
    probing?.controller.abort();
    probing = null;
  }

  return { isUnresponsive: () => unresponsiveSinceMs !== null, recordResponse, wait, close };
}
