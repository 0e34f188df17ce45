/**
 * When a process reads its venues directly: it leads, or there is no broker to follow through. Without a broker a
 * leader gives up the lead but reads on: the others may still reach the broker, and would follow in vain.
 */
import type { MarketSharing } from './sharing.ts';

export interface ReadingState {
  /** Set while this process leads. */
  term: number | null;
  /** The broker has been unavailable for longer than processes wait for it. */
  isAlone: boolean;
}

/** A restarting broker is back sooner. */
const PATIENCE_MS = 5000;
/** Shorter, because all followers get nothing meanwhile. */
const LEADER_PATIENCE_MS = 2000;
/** When no process reaches the broker, passing the lead around does not help. */
const GIVE_WAY_COOLDOWN_MS = 300_000;
const CHECK_MS = 500;

/** Reports the current state and each change of it. @returns stops watching */
export function whenAlone(
  { bus, leadership }: Pick<MarketSharing, 'bus' | 'leadership'>,
  report: (state: ReadingState) => void,
): () => void {
  let lostAtMs: number | null = null;
  let reported: ReadingState | null = null;
  let notBeforeMs = 0;

  function check(): void {
    const isConnected = bus.state().isConnected;
    lostAtMs = isConnected ? null : (lostAtMs ?? performance.now());
    const { term } = leadership;
    const nowMs = performance.now();
    const patienceMs = term !== null || reported?.isAlone === true ? LEADER_PATIENCE_MS : PATIENCE_MS;
    const isAlone = lostAtMs !== null && nowMs - lostAtMs >= patienceMs;
    if (reported?.term !== term || reported.isAlone !== isAlone) {
      reported = { term, isAlone };
      report(reported);
    }
    if (!isAlone || term === null || nowMs < notBeforeMs) return;
    notBeforeMs = nowMs + GIVE_WAY_COOLDOWN_MS;
    void leadership.giveWay();
  }

  const unwatch = leadership.onChange(check);
  const timer = setInterval(check, CHECK_MS).unref();
  check();
  return () => {
    clearInterval(timer);
    unwatch();
  };
}
