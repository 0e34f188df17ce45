/**
 * When a process reads its venues directly: it leads, or there is no broker to follow through. Without a broker a
 * leader gives up the lead but reads on: the others may still reach the broker, and would follow in vain.
 */
import type { MarketSharing } from './sharing.ts';

export interface Standing {
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
const GIVE_WAY_AGAIN_MS = 300_000;
const LOOK_MS = 500;

/** Reports the current state and each change of it. @returns stops watching */
export function whenAlone(
  { bus, leadership }: Pick<MarketSharing, 'bus' | 'leadership'>,
  tell: (standing: Standing) => void,
): () => void {
  let lostAtMs: number | null = null;
  let told: Standing | null = null;
  let keepsUntilMs = 0;

  function look(): void {
    const isConnected = bus.state().isConnected;
    lostAtMs = isConnected ? null : (lostAtMs ?? performance.now());
    const { term } = leadership;
    const nowMs = performance.now();
    const patienceMs = term !== null || told?.isAlone === true ? LEADER_PATIENCE_MS : PATIENCE_MS;
    const isAlone = lostAtMs !== null && nowMs - lostAtMs >= patienceMs;
    if (told?.term !== term || told.isAlone !== isAlone) {
      told = { term, isAlone };
      tell(told);
    }
    if (!isAlone || term === null || nowMs < keepsUntilMs) return;
    keepsUntilMs = nowMs + GIVE_WAY_AGAIN_MS;
    void leadership.giveWay();
  }

  const unwatch = leadership.onChange(look);
  const looking = setInterval(look, LOOK_MS).unref();
  look();
  return () => {
    clearInterval(looking);
    unwatch();
  };
}
