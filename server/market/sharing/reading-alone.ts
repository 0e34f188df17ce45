/**
 * When a process reads its venues by itself: it leads, or there is no broker by which it could follow anybody. A leader whom no
 * broker hears gives way, and reads on for itself: the broker may be reached by all the others, who would follow a silent one.
 */
import type { MarketSharing } from './sharing.ts';

export interface Standing {
  /** While this process leads. */
  term: number | null;
  /** The broker has been away for so long that nobody waits for it any more. */
  isAlone: boolean;
}

/** A broker that restarts is back sooner. */
const PATIENCE_MS = 5000;
/** Everybody else stands still meanwhile. */
const LEADER_PATIENCE_MS = 2000;
/** Where the broker is away for all, handing the lead around helps nobody. */
const GIVE_WAY_AGAIN_MS = 300_000;
const LOOK_MS = 500;

/** Tells how it stands now, and whenever that changes. @returns ends it */
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
