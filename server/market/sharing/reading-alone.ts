/** When a process reads its venues by itself: it leads, or there is no broker by which it could follow anybody. */
import type { MarketSharing } from './sharing.ts';

export interface Standing {
  /** While this process leads. */
  term: number | null;
  /** The broker has been away for so long that nobody waits for it any more. */
  isAlone: boolean;
}

/** A broker that restarts is back sooner. */
const PATIENCE_MS = 5000;
const LOOK_MS = 500;

/** Tells how it stands now, and whenever that changes. @returns ends it */
export function whenAlone(
  { bus, leadership }: Pick<MarketSharing, 'bus' | 'leadership'>,
  tell: (standing: Standing) => void,
): () => void {
  let lostAtMs: number | null = null;
  let told: Standing | null = null;

  function look(): void {
    const isConnected = bus.state().isConnected;
    lostAtMs = isConnected ? null : (lostAtMs ?? performance.now());
    const isAlone = lostAtMs !== null && performance.now() - lostAtMs >= PATIENCE_MS;
    const { term } = leadership;
    if (told?.term === term && told.isAlone === isAlone) return;
    told = { term, isAlone };
    tell(told);
  }

  const unwatch = leadership.onChange(look);
  const looking = setInterval(look, LOOK_MS).unref();
  look();
  return () => {
    clearInterval(looking);
    unwatch();
  };
}
