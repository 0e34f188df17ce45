/** Schedules by name: one fault, repeated, in place of drawn ones. */
import type { FaultKind, Schedule, Step, Target, WorldKind } from './schedule.ts';

interface Scenario {
  world: WorldKind;
  /** At a higher speed than 1, records are issued, sealed and verified. Default: 1. */
  marketSpeed?: number;
  steps: readonly Omit<Step, 'atMs'>[];
}

const BETWEEN_MS = 12_000;
const HOUR_S = 3600;

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'kill-server': { world: 'embedded', steps: repeated(5, step('server', 'kill', 200)) },
  'power-loss': { world: 'embedded', steps: repeated(5, step('server', 'power-loss', 200)) },
  'kill-node': {
    world: 'nodes',
    steps: repeated(2, step('leader', 'kill', 5000), step('server', 'kill', 5000, 0.4)),
  },
  'kill-database': { world: 'nodes', steps: repeated(4, step('database', 'kill', 5000)) },
  'kill-broker': { world: 'nodes', steps: repeated(3, step('broker', 'kill', 15_000)) },
  /** So long that candles must be marked as stale. */
  'kill-sandbox': { world: 'embedded', steps: [step('market', 'kill', 210_000), step('payments', 'kill', 30_000)] },
  'full-disk': { world: 'embedded', steps: [step('database', 'full-disk', 15_000)] },
  'full-database-disk': { world: 'nodes', steps: [step('database', 'full-disk', 30_000)] },
  'slow-disk': {
    world: 'nodes',
    steps: [step('database', 'slow-disk', 25_000, 0.2), step('database', 'slow-disk', 25_000, 2)],
  },
  /** Longer than PostgreSQL takes to drop the sessions of a machine that it cannot reach. */
  'cut-network': {
    world: 'nodes',
    steps: [0, 0.4, 0.8].map((choice) => step('leader', 'lost-packets', 35_000, choice)),
  },
  'clock-steps': {
    world: 'embedded',
    marketSpeed: 20,
    steps: [HOUR_S, -HOUR_S / 2, 24 * HOUR_S].map((offsetS) => ({ ...step('server', 'clock-step', 12_000), offsetS })),
  },
};

/** @throws Error for a name that no scenario has */
export function scenarioOf(name: string, seed: number): Schedule {
  const scenario = SCENARIOS[name];
  if (scenario === undefined)
    throw new Error(`There is no scenario ${name}. There are: ${Object.keys(SCENARIOS).join(', ')}.`);
  const { world, marketSpeed = 1 } = scenario;
  const steps = scenario.steps.map((one) => ({ ...one, atMs: BETWEEN_MS }));
  return { seed, world, usersMs: BETWEEN_MS, marketSpeed, steps, isInTurn: true };
}

function step(target: Target, fault: FaultKind, forMs: number, choice = 0): Omit<Step, 'atMs'> {
  return { target, fault, forMs, choice };
}

function repeated<T>(times: number, ...some: readonly T[]): T[] {
  return Array.from({ length: times }, () => some).flat();
}
