/**
 * Whether the database answers at all. When people wait and nothing has come from it for a while it is asked by a probe, one at a
 * time; when that too gets no answer the database is silent: whoever waits is given up and nobody asks, until a probe hears it.
 * A slow statement, a busy pool or a slow disk never lead there: a server that is up answers a probe meanwhile.
 */
export interface SilenceWatch {
  isSilent(): boolean;
  /** Something came from the database, whatever it says. */
  heard(): void;
  /** What `work` gives; `giveUp` is called when the database falls silent before that, or is silent already, and is to end it. */
  wait<T>(work: Promise<T>, giveUp: () => void): Promise<T>;
  close(): void;
}

export interface SilenceWatchOptions {
  /** Whether anything at all answers; it ends early when the signal says so, and never rejects. */
  probe: (signal: AbortSignal) => Promise<boolean>;
  /** Before those who wait are given up. */
  onSilent: () => void;
  /** @param silentMs  for how long nobody was let through */
  onHeard: (silentMs: number) => void;
  monotonicMs: () => number;
  /** Calls `tick` so often until its answer is called. */
  every: (tick: () => void, ms: number) => () => void;
}

export const TICK_MS = 250;
/** From the question on: a healthy server answers most in milliseconds, and whatever it answers to others counts as well. */
export const SUSPECT_AFTER_MS = 2000;
/** Two packets of a connection may be lost on the way: the system sends the first again after one second. */
export const PROBE_LIMIT_MS = 3000;
/** While it is silent, from the end of one probe to the next. */
export const PROBE_PAUSE_MS = 1000;

interface Waiting {
  sinceMs: number;
  giveUp: () => void;
}

interface Probe {
  sinceMs: number;
  controller: AbortController;
}

export function silenceWatch(options: SilenceWatchOptions): SilenceWatch {
  /** In the order of their coming. */
  const waiting = new Set<Waiting>();
  /**
   * Counted in ticks, none longer than two: a process that stood still has not listened meanwhile, so that time is no silence.
   * Between two ticks the answers that lie in the sockets are read.
   */
  let nowMs = 0;
  let tickedMs = 0;
  let heardMs = 0;
  let silentSinceMs: number | null = null;
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
    } else if (silentSinceMs === null ? isSuspect() : nowMs >= nextProbeMs) beginProbe();
    if (waiting.size > 0 || probing !== null || silentSinceMs !== null) return;
    stopTicks?.();
    stopTicks = null;
  }

  function isSuspect(): boolean {
    const [first] = waiting;
    return first !== undefined && nowMs - Math.max(first.sinceMs, heardMs) >= SUSPECT_AFTER_MS;
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
    if (isAnswered) heard();
    else if (heardMs < mine.sinceMs) fallSilent();
  }

  function fallSilent(): void {
    if (silentSinceMs !== null) return;
    silentSinceMs = nowMs;
    options.onSilent();
    const givenUp = [...waiting];
    waiting.clear();
    for (const { giveUp } of givenUp) giveUp();
  }

  function heard(): void {
    heardMs = nowMs;
    if (silentSinceMs === null) return;
    const silentMs = nowMs - silentSinceMs;
    silentSinceMs = null;
    options.onHeard(silentMs);
  }

  async function wait<T>(work: Promise<T>, giveUp: () => void): Promise<T> {
    if (silentSinceMs !== null) giveUp();
    if (silentSinceMs !== null || isClosed) return work;
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

  return { isSilent: () => silentSinceMs !== null, heard, wait, close };
}
