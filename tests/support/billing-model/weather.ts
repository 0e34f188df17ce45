/** The conditions of a round: calls that fail; events that are late, doubled or lost; and time that passes. */
import type { Random } from '../../../server/forecast/paths/random.ts';
import { pick, weighted } from './person.ts';

export interface Weather {
  faults: readonly { method: string; path: string; times: number; kind: string; ms?: number }[];
  delivery: { mode: 'deliver' | 'hold' | 'drop'; copies: number; order: 'fifo' | 'reverse' | 'shuffle'; seed: number };
  /** The server stops in the middle of the round and starts again on the same data. */
  hasRestart: boolean;
}

export const FAIR: Weather = {
  faults: [],
  delivery: { mode: 'deliver', copies: 1, order: 'fifo', seed: 1 },
  hasRestart: false,
};

const PATHS = [
  '/v1/customers',
  '/v1/checkout/sessions',
  '/v1/subscriptions',
  '/v1/subscription_schedules',
  '/v1/invoices',
];
const KINDS = ['reset_before', 'reset_after', 'http_500', 'http_429', 'http_409', 'slow'] as const;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

export function weatherOf(random: Random): Weather {
  const mode = weighted(random, [
    [6, 'deliver' as const],
    [3, 'hold' as const],
    [1, 'drop' as const],
  ]);
  const copies = pick(random, [1, 1, 1, 2, 3]);
  const order = pick(random, ['fifo', 'reverse', 'shuffle'] as const);
  const faults = Array.from({ length: pick(random, [0, 0, 0, 2, 5]) }, () => ({
    method: pick(random, ['GET', 'POST', 'POST']),
    path: pick(random, PATHS),
    times: pick(random, [1, 1, 2, 4]),
    kind: pick(random, KINDS),
    ms: 300,
  }));
  const seed = Math.floor(random() * 1e6);
  return { faults, delivery: { mode, copies, order, seed }, hasRestart: random() < 0.08 };
}

/** How far the clock steps: often to the edges of a period and of its grace. @param endS  null: no one has a period */
export function stepOf(random: Random, { nowS, endS }: { nowS: number; endS: number | null }): number {
  const atEdges = endS === null ? [] : [-60, 2, 2 * HOUR_S - 40, 2 * HOUR_S + 1].map((offset) => endS + offset - nowS);
  const ahead = atEdges.filter((step) => step > 0 && step < 40 * DAY_S);
  const plain = weighted(random, [
    [3, 20],
    [2, 15 * 60],
    [2, 3 * HOUR_S],
    [2, 2 * DAY_S],
    [2, 12 * DAY_S],
    [1, 33 * DAY_S],
  ]);
  return ahead.length > 0 && random() < 0.5 ? pick(random, ahead) : plain;
}

/** After events are lost, only the sweep recovers them, and it checks a quiet row once a day. */
export const LOST_EVENTS_WAIT_S = 25 * HOUR_S;
