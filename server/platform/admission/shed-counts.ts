import { WORK_CLASSES, type WorkClass } from '#domain/errors/shed.ts';

export interface ClassCounts {
  admitted: number;
  refused: number;
  /** Disconnected before their turn, so no work was done for them. */
  left: number;
}

export interface ShedCounts {
  admitted(name: WorkClass): void;
  /** @returns whole seconds until the client may retry, with random jitter */
  refused(name: WorkClass): number;
  left(name: WorkClass): void;
  of(name: WorkClass): ClassCounts;
  /** Something was refused within the last few seconds. */
  isRecent(): boolean;
}

interface Clocked {
  nowMs(): number;
  random(): number;
}

const LEAST_RETRY_S = 2;
/** At four times the load that the process can serve, clients retry after eight to sixteen seconds. */
const MOST_RETRY_S = 16;
const PERIOD_MS = 5000;

export function shedCounts({ nowMs, random }: Clocked): ShedCounts {
  const total = new Map(WORK_CLASSES.map((name) => [name, { admitted: 0, refused: 0, left: 0 }]));
  const recent = new Map(
    WORK_CLASSES.map((name) => [name, { admitted: 0, refused: 0, before: { admitted: 0, refused: 0 } }]),
  );
  let periodEndsMs = nowMs() + PERIOD_MS;
  let refusedAtMs = Number.NEGATIVE_INFINITY;

  function turnPeriod(): void {
    if (nowMs() < periodEndsMs) return;
    const isLast = nowMs() - periodEndsMs < PERIOD_MS;
    for (const one of recent.values()) {
      one.before = isLast ? { admitted: one.admitted, refused: one.refused } : { admitted: 0, refused: 0 };
      one.admitted = one.refused = 0;
    }
    periodEndsMs = nowMs() + PERIOD_MS;
  }

  const totalOf = (name: WorkClass): ClassCounts => total.get(name) ?? { admitted: 0, refused: 0, left: 0 };

  return {
    admitted(name) {
      turnPeriod();
      totalOf(name).admitted += 1;
      const one = recent.get(name);
      if (one !== undefined) one.admitted += 1;
    },
    refused(name) {
      turnPeriod();
      refusedAtMs = nowMs();
      totalOf(name).refused += 1;
      const one = recent.get(name);
      if (one === undefined) return LEAST_RETRY_S;
      one.refused += 1;
      const admitted = one.admitted + one.before.admitted;
      const refused = one.refused + one.before.refused;
      // The ratio of demand to what could be served.
      const times = (admitted + refused) / Math.max(1, admitted);
      const baseS = Math.min(MOST_RETRY_S / 2, LEAST_RETRY_S * times);
      return Math.max(1, Math.round(baseS * (1 + random())));
    },
    left(name) {
      totalOf(name).left += 1;
    },
    of: (name) => ({ ...totalOf(name) }),
    isRecent: () => nowMs() - refusedAtMs < PERIOD_MS,
  };
}
